"""A raw WebSocket client that can violate the protocol."""

from __future__ import annotations

import base64
import os
import socket
import struct
from urllib.parse import urlsplit

from tests.server.people import PATIENCE

CONTINUATION, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10


class RawSocket:
    """Completes the handshake, and from then on sends any bytes."""

    def __init__(self, address: str, table: str, receive_buffer: int | None = None) -> None:
        place = urlsplit(address)
        assert place.hostname is not None
        self.socket = socket.socket()
        self.socket.settimeout(PATIENCE)
        if receive_buffer is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.connect((place.hostname, place.port or 80))
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET /ws/tables/{table} HTTP/1.1\r\nHost: {place.netloc}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += self.socket.recv(1)
        assert answer.startswith(b"HTTP/1.1 101"), answer

    def __enter__(self) -> RawSocket:
        return self

    def __exit__(self, *_: object) -> None:
        self.socket.close()

    def send(self, payload: bytes, opcode: int = TEXT, fin: bool = True) -> None:
        self.socket.sendall(frame(payload, opcode, fin))

    def ping(self, word: bytes) -> None:
        """Sends a ping and reads until its pong; raises ConnectionError if the server closes instead."""
        self.send(word, PING)
        said = b""
        while word not in said:
            more = self.socket.recv(65_536)
            if not more:
                raise ConnectionError("nobody is there any more")
            said += more

    def hear(self) -> tuple[int, bytes]:
        """Reads one frame from the server: its opcode and payload."""
        kind, size = self._read(2)
        if size == 126:
            [size] = struct.unpack(">H", self._read(2))
        return kind & 15, self._read(size)

    def _read(self, size: int) -> bytes:
        said = b""
        while len(said) < size:
            more = self.socket.recv(size - len(said))
            if not more:
                raise ConnectionError("nobody is there any more")
            said += more
        return said


def frame(payload: bytes, opcode: int = TEXT, fin: bool = True, reserved: int = 0) -> bytes:
    head = bytes([fin << 7 | reserved << 4 | opcode])
    size = len(payload)
    if size < 126:
        head += bytes([0x80 | size])
    elif size < 65_536:
        head += bytes([0x80 | 126]) + struct.pack(">H", size)
    else:
        head += bytes([0x80 | 127]) + struct.pack(">Q", size)
    # A mask of zeros masks nothing.
    return head + b"\0\0\0\0" + payload

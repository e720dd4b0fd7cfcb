"""The game socket conforms to RFC 6455, and closes violating connections with the right code."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path

import pytest
from picows import WSFrame

from tests.browser.leaping import leaping
from tests.conftest import Running, start
from tests.server.people import Person, table_for
from tests.server.raw import BINARY, CLOSE, CONTINUATION, PING, PONG, TEXT, RawSocket, frame
from ubongo.server.clock import Timestamp
from ubongo.server.protocol import LONGEST
from ubongo.server.wire.websocket_transport import PING_EVERY, WebSocketTransport

MASK = b"\0\0\0\0"
SAID = b'{"type":"ping","at":1,"more":"\xc3\xa9"}'
HEARD = b'"type":"pong"'
NOT_UNDERSTOOD = b'"type":"error"'


def closing(code: int, why: bytes = b"") -> bytes:
    return frame(struct.pack(">H", code) + why, CLOSE)


def parts(*payloads: bytes, opcode: int = TEXT) -> bytes:
    first, *between, last = payloads
    return (
        frame(first, opcode, fin=False)
        + b"".join(frame(one, CONTINUATION, fin=False) for one in between)
        + frame(last, CONTINUATION)
    )


# What is sent, and the code with which the connection is closed.
BREAKS = {
    **{f"reserved bit {bit}": (frame(SAID, reserved=1 << bit), 1002) for bit in range(3)},
    "a ping with a reserved bit": (frame(b"", PING, reserved=4), 1002),
    "a close with a reserved bit": (frame(b"", CLOSE, reserved=4), 1002),
    "a part with a reserved bit": (frame(b"{", fin=False) + frame(b"}", CONTINUATION, reserved=1), 1002),
    **{f"opcode {code}": (frame(b"", code), 1002) for code in (3, 4, 5, 6, 7, 11, 12, 13, 14, 15)},
    "a continuation of nothing": (frame(SAID, CONTINUATION), 1002),
    "a part of nothing": (frame(b"{", CONTINUATION, fin=False), 1002),
    "a continuation after the end": (frame(SAID) + frame(b"", CONTINUATION), 1002),
    "text within a text": (frame(b"{", fin=False) + frame(SAID), 1002),
    "a new text within a text": (frame(b"{", fin=False) + frame(b"{", fin=False), 1002),
    "binary within a text": (frame(b"{", fin=False) + frame(b"", BINARY), 1002),
    "text within binary": (frame(b"a", BINARY, fin=False) + frame(SAID), 1002),
    "text that is not masked": (bytes([0x81, len(SAID)]) + SAID, 1002),
    "a ping that is not masked": (bytes([0x89, 0]), 1002),
    "a ping in parts": (frame(b"", PING, fin=False), 1002),
    "a pong in parts": (frame(b"", PONG, fin=False), 1002),
    "a close in parts": (frame(b"", CLOSE, fin=False), 1002),
    "a ping that is too long": (frame(b"a" * 126, PING), 1002),
    "a pong that is too long": (frame(b"a" * 126, PONG), 1002),
    "a close that is too long": (closing(1000, b"a" * 124), 1002),
    "a short length in two bytes": (b"\x81\xfe" + struct.pack(">H", len(SAID)) + MASK + SAID, 1002),
    "a short length in eight bytes": (b"\x81\xff" + struct.pack(">Q", len(SAID)) + MASK + SAID, 1002),
    "a length below zero": (b"\x81\xff" + struct.pack(">Q", 1 << 63) + MASK, 1002),
    "a close of one byte": (frame(b"a", CLOSE), 1002),
    **{
        f"close code {code}": (closing(code), 1002)
        for code in (0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65_535)
    },
    "no UTF-8": (frame(b'{"type":"ping","at":"\xff"}'), 1007),
    "no UTF-8 where nobody reads it": (frame(b'{"type":"ping","at":1,"more":"\xff"}'), 1007),
    "half a character": (frame(b"\xc3"), 1007),
    "a surrogate": (frame(b"\xed\xa0\x80"), 1007),
    "no UTF-8 in parts": (parts(b'{"type":"ping","at":"', b"\xff", b'"}'), 1007),
    "no UTF-8 in the reason": (closing(1000, b"\xff"), 1007),
    "too long": (frame(b"a" * (LONGEST + 1)), 1009),
    "too long in eight bytes": (frame(b"a" * 70_000), 1009),
    "longer than anything": (b"\x81\xff" + struct.pack(">Q", (1 << 63) - 1) + MASK, 1009),
    "too long in parts": (parts(b"a" * LONGEST, b"a"), 1009),
    "too long in parts of binary": (parts(b"a" * LONGEST, b"a", opcode=BINARY), 1009),
}

# What is sent, and the answers in order; the connection stays open.
KEEPS = {
    "text": (frame(SAID), [HEARD]),
    "two at once": (frame(SAID) * 2, [HEARD, HEARD]),
    "as long as may be": (frame(b" " * (LONGEST - len(SAID)) + SAID), [HEARD]),
    "in parts": (parts(SAID[:5], SAID[5:9], SAID[9:]), [HEARD]),
    "in bytes": (parts(*(SAID[place : place + 1] for place in range(len(SAID)))), [HEARD]),
    "in empty parts": (parts(b"", SAID, b""), [HEARD]),
    "a ping between parts": (
        frame(SAID[:5], fin=False) + frame(b"now", PING) + frame(SAID[5:], CONTINUATION),
        [b"now", HEARD],
    ),
    "the longest ping": (frame(b"a" * 125, PING), [b"a" * 125]),
    "an empty ping": (frame(b"", PING), [b""]),
    "a pong that nobody asked for": (frame(b"", PONG), []),
    "binary": (frame(SAID, BINARY), [NOT_UNDERSTOOD]),
    "binary in parts": (parts(SAID[:5], SAID[5:], opcode=BINARY), [NOT_UNDERSTOOD]),
    "binary that is no UTF-8": (frame(b"\xff", BINARY), [NOT_UNDERSTOOD]),
}

CODES = [1000, 1001, 1002, 1003, *range(1007, 1015), 3000, 3999, 4000, 4999]


@pytest.fixture(scope="module")
def running() -> Iterator[Running]:
    with start() as running:
        yield running


@pytest.fixture(scope="module")
def table(running: Running) -> str:
    return table_for(Person(running.address, "Cy"), start=False, seats=2)


@pytest.fixture
def line(running: Running, table: str) -> Iterator[RawSocket]:
    with RawSocket(running.address, table) as line:
        line.send(b'{"type":"hello"}')
        assert b"welcome" in line.hear()[1]
        yield line


def closed_with(line: RawSocket) -> bytes:
    """The payload of the close frame, which must be the last."""
    while (heard := line.hear())[0] != CLOSE:
        pass
    with pytest.raises(ConnectionError):
        line.hear()
    return heard[1]


@pytest.mark.parametrize("kind", BREAKS)
def test_a_protocol_violation_is_closed_with_the_right_code(line: RawSocket, kind: str) -> None:
    sent, code = BREAKS[kind]
    line.socket.sendall(sent)
    assert struct.unpack(">H", closed_with(line)[:2]) == (code,)


@pytest.mark.parametrize("kind", KEEPS)
def test_conforming_frames_are_answered(line: RawSocket, kind: str) -> None:
    sent, answers = KEEPS[kind]
    line.socket.sendall(sent)
    line.send(b"the end", PING)
    for answer in answers:
        assert answer in line.hear()[1]
    assert line.hear() == (PONG, b"the end")


@pytest.mark.parametrize("said", [b"", struct.pack(">H", 1000)], ids=["empty", "with a code"])
def test_nothing_follows_a_close(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: bytes) -> None:
    """Messages and closes between the close frame and the end of the connection are not sent."""
    answer = WebSocketTransport._answer_close

    def answer_and_send_more(wire: WebSocketTransport, frame: WSFrame) -> None:
        answer(wire, frame)
        wire.send(b"{}")
        wire.check(Timestamp(wire.last_frame + PING_EVERY))
        wire.close(1001, "")

    monkeypatch.setattr(WebSocketTransport, "_answer_close", answer_and_send_more)
    with leaping(tmp_path) as (address, _):
        table = table_for(Person(address, "Cy"), start=False, seats=2)
        with RawSocket(address, table) as line:
            line.send(said, CLOSE)
            assert closed_with(line) == said


@pytest.mark.parametrize("code", CODES)
def test_a_close_is_answered_with_its_code(line: RawSocket, code: int) -> None:
    line.socket.sendall(closing(code, b"bye") + frame(SAID))
    assert closed_with(line)[:2] == struct.pack(">H", code)


def test_a_close_without_a_code_is_answered_without_one(line: RawSocket) -> None:
    line.send(b"", CLOSE)
    assert closed_with(line) == b""

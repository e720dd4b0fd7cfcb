"""Endless requests and frames: sent by tests/server/test_floods.py for a moment, by `make siege` for a minute."""

from __future__ import annotations

from tests.server.raw import BINARY, PING, PONG, TEXT, frame

CHUNKED = b"POST /api/guests HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
GET = b"GET /healthz HTTP/1.1\r\nHost: x\r\n"
# Takes seconds to answer, in another process.
SLOW = b"GET /print/extreme.pdf HTTP/1.1\r\nHost: x\r\n\r\n"

# What is sent first, and what is then repeated for ever.
REQUESTS = {
    "many trailers": (CHUNKED + b"0\r\n", b"a: b\r\n"),
    "one endless trailer": (CHUNKED + b"0\r\na: ", b"b"),
    "many header lines": (GET, b"a: b\r\n"),
    "one endless header line": (GET + b"a: ", b"b"),
    "an endless address": (b"GET /", b"a"),
    "empty lines": (b"", b"\r\n"),
    "a body without an end": (CHUNKED, b"400\r\n" + b"a" * 1024 + b"\r\n"),
    "a body in bytes": (CHUNKED, b"1\r\na\r\n"),
    "a chunk with an endless extension": (CHUNKED + b"1;", b"a"),
    "requests before the first is answered": (b"", GET + b"\r\n"),
    "a head before the first is answered": (SLOW + GET, b"a: b\r\n"),
    "what follows a change to another protocol": (GET + b"Connection: upgrade\r\nUpgrade: x\r\n\r\n", b"a"),
    "what follows nonsense": (b"NONSENSE\r\n\r\n", b"a"),
}  # fmt: skip

FRAMES = {
    "pings": frame(b"", PING),
    "pongs": frame(b"", PONG),
    "long pings": frame(b"a" * 125, PING),
    "text": frame(b'{"type":"ping","at":1}'),
    "long text": frame(b"a" * 4096),
    "parts of text": frame(b"", TEXT, fin=False),
    "binary": frame(b"", BINARY),
    "frames that are not allowed": frame(b"", 3),
    "frames that are too long": frame(b"a" * 100_000),
}

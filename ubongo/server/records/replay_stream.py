"""A finished match as a stream of updates: the table at the opening, then what each row of the log has changed.

Clients apply the updates as they do at a live table, so they need no rules. Nothing is veiled (T5).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from zlib import compressobj

from ubongo.evolve import replay
from ubongo.server.protocol import encode
from ubongo.server.store import Row
from ubongo.server.store.entities import events_of
from ubongo.server.tables.update import difference
from ubongo.table import Table

# Lines are sent in chunks of about this many bytes, so that a long match is never in memory as a whole.
CHUNK = 64 * 1024
GZIP = 31


def replay_lines(opening: Table, history: Sequence[Row]) -> Iterator[bytes]:
    """JSON lines of `at`, `events` and `table`: the first has the whole table, the others what has changed."""
    table = opening
    yield b'{"at":0,"events":[],"table":%b}\n' % encode(table)
    for row in history:
        before, table = table, replay(table, events_of(row))
        yield b'{"at":%d,"events":%b,"table":%b}\n' % (row.at, row.events, encode(difference(before, table)))


def in_chunks(lines: Iterable[bytes]) -> Iterator[bytes]:
    gathered: list[bytes] = []
    size = 0
    for line in lines:
        gathered.append(line)
        size += len(line)
        if size >= CHUNK:
            yield b"".join(gathered)
            gathered, size = [], 0
    yield b"".join(gathered)


def chunks_of(whole: bytes) -> Iterator[bytes]:
    """In chunks, so that what a slow client has not read yet is in memory only once."""
    return (whole[start : start + CHUNK] for start in range(0, len(whole), CHUNK))


def gzipped(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Compressed, chunk by chunk."""
    compressor = compressobj(wbits=GZIP)
    for chunk in chunks:
        if compressed := compressor.compress(chunk):
            yield compressed
    yield compressor.flush()

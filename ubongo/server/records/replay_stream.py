"""A finished match to be watched again: its table as it was opened, then what each row of the log has changed.

The page has no rules and needs none for this: it is told as a member of the room is, only that nothing is veiled (T5).
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

# Lines are sent in pieces of about this many bytes: a long match is never in memory as a whole.
CHUNK = 64 * 1024
GZIP = 31


def replay_lines(opening: Table, history: Sequence[Row]) -> Iterator[bytes]:
    """JSON lines of `at`, `events` and `table`; the first has all of the table, the others what is different."""
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


def cut(whole: bytes) -> Iterator[bytes]:
    """In such pieces, so that what a slow reader has not taken yet is there once."""
    return (whole[start : start + CHUNK] for start in range(0, len(whole), CHUNK))


def packed(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """By gzip, piece by piece."""
    packing = compressobj(wbits=GZIP)
    for piece in pieces:
        if found := packing.compress(piece):
            yield found
    yield packing.flush()

"""Guests, devices, tables and matches as the database stores them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
from msgspec import Struct

from ubongo.events import AnyEvent
from ubongo.match_file import Opening, read_opening
from ubongo.server.clock import Timestamp
from ubongo.server.store import Row, Unreadable
from ubongo.server.store.damage import UNDECODABLE

Key = str
Player = str
_events = msgspec.json.Decoder(list[AnyEvent])


class Guest(Struct, frozen=True):
    """`player` is a public id. A guest proves who they are with the token of a device."""

    player: Player
    name: str
    made: Timestamp


class Device(Struct, frozen=True):
    """A device on which a guest is signed in. `proof` is its token's hash, `label` its browser and system, if known."""

    proof: bytes
    label: str
    made: Timestamp
    seen: Timestamp


class StoredMatch(Struct, frozen=True):
    """A match's opening, and where its rows are in the log."""

    match: int
    table: Key
    opening: Opening
    started: Timestamp
    since: int
    upto: int | None = None


class StoredTable(Struct, frozen=True):
    """A table with its match, if it has one, and that match's version."""

    key: Key
    state: str
    body: bytes
    changed: Timestamp
    version: int
    played: StoredMatch | None


class ChangedTables(Struct, frozen=True):
    """Tables as they are stored; `damaged` are the keys of those that cannot be decoded."""

    tables: list[StoredTable]
    damaged: list[Key]


@contextmanager
def decoded(what: str) -> Iterator[None]:
    """For a block that decodes stored bytes: raises Unreadable if these are damaged."""
    try:
        yield
    except UNDECODABLE as problem:
        raise Unreadable(f"what is stored of {what} is damaged: {problem}") from None


def decode_match(
    match: int, table: Key, opening: bytes, started: Timestamp, since: int, upto: int | None
) -> StoredMatch:
    """From a row of `matches`. Call it inside `decoded`."""
    return StoredMatch(match, table, read_opening(opening), started, since, upto)


def events_of(row: Row) -> list[AnyEvent]:
    return _events.decode(row.events)

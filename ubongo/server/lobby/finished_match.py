"""A finished match, open to all (T5): its log, its replay, its summary."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from ubongo.server.errors import Denied
from ubongo.server.lobby.lobby import Lobby
from ubongo.server.records.replay_stream import replay_lines
from ubongo.server.records.summary import Summary, summarize
from ubongo.server.store.entities import Key, StoredMatch
from ubongo.server.store.lobby_store import LobbyStore
from ubongo.server.tables.stored_match import lines_of, readable, replayed


async def history(lobby: Lobby, key: Key) -> bytes:
    """What happened, as JSON lines, from the opening on; raises Denied."""
    played = await _finished(lobby, key)
    with readable(played):
        return await read_lines(lobby.store, played)


async def replay(lobby: Lobby, key: Key) -> Iterator[bytes]:
    """The match to be watched (`replay_lines`); raises Denied. The log is read now; another thread may do the rest."""
    played = await _finished(lobby, key)
    with readable(played):
        rows = await lobby.store.history(played)
        match = await asyncio.to_thread(replayed, played, rows)
    return replay_lines(match.match.opening, rows)


async def summary(lobby: Lobby, key: Key) -> Summary:
    """Raises Denied."""
    played = await _finished(lobby, key)
    with readable(played):
        return await asyncio.to_thread(summarize, played, await lobby.store.history(played))


async def _finished(lobby: Lobby, key: Key) -> StoredMatch:
    lobby_table = await lobby.rooms.current(key)
    if lobby_table.played is None or lobby_table.state not in ("over", "abandoned"):
        raise Denied("not_over")
    return lobby_table.played


async def read_lines(store: LobbyStore, played: StoredMatch) -> bytes:
    """The match's log as JSON lines; raises Damaged."""
    # In a thread: a match may have tens of thousands of events.
    return await asyncio.to_thread(lines_of, played, await store.history(played))

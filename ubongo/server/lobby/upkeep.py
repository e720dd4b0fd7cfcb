"""Ends finished matches, closes deserted tables, archives old tables and erases old guests: all that time decides."""

from __future__ import annotations

import logging
from contextlib import suppress
from zlib import compress

from ubongo.server.clock import Timestamp
from ubongo.server.lobby.erasure import erase_guest
from ubongo.server.lobby.finished_match import read_lines
from ubongo.server.lobby.lobby import Lobby
from ubongo.server.lobby.lobby_table import LobbyTable, State
from ubongo.server.store import StoreError, Unreadable, VersionConflict
from ubongo.server.tables.room import Room
from ubongo.server.tables.stored_match import Damaged
from ubongo.table import Millis

log = logging.getLogger("ubongo.server.lobby.upkeep")

# T7: after so long without a player a match is abandoned, and a table whose match has not begun is closed.
ABANDONED = Millis(10 * 60 * 1000)
# If the last change of a table is older than this, other servers are told when everybody has left it.
NOTIFY_AFTER = Millis(60 * 1000)
# How many tables to archive and guests to erase in one run. The rest waits for the next run, in an hour.
BATCH = 10_000
# How long a closed table is kept, so that everybody who follows its link is told that it was closed.
CLOSED_FOR = Millis(10 * 60 * 1000)


async def end_finished_tables(lobby: Lobby) -> None:
    """Ends matches that are over or abandoned (T7), closes deserted tables, and frees rooms that nobody needs."""
    now, registry = lobby.clock.now(), lobby.registry
    for key in [key for key, when in registry.closed.items() if now - when >= CLOSED_FOR]:
        del registry.closed[key]
    for lobby_table in list(registry.lobby_tables.values()):
        room = lobby_table.room
        if lobby_table.idle:
            registry.remove(lobby_table.key)
        elif lobby_table.state == "gather" and _is_deserted(lobby_table, now):
            await _close_deserted(lobby, lobby_table)
        if room is None:
            continue
        ours = lobby_table.unfinished and room.match is not None and room.replication.primary
        over = room.live_match.recorded.phase == "over"
        abandoned = room.attendance.alone_since is not None and now - room.attendance.alone_since >= ABANDONED
        if ours and (over or abandoned):
            await _end_match(lobby, lobby_table, room, "over" if over else "abandoned")
        elif not room.members and not lobby_table.lock.locked() and (room.attendance.elsewhere or not ours):
            # A match stays where its players are connected; if they are nowhere, where they were last.
            await _close_room(lobby, lobby_table, room)


async def _end_match(lobby: Lobby, lobby_table: LobbyTable, room: Room, state: State) -> None:
    async with lobby_table.lock:
        if lobby_table.played is None or not lobby_table.unfinished or lobby_table.state == "closed":
            return
        room.end()
        try:
            await lobby.save(lobby_table, lobby_table.plan, state, *lobby.end_match_statements(lobby_table))
        except VersionConflict:
            # Another server has changed the table: it is looked at again in the next run.
            room.reopen()
        except Unreadable:
            # The table is damaged. Its match is in the log, for `ubongo repair`.
            lobby_table.damaged = True
            lobby.registry.withdraw(lobby_table)
        except StoreError:
            room.reopen()
            raise
        else:
            lobby_table.played = await lobby.store.match(lobby_table.played.match)


async def _close_room(lobby: Lobby, lobby_table: LobbyTable, room: Room) -> None:
    if lobby_table.unfinished and room.live_match.pending:
        return
    await lobby.rooms.close_room(lobby_table, room)
    unchanged = lobby.clock.now() - lobby_table.changed
    if lobby.cluster.shares_log and lobby_table.state == "gather" and unchanged >= NOTIFY_AFTER:
        # A change without content: on other servers, too, the time until the table is deserted begins now.
        with suppress(VersionConflict):
            await lobby.save(lobby_table, lobby_table.plan, "gather")


def _is_deserted(lobby_table: LobbyTable, now: Timestamp) -> bool:
    return not lobby_table.attended and now - max(lobby_table.changed, lobby_table.left) >= ABANDONED


async def _close_deserted(lobby: Lobby, lobby_table: LobbyTable) -> None:
    """Closes a table that has not begun, unless somebody is connected to it on another server."""
    await lobby.cluster.refresh(lobby_table.key)
    if await lobby.cluster.attended(lobby_table.key):
        return
    async with lobby_table.lock:
        if lobby_table.state == "gather" and _is_deserted(lobby_table, lobby.clock.now()):
            # On a conflict somebody has just come, or another server has closed the table.
            with suppress(VersionConflict):
                try:
                    await lobby.close(lobby_table)
                except Unreadable:
                    lobby.registry.remove(lobby_table.key)
                    lobby.registry.quarantine(lobby_table.key)


async def archive_old_tables(lobby: Lobby, keep: Millis) -> None:
    """Archives tables and erases guests that nobody has used for `keep`."""
    now = lobby.clock.now()
    await lobby.timekeeping.record_heartbeat()
    await lobby.guests.note_seen(now)
    expired = await lobby.timekeeping.expired(keep)
    for key in await lobby.store.old_tables(Timestamp(now - min(keep, CLOSED_FOR)), expired, BATCH):
        lobby_table = await lobby.registry.fetch(key)
        if lobby_table is None:
            continue
        try:
            await _archive(lobby, lobby_table, expired)
        except Damaged as problem:
            assert lobby_table.played is not None
            # It stays in the log as it is, and the others are archived. A table's key is a secret: no log has it.
            log.error("match %d cannot be archived: %s", lobby_table.played.match, problem)  # noqa: TRY400 - no fault of ours
        except Unreadable:
            # The store has logged what is damaged.
            log.error("a table cannot be archived: it is damaged")  # noqa: TRY400 - no fault of ours
    await lobby.guest_store.drop_codes(expired)
    await lobby.moderation.drop_expired(expired)
    for guest in await lobby.guest_store.unseen(expired, BATCH):
        # A guest of a damaged table cannot be erased; the others can.
        with suppress(Unreadable):
            await erase_guest(lobby, guest)


async def _is_needed(lobby: Lobby, lobby_table: LobbyTable, expired: Timestamp) -> bool:
    if lobby_table.state == "running" or (lobby_table.room is not None and lobby_table.room.members):
        return True
    recent = lobby_table.changed > expired
    if lobby_table.state != "closed" or lobby.clock.now() - lobby_table.changed < CLOSED_FOR:
        return recent
    # Its match must not be archived before the records have counted it.
    return recent and lobby_table.played is not None and not await lobby.results.is_tallied(lobby_table.played.match)


async def _archive(lobby: Lobby, lobby_table: LobbyTable, expired: Timestamp) -> None:
    async with lobby_table.lock:
        if await _is_needed(lobby, lobby_table, expired):
            return
        now = lobby.clock.now()
        with suppress(VersionConflict):
            if lobby_table.played is None:
                await lobby.store.drop_table(lobby_table.key)
            else:
                # Read again: the server that ended the match has stored where it ends.
                played = await lobby.store.match(lobby_table.played.match)
                _, lines = (await read_lines(lobby.store, played)).split(b"\n", 1)
                await lobby.store.archive(played, lobby_table.plan.holders(), compress(lines), now)
        # Last: after a failed write the table is as it was.
        lobby.registry.drop(lobby_table.key)

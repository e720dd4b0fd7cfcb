"""What becomes of tables and guests in time: ended, closed, put away, forgotten."""

from __future__ import annotations

import logging
from contextlib import suppress
from zlib import compress

from msgspec.structs import replace

from ubongo.server.errors import Denied
from ubongo.server.lobby.lobby import Lobby, retry_on_conflict
from ubongo.server.lobby.names import SOMEBODY
from ubongo.server.lobby.setup import LobbyTable, State
from ubongo.server.store import StoreError, Unreadable, VersionConflict
from ubongo.server.store.entities import Guest, Key
from ubongo.server.tables.room import Room
from ubongo.server.tables.stored_match import Damaged
from ubongo.server.tables.table_setup import SeatSetup
from ubongo.table import Millis

log = logging.getLogger("ubongo.server.lobby.upkeep")

# T7: nobody has been there for so long that nobody will come, neither to a match nor to a table that has not begun.
ABANDONED: Millis = 10 * 60 * 1000
# Other houses are told that people have left a table which last changed so long ago.
WORTH_TELLING: Millis = 60 * 1000
# Guests that are forgotten, and tables that are put away, in one go: there may be many, and more go in an hour.
AT_ONCE = 10_000
# A closed table is nobody's any more: it stays until everybody has heard of it.
CLOSED: Millis = 10 * 60 * 1000


async def end_finished_tables(lobby: Lobby) -> None:
    """Ends what is over: matches that have closed, tables that everybody has left for good (T7)."""
    now = lobby.clock.now()
    for key in [key for key, when in lobby.closed.items() if now - when >= CLOSED]:
        del lobby.closed[key]
    for lobby_table in list(lobby.lobby_tables.values()):
        room = lobby_table.room
        if lobby_table.idle:
            lobby.remove(lobby_table.key)
        elif lobby_table.state == "gather" and _deserted(lobby_table, now):
            await _close_deserted(lobby, lobby_table)
        if room is None:
            continue
        ours = lobby_table.unfinished and room.match is not None and room.replication.primary
        over = room.live_match.recorded.phase == "over"
        alone = room.attendance.alone_since is not None and now - room.attendance.alone_since >= ABANDONED
        if ours and (over or alone):
            await _end(lobby, lobby_table, room, "over" if over else "abandoned")
        elif not room.members and not lobby_table.lock.locked() and (room.attendance.elsewhere or not ours):
            # A match is kept going where people are, and if they are nowhere, where it was.
            await _clear(lobby, lobby_table, room)


async def _end(lobby: Lobby, lobby_table: LobbyTable, room: Room, state: State) -> None:
    async with lobby_table.lock:
        if lobby_table.played is None or not lobby_table.unfinished or lobby_table.state == "closed":
            return
        room.end()
        try:
            await lobby.keep(lobby_table, lobby_table.plan, state, *lobby.ending(lobby_table))
        except VersionConflict:
            # Others have changed something: it is looked at again.
            room.reopen()
        except Unreadable:
            # Its table is damaged: what was played is in the log, for whoever repairs it.
            lobby_table.damaged = True
            lobby.set_apart(lobby_table)
        except StoreError:
            room.reopen()
            raise
        else:
            lobby_table.played = await lobby.register.match(lobby_table.played.match)


async def _clear(lobby: Lobby, lobby_table: LobbyTable, room: Room) -> None:
    """Nobody is here, and nothing has to be done here: it is set up again when somebody looks."""
    if lobby_table.unfinished and room.live_match.pending:
        return
    lobby_table.room = None
    room.end()
    lobby.bot_players.look(room)
    lobby.open_tables.note(lobby_table)
    await lobby.cluster.release(lobby_table.key)
    idle = lobby.clock.now() - lobby_table.changed
    if lobby.cluster.shares_log and lobby_table.state == "gather" and idle >= WORTH_TELLING:
        # Other servers count from now on, too, until they take it for abandoned.
        with suppress(VersionConflict):
            await lobby.keep(lobby_table, lobby_table.plan, "gather")


def _deserted(lobby_table: LobbyTable, now: Millis) -> bool:
    return not lobby_table.attended and now - max(lobby_table.changed, lobby_table.left) >= ABANDONED


async def _close_deserted(lobby: Lobby, lobby_table: LobbyTable) -> None:
    """Nobody has come to this table for long, and its match has not begun."""
    await lobby.cluster.refresh(lobby_table.key)
    if await lobby.cluster.attended(lobby_table.key):
        return
    async with lobby_table.lock:
        if lobby_table.state == "gather" and _deserted(lobby_table, lobby.clock.now()):
            # Overtaken: somebody has just come, or another house has closed it.
            with suppress(VersionConflict):
                try:
                    await lobby.close(lobby_table)
                except Unreadable:
                    lobby.remove(lobby_table.key)
                    lobby.quarantine(lobby_table.key)


async def archive_old_tables(lobby: Lobby, keep: Millis) -> None:
    """What nobody has needed for so long: finished tables become compact logs, guests are forgotten."""
    now = lobby.clock.now()
    await lobby.timekeeping.beat()
    await lobby.guests.note_seen(now)
    expired = await lobby.timekeeping.expired(keep)
    for key in await lobby.register.old_tables(now - min(keep, CLOSED), expired, AT_ONCE):
        lobby_table = await lobby.fetched(key)
        if lobby_table is None:
            continue
        try:
            await _archive(lobby, lobby_table, expired)
        except Damaged as problem:
            # It stays as it is, and keeps no other where it is.
            log.error("table %s cannot be put away: %s", lobby_table.key, problem)  # noqa: TRY400 - no fault of ours
        except Unreadable:
            # That the file is damaged has been told.
            log.error("a table cannot be put away: it is damaged")  # noqa: TRY400 - no fault of ours
    await lobby.guest_store.drop_codes(expired)
    await lobby.moderation.drop_expired(expired)
    for guest in await lobby.guest_store.unseen(expired, AT_ONCE):
        # Who cannot be found everywhere stays, and keeps nobody else.
        with suppress(Unreadable):
            await forget(lobby, guest)


async def _needed(lobby: Lobby, lobby_table: LobbyTable, expired: Millis) -> bool:
    if lobby_table.state == "running" or (lobby_table.room is not None and lobby_table.room.members):
        return True
    recent = lobby_table.changed > expired
    if lobby_table.state != "closed" or lobby.clock.now() - lobby_table.changed < CLOSED:
        return recent
    # What a match came to is read where it lies.
    return recent and lobby_table.played is not None and not await lobby.results.is_tallied(lobby_table.played.match)


async def _archive(lobby: Lobby, lobby_table: LobbyTable, expired: Millis) -> None:
    async with lobby_table.lock:
        if await _needed(lobby, lobby_table, expired):
            return
        now = lobby.clock.now()
        with suppress(VersionConflict):
            if lobby_table.played is None:
                await lobby.register.drop_table(lobby_table.key)
            else:
                # Where it ends is known to who has ended it; it may have been closed before that.
                played = await lobby.register.match(lobby_table.played.match)
                _, lines = (await lobby.lines(played)).split(b"\n", 1)
                await lobby.register.archive(played, lobby_table.plan.holders(), compress(lines), now)
        # Only now: what could not be written is as it was.
        lobby.lose_sight(lobby_table.key)


async def forget(lobby: Lobby, guest: Guest) -> None:
    """A guest goes, from every table and every log: there they are somebody."""
    await lobby.cluster.refresh_all()
    for key in await lobby.register.tables_of(guest.player):
        lobby_table = await lobby.fetched(key)
        if lobby_table is None:
            continue
        await leave_for_good(lobby, lobby_table, guest)
        await _forget_at(lobby, key, guest)
    await lobby.register.forget_archived(guest.player, SOMEBODY)
    await lobby.results.forget(guest.player, SOMEBODY)
    await lobby.guests.forget(guest)


async def leave_for_good(lobby: Lobby, lobby_table: LobbyTable, guest: Guest) -> None:
    """A guest leaves a table that is not over, as a player or as a host who only watches."""
    if lobby_table.plan.seat_of(guest.player) is not None:
        if lobby_table.state in ("gather", "running"):
            with suppress(Denied):
                await lobby.leave(lobby_table.key, guest)
    elif lobby_table.plan.host == guest.player and lobby_table.state == "gather":
        await _hand_over(lobby, lobby_table.key, guest)


@retry_on_conflict
async def _hand_over(lobby: Lobby, key: Key, guest: Guest) -> None:
    with suppress(Denied):
        async with lobby.entered(key) as lobby_table:
            if lobby_table.plan.host == guest.player and lobby_table.state == "gather":
                await lobby.hand_over(lobby_table, lobby_table.plan)


@retry_on_conflict
async def _forget_at(lobby: Lobby, key: Key, guest: Guest) -> None:
    await lobby.cluster.refresh(key)
    lobby_table = await lobby.fetched(key)
    if lobby_table is None:
        # It has been put away.
        return
    async with lobby_table.lock:
        seat = lobby_table.plan.seat_of(guest.player)
        if seat is None:
            return
        plan = lobby_table.plan.with_chair(seat, SeatSetup(name=SOMEBODY))
        if lobby_table.played is None:
            await lobby.keep(lobby_table, plan, lobby_table.state)
            return
        names = [*lobby_table.played.opening.seats]
        names[seat] = SOMEBODY
        opening = replace(lobby_table.played.opening, seats=tuple(names))
        await lobby.keep(
            lobby_table,
            plan,
            lobby_table.state,
            lobby.register.replace_opening_statement(lobby_table.played.match, opening),
        )
        lobby_table.played = replace(lobby_table.played, opening=opening)
        if lobby_table.room is not None:
            lobby_table.room.forget(guest.player, SOMEBODY)
        lobby.remark(lobby_table)

"""What becomes of tables and guests in time: ended, closed, put away, forgotten."""

from __future__ import annotations

import logging
from contextlib import suppress
from zlib import compress

from msgspec.structs import replace

from ubongo.server.errors import Denied
from ubongo.server.lobby.lobby import Lobby, anew
from ubongo.server.lobby.names import SOMEBODY
from ubongo.server.lobby.setup import Chair, Sitting, State
from ubongo.server.store import Overtaken, Unreadable, Unrecorded
from ubongo.server.store.register import Guest, Key
from ubongo.server.tables.room import Room
from ubongo.server.tables.stored_match import Damaged
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


async def end_what_is_over(lobby: Lobby) -> None:
    """Ends what is over: matches that have closed, tables that everybody has left for good (T7)."""
    now = lobby.clock.now()
    for key in [key for key, when in lobby.closed.items() if now - when >= CLOSED]:
        del lobby.closed[key]
    for sitting in list(lobby.sittings.values()):
        room = sitting.room
        if sitting.idle:
            lobby.remove(sitting.key)
        elif sitting.state == "gather" and _deserted(sitting, now):
            await _close_deserted(lobby, sitting)
        if room is None:
            continue
        ours = sitting.unfinished and room.match is not None and room.replication.primary
        over = room.live_match.recorded.phase == "over"
        alone = room.alone_since is not None and now - room.alone_since >= ABANDONED
        if ours and (over or alone):
            await _end(lobby, sitting, room, "over" if over else "abandoned")
        elif not room.members and not sitting.door.locked() and (room.elsewhere or not ours):
            # A match is kept going where people are, and if they are nowhere, where it was.
            await _clear(lobby, sitting, room)


async def _end(lobby: Lobby, sitting: Sitting, room: Room, state: State) -> None:
    async with sitting.door:
        if sitting.played is None or not sitting.unfinished or sitting.state == "closed":
            return
        room.end()
        try:
            await lobby.keep(sitting, sitting.plan, state, *lobby.ending(sitting))
        except Overtaken:
            # Others have changed something: it is looked at again.
            room.reopen()
        except Unreadable:
            # Its table is damaged: what was played is in the log, for whoever repairs it.
            sitting.damaged = True
            lobby.set_apart(sitting)
        except Unrecorded:
            room.reopen()
            raise
        else:
            sitting.played = await lobby.register.match(sitting.played.match)


async def _clear(lobby: Lobby, sitting: Sitting, room: Room) -> None:
    """Nobody is here, and nothing has to be done here: it is set up again when somebody looks."""
    if sitting.unfinished and room.live_match.pending:
        return
    sitting.room = None
    room.end()
    lobby.bot_players.look(room)
    lobby.open_tables.note(sitting)
    await lobby.cluster.release(sitting.key)
    idle = lobby.clock.now() - sitting.changed
    if lobby.cluster.shares_log and sitting.state == "gather" and idle >= WORTH_TELLING:
        # Other servers count from now on, too, until they take it for abandoned.
        with suppress(Overtaken):
            await lobby.keep(sitting, sitting.plan, "gather")


def _deserted(sitting: Sitting, now: Millis) -> bool:
    return not sitting.attended and now - max(sitting.changed, sitting.left) >= ABANDONED


async def _close_deserted(lobby: Lobby, sitting: Sitting) -> None:
    """Nobody has come to this table for long, and its match has not begun."""
    await lobby.cluster.refresh(sitting.key)
    if await lobby.cluster.attended(sitting.key):
        return
    async with sitting.door:
        if sitting.state == "gather" and _deserted(sitting, lobby.clock.now()):
            # Overtaken: somebody has just come, or another house has closed it.
            with suppress(Overtaken):
                try:
                    await lobby.close(sitting)
                except Unreadable:
                    lobby.remove(sitting.key)
                    lobby.quarantine(sitting.key)


async def put_away(lobby: Lobby, keep: Millis) -> None:
    """What nobody has needed for so long: finished tables become compact logs, guests are forgotten."""
    now = lobby.clock.now()
    await lobby.timekeeping.beat()
    await lobby.guests.note_seen(now)
    expired = await lobby.timekeeping.expired(keep)
    for key in await lobby.register.old_tables(now - min(keep, CLOSED), expired, AT_ONCE):
        sitting = await lobby.fetched(key)
        if sitting is None:
            continue
        try:
            await _put_away(lobby, sitting, expired)
        except Damaged as problem:
            # It stays as it is, and keeps no other where it is.
            log.error("table %s cannot be put away: %s", sitting.key, problem)  # noqa: TRY400 - no fault of ours
        except Unreadable:
            # That the file is damaged has been told.
            log.error("a table cannot be put away: it is damaged")  # noqa: TRY400 - no fault of ours
    await lobby.register.drop_codes(expired)
    await lobby.moderation.drop_expired(expired)
    for guest in await lobby.register.unseen(expired, AT_ONCE):
        # Who cannot be found everywhere stays, and keeps nobody else.
        with suppress(Unreadable):
            await forget(lobby, guest)


async def _needed(lobby: Lobby, sitting: Sitting, expired: Millis) -> bool:
    if sitting.state == "running" or (sitting.room is not None and sitting.room.members):
        return True
    recent = sitting.changed > expired
    if sitting.state != "closed" or lobby.clock.now() - sitting.changed < CLOSED:
        return recent
    # What a match came to is read where it lies.
    return recent and sitting.played is not None and not await lobby.results.tallied(sitting.played.match)


async def _put_away(lobby: Lobby, sitting: Sitting, expired: Millis) -> None:
    async with sitting.door:
        if await _needed(lobby, sitting, expired):
            return
        now = lobby.clock.now()
        with suppress(Overtaken):
            if sitting.played is None:
                await lobby.register.drop_table(sitting.key)
            else:
                # Where it ends is known to who has ended it; it may have been closed before that.
                played = await lobby.register.match(sitting.played.match)
                _, lines = (await lobby.lines(played)).split(b"\n", 1)
                await lobby.register.archive(played, sitting.plan.holders(), compress(lines), now)
        # Only now: what could not be written is as it was.
        lobby.lose_sight(sitting.key)


async def forget(lobby: Lobby, guest: Guest) -> None:
    """A guest goes, from every table and every log: there they are somebody."""
    await lobby.cluster.refresh_all()
    for key in await lobby.register.tables_of(guest.player):
        sitting = await lobby.fetched(key)
        if sitting is None:
            continue
        await leave_for_good(lobby, sitting, guest)
        await _forget_at(lobby, key, guest)
    await lobby.register.forget_archived(guest.player, SOMEBODY)
    await lobby.results.forget(guest.player, SOMEBODY)
    await lobby.guests.forget(guest)


async def leave_for_good(lobby: Lobby, sitting: Sitting, guest: Guest) -> None:
    """A guest leaves a table that is not over, as a player or as a host who only watches."""
    if sitting.plan.seat_of(guest.player) is not None:
        if sitting.state in ("gather", "running"):
            with suppress(Denied):
                await lobby.leave(sitting.key, guest)
    elif sitting.plan.host == guest.player and sitting.state == "gather":
        await _hand_over(lobby, sitting.key, guest)


@anew
async def _hand_over(lobby: Lobby, key: Key, guest: Guest) -> None:
    with suppress(Denied):
        async with lobby.entered(key) as sitting:
            if sitting.plan.host == guest.player and sitting.state == "gather":
                await lobby.hand_over(sitting, sitting.plan)


@anew
async def _forget_at(lobby: Lobby, key: Key, guest: Guest) -> None:
    await lobby.cluster.refresh(key)
    sitting = await lobby.fetched(key)
    if sitting is None:
        # It has been put away.
        return
    async with sitting.door:
        seat = sitting.plan.seat_of(guest.player)
        if seat is None:
            return
        plan = sitting.plan.with_chair(seat, Chair(name=SOMEBODY))
        if sitting.played is None:
            await lobby.keep(sitting, plan, sitting.state)
            return
        names = [*sitting.played.opening.seats]
        names[seat] = SOMEBODY
        opening = replace(sitting.played.opening, seats=tuple(names))
        await lobby.keep(sitting, plan, sitting.state, lobby.register.rewriting(sitting.played.match, opening))
        sitting.played = replace(sitting.played, opening=opening)
        if sitting.room is not None:
            sitting.room.forget(guest.player, SOMEBODY)
        lobby.remark(sitting)

"""What becomes of tables and guests in time: ended, put away, forgotten."""

from __future__ import annotations

from zlib import compress

from msgspec.structs import replace

from ubongo.server.identity import SOMEBODY
from ubongo.server.lobby import Lobby
from ubongo.server.log.register import Guest
from ubongo.server.sitting import Chair
from ubongo.table import Millis

# T7: nobody has been there for so long that nobody will come.
ABANDONED: Millis = 10 * 60 * 1000
# Guests that are forgotten in one go: there may be many, and another one comes in an hour.
AT_ONCE = 10_000


async def end_what_is_over(lobby: Lobby) -> None:
    """Ends what is over: matches that have closed, tables that everybody has left for good (T7)."""
    now = lobby.clock.now()
    for sitting in list(lobby.sittings.values()):
        room = sitting.room
        if room is None or sitting.played is None or room.match is None:
            continue
        over = room.recorded.phase == "over"
        alone = room.alone_since is not None and now - room.alone_since >= ABANDONED
        if sitting.played.upto is not None:
            if not room.members:
                # It is set up again when somebody looks.
                sitting.room = None
            continue
        if not (over or alone):
            continue
        async with sitting.door:
            if sitting.played.upto is None:
                room.end()
                await lobby.register.close_match(sitting.played.match, now)
                await lobby.keep(sitting, sitting.plan, "over" if over else "abandoned")
                sitting.played = await lobby.register.match(sitting.played.match)


async def put_away(lobby: Lobby, keep: Millis) -> None:
    """What nobody has needed for so long: finished tables become compact logs, guests are forgotten."""
    now = lobby.clock.now()
    old = [one for one in lobby.sittings.values() if now - one.changed >= keep and one.state != "running"]
    for sitting in old:
        if sitting.room is not None and sitting.room.members:
            continue
        lobby.sittings.pop(sitting.key, None)
        if sitting.played is None:
            await lobby.register.drop_table(sitting.key)
        else:
            _, lines = (await lobby.lines(sitting.played)).split(b"\n", 1)
            await lobby.register.archive(sitting.played, sitting.plan.holders(), compress(lines), now)
    await lobby.guests.note_seen(now)
    seated = {chair.player for one in lobby.sittings.values() for chair in one.plan.chairs}
    await lobby.register.drop_codes(now)
    for guest in await lobby.register.unseen(now - keep, AT_ONCE):
        if guest.player not in seated:
            await forget(lobby, guest)


async def forget(lobby: Lobby, guest: Guest) -> None:
    """A guest goes, from every table and every log: there they are somebody."""
    for sitting in list(lobby.sittings.values()):
        seat = sitting.plan.seat_of(guest.player)
        if seat is None:
            if sitting.plan.host == guest.player and sitting.state == "gather":
                async with sitting.door:
                    await lobby.hand_over(sitting, sitting.plan)
            continue
        if sitting.state in ("gather", "running"):
            await lobby.leave(sitting.key, guest)
        async with sitting.door:
            seat = sitting.plan.seat_of(guest.player)
            if seat is not None and sitting.played is not None:
                names = [*sitting.played.opening.seats]
                names[seat] = SOMEBODY
                opening = replace(sitting.played.opening, seats=tuple(names))
                await lobby.register.rewrite(sitting.played.match, opening)
                sitting.played = replace(sitting.played, opening=opening)
                await lobby.keep(sitting, sitting.plan.with_chair(seat, Chair(name=SOMEBODY)), sitting.state)
                if sitting.room is not None:
                    sitting.room.forget(guest.player, SOMEBODY)
                    sitting.room.remark(**sitting.plan.facts())
    await lobby.register.forget_archived(guest.player, SOMEBODY)
    await lobby.results.forget(guest.player, SOMEBODY)
    await lobby.guests.forget(guest)

"""Every table that there is: known, opened when somebody asks for it, and shown as others have changed it.

In memory are those that are not over, and those that are over while somebody looks at them.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Protocol

import msgspec

from ubongo.game import BadOptions
from ubongo.material import BadEdition
from ubongo.server.clock import Clock
from ubongo.server.errors import Denied
from ubongo.server.lobby.cluster_port import Cluster
from ubongo.server.lobby.open_tables import OpenTables, TableLimits
from ubongo.server.lobby.setup import Plan, Sitting, State
from ubongo.server.protocol import Reaction
from ubongo.server.store import Entry, Log, Unreadable, Unrecorded
from ubongo.server.store.register import Kept, Key, Register, decoded
from ubongo.server.tables.live_match import LiveMatch
from ubongo.server.tables.pending_append import PendingAppend
from ubongo.server.tables.room import Room
from ubongo.server.tables.stored_match import Damaged, Replayed, history_in, match_of, readable, replayed
from ubongo.table import Millis

log = logging.getLogger("ubongo.server.lobby.registry")


class BotPlayers(Protocol):
    """What the registry needs of the bots: `ubongo.server.lobby.bot_seats`."""

    def look(self, room: Room) -> None:
        """Something has changed at this table."""

    def expect(self, game: str) -> None:
        """Somebody is gathering for this game."""


class TableRegistry:
    """All tables, and the room of each that is open here."""

    def __init__(
        self,
        clock: Clock,
        log: Log,
        limits: TableLimits,
        bot_players: BotPlayers,
        cluster: Cluster,
        broadcast_took: Callable[[float], None],
    ) -> None:
        self._broadcast_took = broadcast_took
        self.bot_players = bot_players
        self.cluster = cluster
        self.clock = clock
        self.log = log
        self.register = Register(log)
        self.sittings: dict[Key, Sitting] = {}
        self.open_tables = OpenTables(limits)
        # Running tables that nobody can come to: without their edition, or damaged.
        self.apart: dict[Key, Sitting] = {}
        # Tables of which not even who sits there can be read.
        self.quarantined: set[Key] = set()
        # Tables that were closed, and when: whoever still comes there has not guessed.
        self.closed: dict[Key, Millis] = {}

    # Waking up

    async def open(self) -> None:
        """Every table as it was; a running match that nobody serves goes on at once. The log has been started."""
        now = self.clock.now()
        tables, damaged = await self.register.open_tables()
        for kept in tables:
            try:
                sitting = _sitting_of(kept)
            except Unreadable:
                damaged.append(kept.key)
                continue
            # However long the server was down, whoever was here has time to come back.
            sitting.left = now
            self.place(sitting)
        self.quarantine(*damaged)
        await self.adopt()

    async def adopt(self) -> None:
        """Matches that were left alone go on here."""
        while keys := await self.cluster.adopt(self._not_open()):
            await self._go_on(keys)

    def _not_open(self) -> list[Key]:
        return [one.key for one in self.sittings.values() if one.unfinished and one.room is None]

    async def _go_on(self, keys: Sequence[Key]) -> None:
        sittings = [self.sittings[key] for key in keys if key in self.sittings]
        running = [one for one in sittings if one.room is None and one.unfinished]
        histories = await self.register.histories([one.played for one in running if one.played is not None])
        for sitting in running:
            assert sitting.played is not None
            if sitting.room is not None:
                # Somebody came while it was read.
                continue
            sitting.state = "running"
            room = self._new_room(sitting)
            try:
                was = replayed(sitting.played, history_in(histories, sitting.played.match))
                room.resume(was.match, sitting.plan.holders(), was.table, was.version, was.last)
            except (BadOptions, BadEdition, Damaged) as problem:
                # It stays in the log as it is, for when its edition is back, or somebody has mended it.
                log.error("match %d cannot go on: %s", sitting.played.match, problem)  # noqa: TRY400 - no fault of ours
                sitting.damaged = isinstance(problem, Damaged)
                self.set_apart(sitting)
            except Exception:
                # A bug of ours keeps one match from going on, and no other.
                log.exception("match %d cannot go on", sitting.played.match)
                sitting.broken = True
                self.set_apart(sitting)
            else:
                sitting.room = room

    def quarantine(self, *keys: Key) -> None:
        """Nobody can come to these tables, since they are damaged; the others go on."""
        new = set(keys) - self.quarantined
        if new:
            # Who knows a table's key can come to it: it is not for the log.
            log.error("tables that are damaged, so that nobody can come there: %d", len(new))
            self.quarantined |= new

    def _new_room(self, sitting: Sitting) -> Room:
        room = Room(
            self.clock,
            self.log,
            sitting.gathering(),
            sitting.plan.holders(),
            sitting.key,
            listener=self,
            replicate=self.cluster.replicate,
            host=sitting.plan.host,
            owner=sitting.address,
        )
        room.broadcast.facts = sitting.plan.facts(room.facts)
        if sitting.state in ("gather", "running"):
            self.bot_players.expect(sitting.plan.game)
        return room

    # What rooms report

    def room_changed(self, room: Room) -> None:
        self.bot_players.look(room)
        if room.live_match.recorded.phase == "over" and room.key in self.open_tables:
            self.sitting(room.key)

    def attendance_changed(self, room: Room) -> None:
        self.cluster.attendance_changed(room)
        sitting = self.sittings.get(room.key)
        if sitting is not None:
            if not room.members:
                sitting.left = self.clock.now()
            self.open_tables.note(sitting)

    def reacted(self, room: Room, reaction: Reaction) -> None:
        self.cluster.relay(room, reaction)

    # What the log reports

    def recorded(self, entries: Sequence[Entry]) -> None:
        for live_match, appends in _by_match(entries).items():
            try:
                live_match.committed(appends)
            except Exception:
                # One table that cannot be broadcast must not keep the others from it.
                log.exception("what was recorded could not be broadcast")
            self._broadcast_took((self.clock.now() - appends[0].accepted) / 1000)
            self.cluster.publish(live_match.key, live_match.version)

    def lost(self, entries: Sequence[Entry], problem: Unrecorded) -> None:
        for live_match, appends in _by_match(entries).items():
            live_match.lost(appends, problem)

    # Looking

    def sitting(self, key: Key) -> Sitting:
        """As it is known here."""
        found = self.sittings.get(key)
        if found is None:
            if key in self.quarantined:
                raise Denied("damaged")
            apart = self.apart.get(key)
            raise Denied("no_such_table") if apart is None else apart.refusal()
        if found.state == "running" and found.room is not None and found.room.live_match.recorded.phase == "over":
            found.state = "over"
            self.open_tables.note(found)
        return found

    def known(self, key: Key) -> Sitting | None:
        """Whether anybody can come to it or not."""
        return self.sittings.get(key) or self.apart.get(key)

    def was_there(self, key: Key) -> bool:
        """Whether there is such a table, or was until a moment ago."""
        return self.known(key) is not None or key in self.closed or key in self.quarantined

    async def fetched(self, key: Key) -> Sitting | None:
        """A table that need not be in memory; it may have been closed."""
        if (known := self.known(key)) is not None:
            return known
        try:
            kept = await self.register.table(key)
            if kept is None:
                return None
            # Somebody else may have asked for it meanwhile.
            if (known := self.known(key)) is not None:
                return known
            sitting = _sitting_of(kept)
        except Unreadable:
            self.quarantine(key)
            return None
        if sitting.state == "closed":
            self.closed.setdefault(key, sitting.changed)
        else:
            self.place(sitting)
        return sitting

    def place(self, sitting: Sitting) -> None:
        """A table that is new here."""
        self.sittings[sitting.key] = sitting
        self.open_tables.note(sitting)

    def set_apart(self, sitting: Sitting) -> None:
        """Nobody can come there any more."""
        self.remove(sitting.key)
        if sitting.state == "closed":
            self.closed[sitting.key] = sitting.changed
        else:
            self.apart[sitting.key] = sitting
        room, sitting.room = sitting.room, None
        if room is not None:
            room.shut()

    def remove(self, key: Key) -> None:
        """From memory."""
        self.sittings.pop(key, None)
        self.open_tables.drop(key)

    async def current(self, key: Key) -> Sitting:
        """As it is, whoever has changed it."""
        await self.cluster.refresh(key)
        await self.fetched(key)
        if self.sitting(key).state == "running":
            # Only the match itself says whether it is over.
            await self._opened(self.sitting(key))
        return self.sitting(key)

    async def room(self, key: Key) -> Room:
        """The room of a table, which is set up when somebody looks."""
        return await self._opened(await self.current(key))

    async def _opened(self, sitting: Sitting) -> Room:
        if sitting.room is not None:
            return sitting.room
        sitting.awaited += 1
        try:
            return await self._set_up_once(sitting)
        finally:
            sitting.awaited -= 1

    async def _set_up_once(self, sitting: Sitting) -> Room:
        alone = await self.cluster.serve(sitting.key)
        try:
            was = await self._replayed(sitting)
            # Whoever else waited for it may have been quicker.
            if sitting.room is None:
                sitting.room = self._set_up(sitting, was, alone)
        except (Denied, Unrecorded) as problem:
            if isinstance(problem, Denied) and sitting.playing and sitting.room is None:
                # It has been said in the log: whoever comes next is only told.
                sitting.damaged = problem.code == "damaged"
                self.set_apart(sitting)
            if sitting.room is None:
                await self.cluster.release(sitting.key)
            raise
        return sitting.room

    async def _replayed(self, sitting: Sitting) -> Replayed | None:
        """Its match, if it has one, as it is kept at the end of that: somebody may be forgotten meanwhile."""
        was = read = None
        while sitting.played is not None and sitting.played != read:
            read = sitting.played
            with readable(read):
                history = await self.register.history(read)
                was = await asyncio.to_thread(replayed, read, history)
        if sitting.state == "closed":
            raise Denied("no_such_table")
        return was

    def _set_up(self, sitting: Sitting, was: Replayed | None, interrupted: bool) -> Room:
        room = self._new_room(sitting)
        if was is not None:
            if sitting.state != "running":
                room.end()
            room.resume(was.match, sitting.plan.holders(), was.table, was.version, was.last, interrupted)
        return room

    async def public(self, skip: int, most: int) -> list[Sitting]:
        """Some of those that everybody may join or watch, the best to join first."""
        await self.cluster.refresh_all()
        return [self.sittings[key] for key in self.open_tables.public(skip, most)]

    # What others have agreed on

    def bring(self, kept: Kept) -> None:
        """A table as it is kept now: what is different is told to whoever is at it here."""
        sitting = self.known(kept.key)
        if sitting is not None and (kept.changed <= sitting.changed or sitting.door.locked()):
            # What is being changed here just now will show whether it stands; this is seen again then.
            return
        if sitting is None or sitting.key in self.apart:
            self.apart.pop(kept.key, None)
            if kept.state == "closed":
                self.closed[kept.key] = kept.changed
            elif kept.state in ("gather", "running"):
                self.place(_sitting_of(kept))
            return
        now = _sitting_of(kept)
        sitting.plan, sitting.state, sitting.changed, sitting.played = now.plan, now.state, now.changed, now.played
        state = now.state
        if state == "closed":
            self.set_apart(sitting)
            return
        self.open_tables.note(sitting)
        if sitting.room is not None:
            self._show(sitting, sitting.room)

    def lose_sight(self, key: Key) -> None:
        """That table has been put away."""
        sitting = self.known(key)
        if sitting is not None:
            self.set_apart(sitting)
        self.apart.pop(key, None)
        self.closed.pop(key, None)

    def _show(self, sitting: Sitting, room: Room) -> None:
        plan = sitting.plan
        if room.match is None and sitting.played is not None:
            room.broadcast.facts = plan.facts(room.facts)
            try:
                room.join(match_of(sitting.played), plan.holders())
            except (BadOptions, BadEdition):
                # It is played where its edition is.
                room.shut()
        elif sitting.state == "gather":
            room.arrange(sitting.gathering(), plan.holders())
        else:
            for held, chair in zip(room.broadcast.holders, plan.chairs, strict=True):
                if held is not None and chair.player is None:
                    room.forget(held, chair.name)
        if sitting.state not in ("gather", "running"):
            room.end()
        self.remark(sitting)

    def remark(self, sitting: Sitting) -> None:
        """What the lobby knows of a table is told to those at it, where it is not as they know it."""
        room = sitting.room
        if room is not None:
            room.host = sitting.plan.host
            room.send_facts(sitting.plan.facts(room.facts))


def _sitting_of(kept: Kept) -> Sitting:
    """Or Unreadable."""
    with decoded("a table"):
        plan, state = msgspec.json.decode(kept.body, type=Plan), msgspec.convert(kept.state, State)
    return Sitting(kept.key, plan, state, kept.changed, kept.played)


def _by_match(entries: Sequence[Entry]) -> dict[LiveMatch, list[PendingAppend]]:
    """Several appends of one match in one commit are one update."""
    matches: dict[LiveMatch, list[PendingAppend]] = {}
    for entry in entries:
        assert isinstance(entry, PendingAppend)
        matches.setdefault(entry.live_match, []).append(entry)
    return matches

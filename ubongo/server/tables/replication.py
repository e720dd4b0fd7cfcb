"""A match to which other houses write too: what they have written is read and told, and whoever was late plays anew."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from ubongo.evolve import replay
from ubongo.moves import Back, Move, Refused
from ubongo.server import protocol
from ubongo.server.clock import Clock
from ubongo.server.store import Appends, Overtaken, Row, Unrecorded
from ubongo.server.store.register import events_of
from ubongo.server.tables.live_match import Course
from ubongo.server.tables.pending_append import Happening, Match
from ubongo.server.tables.update import Told
from ubongo.table import Instant, SeatNo, Table


class Following(Course):
    """A course that reads on when it was overtaken. Until that is read, whoever asks something waits."""

    def __init__(self, clock: Clock, log: Appends, table: Table, holders: Sequence[str | None], key: str) -> None:
        super().__init__(clock, log, table, holders, key)
        # Somebody who reads on in the log, and comes back with `follow`.
        self.read_on: Callable[[Following], None] = lambda _: None
        self._behind: list[Happening] | None = None
        # How far others are, as they say.
        self._heard = 0
        # Who waits until something more is known here.
        self._turn: asyncio.Future[None] | None = None

    @property
    def up_to_date(self) -> bool:
        """Whether nothing is left to be read of what others have written."""
        return self._behind is None

    def judge(self, match: Match, seat: SeatNo, move: Move) -> Happening:
        if self._behind is None:
            return super().judge(match, seat, move)
        waiting = Happening(self, match.number, self.version, [], self.recorded, self.version, [])
        self._behind.append(waiting)
        return waiting

    def due(self) -> None:
        if self._behind is None:
            super().due()

    def skip_to(self, to: Instant) -> None:
        if self._behind is None:
            super().skip_to(to)

    def tell(self, happenings: Sequence[Happening]) -> None:
        super().tell(happenings)
        if self._heard > self.version:
            self.hear(self._heard)
        self._take_turn()

    def lose(self, happenings: Sequence[Happening], problem: Exception) -> None:
        """Who was only overtaken is answered when what has overtaken them is read."""
        if not isinstance(problem, Overtaken):
            super().lose(happenings, problem)
            self._take_turn()
            return
        self.fall_back()
        if self._behind is not None:
            self._behind += happenings
        else:
            self.fall_behind(happenings)

    def fall_behind(self, waiting: Sequence[Happening] = ()) -> None:
        """Others have written to this match: until that is read nothing can be judged."""
        self.silence()
        self._behind = list(waiting)
        self.read_on(self)

    def hear(self, version: int) -> None:
        """Somebody says that the match is that far."""
        self._heard = max(self._heard, version)
        # What is on its way to the log will show by itself whether it comes too late.
        on_its_way = self._behind is not None or self.head_version != self.version
        if self.match is not None and not on_its_way and version > self.version:
            self.read_on(self)

    async def catch_up(self) -> None:
        """Until all is told that was heard of: who comes from another house has seen it, and is not led back.

        Unrecorded, if it cannot be read.
        """
        wanted = self._heard
        # It may turn out not to be there.
        while self.version < min(wanted, self._heard):
            self.hear(wanted)
            self._turn = self._turn or asyncio.get_running_loop().create_future()
            await asyncio.shield(self._turn)

    def _take_turn(self, problem: Unrecorded | None = None) -> None:
        turn, self._turn = self._turn, None
        if turn is None:
            return
        if problem is None:
            turn.set_result(None)
        else:
            turn.set_exception(problem)

    def follow(self, history: Sequence[Row] | None) -> None:
        """What others have written to this match is told here too, and whoever waited for it is answered anew.

        None: it cannot be read.
        """
        if self._behind is None and self.head_version != self.version:
            # Something of ours is on its way, which may be among these rows or stand against them: its answer will say.
            return
        rows = [row for row in history or () if row.version > self.version]
        waiting, self._behind = self._behind, None
        problem = Unrecorded("the log cannot be followed")
        if history is not None and not rows:
            # What was heard of is not there: to look for it after every move would be to look for ever.
            self._heard = self.version
        if rows:
            self._follow(rows)
            for lost in waiting or ():
                self._again(lost)
            self._say_who_is_here()
            self.onlooker(self)
            if self._heard > self.version:
                self.hear(self._heard)
        elif waiting is not None:
            # It is not to be had, or it is no longer there: to ask again at once would be to ask for ever.
            self.refuse(waiting, problem)
        self._take_turn(problem if history is None else None)

    def _follow(self, rows: Sequence[Row]) -> None:
        before = self.told
        events = [event for row in rows for event in events_of(row)]
        self.head = self.recorded = self.told = self.nameless(replay(self.recorded, events))
        self.head_version = self.version = rows[-1].version
        self.last = rows[-1].at
        if before.phase == "gather":
            self.welcome_all()
        elif self.members:
            alone = rows[0].events if len(rows) == 1 else None
            self.update(Told(before, self.told, events, alone), {})
        self.wait_for(self.head.until)

    def _say_who_is_here(self) -> None:
        for seat in {member.seat for member in self.members}:
            if seat is not None and not self.head.seats[seat].present:
                # Whoever wrote that has not seen them.
                self.say(seat, Back())

    def _again(self, lost: Happening) -> None:
        """By the table as it is now; what happens by itself has happened, or will when it is due."""
        try:
            if lost.move is not None:
                again = self.play(lost.seat, lost.move)
                again.asker, again.n, again.waiting = lost.asker, lost.n, lost.waiting
                return
        except Refused as no:
            if lost.asker in self.members:
                lost.asker.send(protocol.declined(lost.n, no))
        if lost.waiting is not None and not lost.waiting.done():
            lost.waiting.set_result(None)

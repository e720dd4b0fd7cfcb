"""A table on a virtual clock, without disk or sockets: for `referee`, `simulate` and the conformance kit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ubongo.chance import Chance
from ubongo.game import Game, Happenings, opened, play, run_until_quiet, settle
from ubongo.match_file import EventLine
from ubongo.moves import Move
from ubongo.table import Instant, Options, SeatNo, Table


class VirtualTable:
    """The caller sets the time, which never goes back. `log` starts with what the opening causes."""

    def __init__(
        self,
        game: Game,
        names: Sequence[str],
        options: Options,
        seed: str,
        bots: Mapping[SeatNo, str] | None = None,
    ) -> None:
        self.game = game
        self.chance = Chance(seed)
        self.now = Instant(0)
        self.log: list[EventLine] = []
        self.opening = self.table = opened(game, names, options, seed, bots)
        happened: Happenings = []
        table = run_until_quiet(game, self.table, Instant(0), self.chance, happened)
        self._record(table, happened)

    def pass_to(self, now: Instant) -> list[EventLine]:
        """Lets time pass, and returns what happened by itself."""
        assert now >= self.now
        self.now = now
        happened: Happenings = []
        table = settle(self.game, self.table, now, self.chance, happened)
        return self._record(table, happened)

    def ask(self, seat: SeatNo, move: Move, now: Instant) -> list[EventLine]:
        """Plays a move; raises Refused. What was due before it stays in the log even then."""
        before = self.pass_to(now)
        table, happened = play(self.game, self.table, seat, move, now, self.chance)
        return before + self._record(table, happened)

    def _record(self, table: Table, happened: Happenings) -> list[EventLine]:
        first = len(self.log) + 1
        lines = [EventLine(at, version, event) for version, (at, event) in enumerate(happened, first)]
        self.log += lines
        self.table = table
        return lines

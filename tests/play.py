"""Playing in tests: a table with short methods for moves and time, and the solutions of tasks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any, TypeVar, cast

import msgspec

from ubongo import layout, moves
from ubongo.events import AnyEvent, Event, GemMoved
from ubongo.evolve import replay
from ubongo.games import GAMES
from ubongo.lattice import CUBIC, HEX, SQUARE, corner, minus, plus
from ubongo.match_file import EventLine
from ubongo.moves import Call, Move, Place, Ready, Refused, Throw
from ubongo.pieces import Piece, Placement
from ubongo.table import Gem, Instant, Seat, SeatNo, Spot, Table, Task
from ubongo.tiling import Puzzle, solutions
from ubongo.virtual import VirtualTable

NAMES = ("Ann", "Bo", "Cy", "Di")
LATTICES = {"extreme": HEX, "cubes": CUBIC, "dice": SQUARE}
E = TypeVar("E", bound=Event)


@lru_cache(4096)
def _filling(lattice: str, region: tuple[tuple[int, ...], ...], pieces: tuple[Piece, ...]) -> tuple[Placement, ...]:
    filling = next(solutions(Puzzle(lattice, region, tuple(piece.shapes[0] for piece in pieces))))
    found = []
    for laid in filling:
        low = corner(laid.cells)
        shape = tuple(sorted(minus(cell, low) for cell in laid.cells))
        turns = [tuple(sorted(shape)) for shape in pieces[laid.piece].shapes]
        found.append(Placement(laid.piece, turns.index(shape), low))
    return tuple(found)


@lru_cache(4096)
def _seven(cards: tuple[Piece, ...]) -> tuple[Placement, ...]:
    found = layout.seven(cards)
    assert found is not None, "no seven of these nine can be laid"
    return found


def lays(game: str, task: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every move that lays the first piece of a task on an empty area, as JSON."""
    if task["region"] is None:
        yield {"type": "place", "piece": 0, "turn": 0, "at": [0, 0]}
        return
    region = set(map(tuple, task["region"]))
    shapes = GAMES[game].pieces(GAMES[game].OPTIONS())[task["pieces"][0]].shapes
    for turn, shape in enumerate(shapes):
        for cell in sorted(region):
            at = minus(cell, shape[0])
            if all(plus(at, one) in region for one in shape):
                yield {"type": "place", "piece": 0, "turn": turn, "at": list(at)}


def replayed(opening: Table, log: Iterable[EventLine]) -> Table:
    """The table that results from a log, without rules or randomness."""
    return replay(opening, [line.event for line in log])


def solution(game: str, pieces: Sequence[Piece], task: Task) -> tuple[Placement, ...]:
    """How a task is solved: an area's filling, or seven of nine cards."""
    if task.region is None:
        return _seven(tuple(pieces))
    return _filling(LATTICES.get(game, HEX).name, task.region, tuple(pieces))


class Match:
    """A table whose clock the test controls, and whose events can be looked up.

    It takes seats and times as plain integers, so that tests stay readable.
    """

    def __init__(
        self, game: str, seats: int = 2, seed: str = "abc", bots: dict[int, str] | None = None, **options: object
    ) -> None:
        self.game = GAMES[game]
        chosen = msgspec.convert(options, self.game.OPTIONS)
        self.virtual = VirtualTable(self.game, NAMES[:seats], chosen, seed, cast("dict[SeatNo, str] | None", bots))

    @property
    def table(self) -> Table:
        return self.virtual.table

    @property
    def now(self) -> Instant:
        return self.virtual.now

    @property
    def log(self) -> list[EventLine]:
        return self.virtual.log

    def seat(self, number: int) -> Seat:
        return self.table.seats[number]

    def wait(self, time: int) -> list[AnyEvent]:
        """Advances the clock by so many milliseconds."""
        return [line.event for line in self.virtual.pass_to(Instant(self.now + time))]

    def until(self) -> list[AnyEvent]:
        """Advances the clock to the next timed event."""
        assert self.table.until is not None
        return self.wait(self.table.until - self.now)

    def ask(self, seat: int, move: Move, after: int = 0) -> list[AnyEvent]:
        return [line.event for line in self.virtual.ask(SeatNo(seat), move, Instant(self.now + after))]

    def refused(self, seat: int, move: Move, after: int = 0) -> str:
        """The code of the refusal of a move, which must leave the table unchanged."""
        self.wait(after)
        before = self.table
        try:
            self.ask(seat, move)
        except Refused as no:
            assert self.table is before
            return no.code
        raise AssertionError(f"{move} was not refused")

    def pieces(self, seat: int) -> list[Piece]:
        task = self.seat(seat).task
        assert task is not None
        known = self.game.pieces(self.table.options)
        return [known[str(name)] for name in task.pieces]

    def solution(self, seat: int) -> list[Place]:
        task = self.seat(seat).task
        assert task is not None
        name = getattr(self.table.options, "of", self.game.NAME)
        return [Place(one.piece, one.turn, one.at) for one in solution(name, self.pieces(seat), task)]

    def begin(self) -> None:
        """Throws if necessary, makes all seats ready, and waits for the start."""
        if self.table.phase == "throw":
            assert self.table.roller is not None
            self.ask(self.table.roller, Throw())
        for number, seat in enumerate(self.table.seats):
            if self.table.phase == "ready" and seat.task is not None and not seat.ready and not seat.gone:
                self.ask(number, Ready())
        if self.table.phase == "count":
            self.until()

    def solve(self, seat: int, after: int = 0) -> list[AnyEvent]:
        """Lays the solution, and calls unless the table does so automatically."""
        *most, last = self.solution(seat)
        self.wait(after)
        for where in most:
            self.ask(seat, where)
        happened = self.ask(seat, last)
        if not any(type(event).__name__ == "Called" for event in happened):
            happened += self.ask(seat, Call())
        return happened

    def sand(self) -> list[AnyEvent]:
        """Waits until the round is over, through both glasses if need be."""
        number = self.table.round
        happened: list[AnyEvent] = []
        while self.table.phase == "play" and self.table.round == number:
            happened += self.until()
        return happened

    def happened(self, kind: type[E]) -> list[E]:
        return [line.event for line in self.log if isinstance(line.event, kind)]

    def rounds(self, number: int) -> Iterator[int]:
        """Begins each of so many rounds of a race."""
        for _ in range(number):
            self.begin()
            yield self.table.round


def gems(match: Match) -> dict[str, int]:
    """The number of gems of each kind on the table."""
    table = match.table
    return Counter([*table.display, *table.bag, *(gem for seat in table.seats for gem in seat.gems)])


def moved(events: Sequence[Event]) -> list[tuple[Spot, Spot]]:
    """Source and target of each gem that moved."""
    return [(event.source, event.target) for event in events if isinstance(event, GemMoved)]


# X14, Q17: the sheets' example, worth 16.
COLLECTION: tuple[Gem, ...] = ("ruby", "sapphire", "emerald", "emerald", "emerald", "amber", "amber", "amber")


ALL_MOVES: tuple[Move, ...] = (
    moves.Ready(), moves.Place(0, 0, (0, 0)), moves.Lift(0), moves.Call(), moves.Throw(), moves.Grab(0), moves.Pass(),
    moves.Stop(), moves.SetAside(), moves.Hint(), moves.Claim(), moves.Claim(7), moves.TakeBack(), moves.TurnBack(),
    moves.Skip(), moves.SpeedUp(), moves.Leave(), moves.GoAway(), moves.ComeBack(),
)  # fmt: skip

"""Events as sentences, round by round and with pictures: for `replay` and the terminal.

A story leaves out each piece laid or lifted, and who was ready. It draws the final layouts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ubongo import events, layout, picture
from ubongo.events import Event
from ubongo.evolve import evolve
from ubongo.games import GAMES
from ubongo.lattice import CUBIC, HEX, SQUARE, Lattice
from ubongo.pieces import Piece, Placement, covered
from ubongo.table import Instant, Millis, Options, RoundResult, SeatNo, Table, Task
from ubongo.words import printed, told

LATTICES: dict[str, Lattice] = {"dice": SQUARE, "extreme": HEX, "cubes": CUBIC}
WIDEST = 60
Sentences = Iterator[str]


def drawn(game: str, options: Options, task: Task, laid: Sequence[Placement]) -> list[str]:
    """The picture of a layout as lines; of a hand of cards only those that lie."""
    known = GAMES[game].pieces(options)
    pieces = [known[str(name)] for name in task.pieces]
    names = picture.names(len(pieces))
    if task.region is None:
        return _cards(pieces, laid, names)
    lying = {names[where.piece]: covered(pieces[where.piece], where) for where in laid}
    return picture.draw(LATTICES[getattr(options, "of", game)], task.region, lying).splitlines()


def _cards(pieces: Sequence[Piece], laid: Sequence[Placement], names: Sequence[str]) -> list[str]:
    """Cards may lie anywhere on an endless grid: those that are too far apart to draw are listed."""
    if not laid:
        return []
    if any(max(axis) - min(axis) > WIDEST for axis in zip(*[where.at for where in laid], strict=True)):
        return [f"{names[where.piece]}: {where.at}" for where in laid]
    return layout.draw(pieces, laid).splitlines()


def clock(at: Instant | Millis) -> str:
    """Minutes and seconds.

    >>> clock(Millis(75_400))
    '1:15'
    """
    return f"{at // 60_000}:{at // 1000 % 60:02}"


class Story:
    """Follows a match from its opening on, and tells it an event at a time."""

    def __init__(self, opening: Table, language: str = "en") -> None:
        self.table = opening
        self._language = language
        # In solo play, the game that is played.
        self._of = getattr(opening.options, "of", opening.game)

    def opening(self) -> Sentences:
        yield self._said(f"table_{self.table.game}")
        yield self._said("seats", names=", ".join(seat.name for seat in self.table.seats))
        yield from self._heading()

    def tell(self, at: Instant, event: Event) -> Sentences:
        """What there is to say of an event; often nothing. A sentence comes with its time, a picture indented."""
        before, self.table = self.table, evolve(self.table, event)
        for sentence in self._sentences(before, event):
            yield f"{clock(at):>6}  {sentence}"
        match event:
            case events.RoundClosed():
                yield from self._layouts()
            case events.RoundOpened():
                yield from self._heading()
            case events.MatchClosed():
                yield from self._end()

    def _sentences(self, before: Table, event: Event) -> Sentences:  # noqa: C901, PLR0912 - a case each
        match event:
            case events.Dealt(seat, task) if task is not None:
                yield self._dealt(seat, task)
            case events.Thrown(values):
                yield self._thrown(values)
            case events.Started() if self.table.game != "solo":
                yield self._said("started")
            case events.GlassTurned(1):
                yield self._said("glass" if before.glass is None else "turned_back")
            case events.GlassTurned():
                yield self._said("second_chance")
            case events.Grabbed(seat, die):
                yield self._said("grabbed", seat, face=before.dice[die].face)
            case events.Called(seat) if self.table.area is not None:
                yield self._said("filled", seat)
            case events.Called(seat):
                yield self._said("called", seat)
            case events.Counted(seat, cards):
                yield self._said("counted", seat, cards=cards)
            case events.TakenBack(seat):
                yield self._said("taken_back", seat)
            case events.GemMoved(gem, int(seat), target):
                yield self._said(f"back_to_{target}", SeatNo(seat), gem=gem)
            case events.Stopped(seat):
                yield self._said("stopped", seat)
            case events.GemMoved(gem, "display", "bag"):
                yield self._said("cleared", gem=gem)
            case events.GemMoved(gem, source, int(seat)):
                yield self._said(f"from_{source}", SeatNo(seat), gem=gem)
            case events.Judged(seat, wrong) if wrong:
                task = self.table.seats[seat].task
                assert task is not None
                yield self._said("wrong", seat, cards=", ".join(str(task.pieces[card]) for card in wrong))
            case events.Hinted(seat, piece, wrong):
                yield self._hinted(seat, wrong if piece is None else (piece,), laid=piece is not None)
            case events.Scored(seat, points) if self.table.game == "solo":
                yield self._said("solved" if points else "set_aside", seat)
            case events.Scored(seat, points):
                yield self._said("scored", seat, points=points)
            case events.Left(seat):
                yield self._said("left", seat)
            case events.Away(seat):
                yield self._said("away", seat)
            case events.Back(seat):
                yield self._said("back", seat)

    def _dealt(self, seat: SeatNo, task: Task) -> str:
        if task.region is None and task.board:
            return self._said(f"stack_{task.number}", seat, board=task.board)
        if task.region is None:
            return self._said("hand", seat)
        if self._of == "dice":
            return self._said("area", seat, number=task.number, board=task.board)
        pieces = ", ".join(map(str, task.pieces))
        code = "board_task" if task.number else "board"
        return self._said(code, seat, pieces=pieces, board=task.board, number=task.number)

    def _hinted(self, seat: SeatNo, pieces: Sequence[int], laid: bool) -> str:
        task = self.table.seats[seat].task
        assert task is not None
        names = ", ".join(str(task.pieces[piece]) for piece in pieces)
        return self._said("hinted", seat, piece=names) if laid else self._said("hinted_wrong", seat, pieces=names)

    def _thrown(self, values: Sequence[str | int]) -> str:
        shown = ", ".join(map(str, values))
        if self.table.roller is None:
            return self._said("number_came", values=shown)
        roller = self.table.seats[self.table.roller].name
        return self._said("dice_thrown" if self._of == "dice" else "number_thrown", roller=roller, values=shown)

    def _heading(self) -> Sentences:
        table = self.table
        yield ""
        if table.playoff:
            yield self._said("playoff")
        elif table.area is not None:
            yield self._said("round_of_area", round=table.round, area=table.area)
        else:
            yield self._said("round", round=table.round)

    def _layouts(self) -> Sentences:
        if self.table.options.companion:
            # The table has not seen what lay on paper.
            return
        for seat, had in enumerate(self.table.last or ()):
            if had.task is not None:
                yield from self._layout(SeatNo(seat), had, had.task)

    def _layout(self, seat: SeatNo, had: RoundResult, task: Task) -> Sentences:
        lines = drawn(self.table.game, self.table.options, task, had.laid)
        if not had.laid or not lines:
            yield f"        {self._said('nothing_laid', seat)}"
            return
        yield f"        {self._said('layout', seat)}"
        yield from (f"          {line}" for line in lines)

    def _end(self) -> Sentences:
        table = self.table
        yield ""
        yield self._said("over")
        place = 1
        for seats in table.standing or ():
            names = ", ".join(table.seats[seat].name for seat in seats)
            total = ", ".join(dict.fromkeys(str((table.totals or ())[seat]) for seat in seats))
            # T11: explains why they come last with more points.
            left = all(table.seats[seat].gone for seat in seats)
            yield self._said("place_left" if left else "place", place=place, names=names, total=total)
            place += len(seats)
        if table.took is not None:
            yield self._said("took", time=clock(table.took))

    def _said(self, code: str, seat: SeatNo | None = None, **values: Any) -> str:
        if seat is not None:
            values["name"] = self.table.seats[seat].name
        if "gem" in values:
            values["gem"] = printed(self._language)[values["gem"]]
        return told(code, values, self._language)

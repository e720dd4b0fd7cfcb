"""Laying pieces on a board: what is refused (T13), and when its area is full. For all games except cards.

The cells of each placement are cached, since a layout is checked again and again while one piece moves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from ubongo.lattice import Cell
from ubongo.moves import Place, Refused
from ubongo.pieces import Piece, Placement, covered, shifted
from ubongo.table import Seat, Task
from ubongo.tiling import Verdict
from ubongo.tiling import verdict as tiling_verdict

CellsOf = Callable[[str | None, int, Cell], frozenset[Cell]]
ground = lru_cache(4096)(frozenset[Cell])


def cells_of(pieces: Callable[[], Mapping[str, Piece]]) -> CellsOf:
    """The cells that one of these pieces covers, by its name, turn and place."""

    @lru_cache(1 << 16)
    def cells(name: str | None, turn: int, at: Cell) -> frozenset[Cell]:
        assert name is not None
        return frozenset(shifted(pieces()[name].shapes[turn], at))

    return cells


def filling(printed: Sequence[tuple[int, Cell]]) -> tuple[Placement, ...]:
    """A solution of the booklet as placements."""
    return tuple([Placement(piece, turn, at) for piece, (turn, at) in enumerate(printed)])


def lay(cells: CellsOf, seat: Seat, move: Place) -> bool:
    """Refuses a placement outside the area or on another piece; returns whether all pieces then lie."""
    task = seat.task
    assert task is not None
    assert task.region is not None
    names, piece = task.pieces, move.piece
    mine = cells(names[piece], move.turn, move.at)
    if not mine <= ground(task.region):
        raise Refused("outside")
    lying = 1
    for where in seat.laid:
        if where.piece != piece:
            lying += 1
            if not mine.isdisjoint(cells(names[where.piece], where.turn, where.at)):
                raise Refused("overlap")
    return lying == len(names)


def full(cells: CellsOf, seat: Seat) -> bool:
    """Whether the area is exactly filled. Nothing lies outside or twice, so counting is enough."""
    task = seat.task
    assert task is not None
    assert task.region is not None
    return sum([len(cells(task.pieces[where.piece], where.turn, where.at)) for where in seat.laid]) == len(task.region)


def refuse_unless_laid(seat: Seat, piece: int) -> None:
    if all(where.piece != piece for where in seat.laid):
        raise Refused("not_laid")


def verdict(pieces: Mapping[str, Piece], task: Task, laid: Sequence[Placement]) -> Verdict:
    """Exact cover from scratch; the quick checks above have to agree with it."""
    shapes = [covered(pieces[str(task.pieces[where.piece])], where) for where in laid]
    return tiling_verdict(task.region or (), shapes)

"""A task as an exact cover: every cell of the region once, every piece once.

Plain Python, for one small task at a time and as the reference for the compiled version in `kernel/`. A position is one
integer: a bit for each cell that is covered, and above them, for each kind of piece, a counter of the copies laid. The
counter is set so that one copy too many carries into its guard bit: then 'does it fit, and is there a copy left' is two
ands.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from operator import mul
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import force_setattr

from ubongo.lattice import LATTICES, Cell, Shape
from ubongo.pieces import canonical, orientations

MOST_CELLS = 4096


class BadTask(ValueError):
    """An invalid task; the text says what is wrong and where."""


class Puzzle(Struct, frozen=True):
    """A task: fill the region with all the pieces. `mirror`: whether they may be flipped; None: the lattice's default.

    >>> count(Puzzle("square", [(0, 0), (1, 0), (0, 1), (1, 1)], [[(0, 0), (0, 1)], [(0, 0), (0, 1)]]))
    2
    """

    lattice: str
    region: Shape
    pieces: tuple[Shape, ...]
    mirror: bool | None = None

    def __post_init__(self) -> None:
        if self.lattice not in LATTICES:
            raise BadTask(f"lattice is {self.lattice!r}; it is one of {', '.join(LATTICES)}")
        if len(self.region) > MOST_CELLS:
            raise BadTask(f"the region has {len(self.region):,} cells; at most {MOST_CELLS:,} are taken")
        dimension = LATTICES[self.lattice].dimension
        force_setattr(self, "region", _cells("the region", self.region, dimension))
        pieces = tuple([_cells(f"piece {i}", piece, dimension) for i, piece in enumerate(self.pieces)])
        force_setattr(self, "pieces", pieces)

    @property
    def adds_up(self) -> bool:
        return sum(map(len, self.pieces)) == len(self.region)


def _cells(what: str, cells: Sequence[Sequence[int]], dimension: int) -> Shape:
    if not cells:
        raise BadTask(f"{what} has no cells")
    shape = tuple(map(tuple, cells))
    for i, cell in enumerate(shape):
        if len(cell) != dimension:
            raise BadTask(f"cell {i} of {what} has {len(cell)} coordinates; this lattice has {dimension}")
    if len(set(shape)) < len(shape):
        twice = next(cell for cell in shape if shape.count(cell) > 1)
        raise BadTask(f"{what} has the cell {list(twice)} twice")
    return shape


class LaidPiece(Struct, frozen=True):
    """A piece in a filling: its number in the task, and the cells it covers."""

    piece: int
    cells: Shape


TaskLike = Puzzle | Mapping[str, Any]
Filling = tuple[LaidPiece, ...]


def puzzle(task: TaskLike) -> Puzzle:
    """The task as a Puzzle, from a Puzzle or from a mapping with its fields; other fields are ignored."""
    if isinstance(task, Puzzle):
        return task
    try:
        return Puzzle(task["lattice"], task["region"], task["pieces"], task.get("mirror"))
    except KeyError as missing:
        raise BadTask(f"the task has no field {missing}") from None


def count(task: TaskLike) -> int:
    """The number of fillings; two that differ only by swapping equal pieces are one. Nothing is reduced by symmetry."""
    return TilingSearch(puzzle(task)).count()


def solutions(task: TaskLike) -> Iterator[Filling]:
    """Every filling, one after the other, each with its pieces in the order of the task."""
    return TilingSearch(puzzle(task)).fillings()


def first(task: TaskLike) -> Filling | None:
    return next(solutions(task), None)


class PieceKind(Struct, frozen=True):
    """Equal pieces of a task: their shapes, and which of the task's pieces they are."""

    shapes: tuple[Shape, ...]
    copies: tuple[int, ...]


def kinds(task: Puzzle) -> tuple[PieceKind, ...]:
    lattice = LATTICES[task.lattice]
    copies: dict[Shape, list[int]] = {}
    for number, piece in enumerate(task.pieces):
        copies.setdefault(canonical(lattice, piece, task.mirror), []).append(number)
    return tuple(PieceKind(orientations(lattice, piece, task.mirror), tuple(these)) for piece, these in copies.items())


def in_scan_order(region: Collection[Cell]) -> list[Cell]:
    """The cells along the short sides first: what is covered then has a short edge, and a misfit shows early."""
    extents = [max(axis) - min(axis) for axis in zip(*region, strict=True)]
    slowest_first = sorted(range(len(extents)), key=lambda axis: -extents[axis])
    return sorted(region, key=lambda cell: [cell[axis] for axis in slowest_first])


class Option(Struct, frozen=True):
    """One way to lay one kind of piece: the bits of its cells, and what laying it adds to a position."""

    bits: int
    adds: int
    kind: int


class TilingSearch:
    """One task, ready to be searched: at the first free cell, every piece that covers it is tried in turn.

    `nodes` counts the pieces laid so far. With `most_nodes` it gives up there, and `gave_up` says so.
    """

    def __init__(self, task: Puzzle, most_nodes: int | None = None) -> None:
        self.nodes = 0
        self.gave_up = False
        self._most_nodes = most_nodes
        self.kinds = kinds(task) if task.adds_up else ()
        self.cells = in_scan_order(task.region)
        size = len(self.cells)
        self.full = (1 << size) - 1
        widths = [len(kind.copies).bit_length() + 1 for kind in self.kinds]
        ones = [1 << place for place in accumulate(widths, initial=size)]
        self._guards = sum(one << width - 1 for one, width in zip(ones, widths, strict=False))
        unused = [(1 << width - 1) - 1 - len(kind.copies) for kind, width in zip(self.kinds, widths, strict=True)]
        self._empty = sum(one * number for one, number in zip(ones, unused, strict=False))
        self.options: list[list[Option]] = [[] for _ in self.cells]
        for number, kind in enumerate(self.kinds):
            for bits in placed(kind.shapes, self.cells):
                self.options[_lowest(bits)].append(Option(bits, bits + ones[number], number))

    def count(self) -> int:
        return sum(1 for _ in self)

    def fillings(self) -> Iterator[Filling]:
        return map(self.filling, self)

    def filling(self, chosen: Iterable[Option]) -> Filling:
        """The options chosen, as pieces of the task; of equal pieces the first is the one met first."""
        left = [iter(kind.copies) for kind in self.kinds]
        laid = [LaidPiece(next(left[option.kind]), self.covered(option)) for option in chosen]
        return tuple(sorted(laid, key=lambda one: one.piece))

    def covered(self, option: Option) -> Shape:
        return tuple(sorted(cell for i, cell in enumerate(self.cells) if option.bits >> i & 1))

    def __iter__(self) -> Iterator[list[Option]]:
        """Every filling as the options chosen for it. The list is reused, so read it before the next step."""
        full, guards, most = self.full, self._guards, self._most_nodes
        position = self._empty
        options = iter(self.options[0])
        above: list[tuple[Iterator[Option], int]] = []
        chosen: list[Option] = []
        while True:
            for option in options:
                if option.bits & position:
                    continue
                after = position + option.adds
                if after & guards:
                    continue
                self.nodes += 1
                chosen.append(option)
                free = ~after & full
                if not free:
                    yield chosen
                    chosen.pop()
                    continue
                above.append((options, position))
                options, position = iter(self.options[_lowest(free)]), after
                break
            else:
                if not above:
                    return
                options, position = above.pop()
                chosen.pop()
            if most is not None and self.nodes > most:
                self.gave_up = True
                return


def placed(shapes: Sequence[Shape], cells: Sequence[Cell]) -> Iterator[int]:
    """Every way to lay one of the shapes on the cells, as bits.

    A cell is a single number here, its coordinates as digits; there is room beside them for what sticks out of the
    region, so that no sum of a cell and a step within a shape is another cell's number by mistake.
    """
    longest = max(max(axis) for shape in shapes for axis in zip(*shape, strict=True))
    room = [max(axis) - min(axis) + 2 * longest + 1 for axis in zip(*cells, strict=True)]
    weights = list(accumulate(room[:-1], mul, initial=1))
    bit = {_digits(cell, weights): 1 << i for i, cell in enumerate(cells)}
    for shape in shapes:
        first, *rest = [_digits(cell, weights) for cell in shape]
        steps = [cell - first for cell in rest]
        for start, covered in bit.items():
            bits = covered
            for step in steps:
                more = bit.get(start + step)
                if more is None:
                    break
                bits |= more
            else:
                yield bits


def _digits(cell: Cell, weights: Sequence[int]) -> int:
    return sum(map(mul, cell, weights))


def _lowest(bits: int) -> int:
    return (bits & -bits).bit_length() - 1


class Verdict(Struct, frozen=True):
    """The state of a layout. `wrong`: the numbers of pieces that overlap another one or leave the region."""

    state: Literal["open", "wrong", "solved"]
    wrong: tuple[int, ...] = ()


OPEN, SOLVED = Verdict("open"), Verdict("solved")


def verdict(region: Collection[Cell], laid: Sequence[Shape]) -> Verdict:
    """Solved when every cell of the region is covered exactly once and nothing else is.

    >>> verdict({(0, 0), (1, 0)}, [((0, 0), (0, 1))])
    Verdict(state='wrong', wrong=(0,))
    """
    inside = region if isinstance(region, set | frozenset) else frozenset(region)
    owner: dict[Cell, int] = {}
    wrong: set[int] = set()
    for number, cells in enumerate(laid):
        for cell in cells:
            if cell not in inside:
                wrong.add(number)
            if (other := owner.setdefault(cell, number)) != number:
                wrong |= {number, other}
    if wrong:
        return Verdict("wrong", tuple(sorted(wrong)))
    return SOLVED if len(owner) == len(inside) else OPEN

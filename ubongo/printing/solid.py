"""A block of cubes as seen on the table: x to the right and near, y to the right and far, z up."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from msgspec.structs import replace

from ubongo.lattice import Cell, Shape, plus
from ubongo.printing import ink
from ubongo.printing.drawing import Drawing, Path, Point, Style, joined, lines, polygon
from ubongo.printing.outline import Box
from ubongo.printing.tiles import EDGE, joint


class VisibleFace(NamedTuple):
    """A visible face: its direction, its corners, and the direction across each of its sides."""

    looks: Cell
    corners: tuple[Cell, ...]
    over: tuple[Cell, ...]
    tint: tuple[str, float]


FACES = (
    VisibleFace(
        (0, 0, 1),
        ((0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)),
        ((0, -1, 0), (1, 0, 0), (0, 1, 0), (-1, 0, 0)),
        (ink.WHITE, 0.24),
    ),
    VisibleFace(
        (0, -1, 0),
        ((0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)),
        ((0, 0, -1), (1, 0, 0), (0, 0, 1), (-1, 0, 0)),
        (ink.WHITE, 0),
    ),
    VisibleFace(
        (1, 0, 0),
        ((1, 0, 0), (1, 1, 0), (1, 1, 1), (1, 0, 1)),
        ((0, 0, -1), (0, 1, 0), (0, 0, 1), (0, -1, 0)),
        (ink.WARM_BLACK, 0.3),
    ),
)


def seen(cell: Cell, size: float) -> Point:
    x, y, z = cell
    return (0.94 * x + 0.72 * y) * size, (0.33 * x - 0.40 * y - 0.92 * z) * size


def solid_box(cells: Collection[Cell], size: float) -> Box:
    corners = [seen(plus(cell, corner), size) for cell in cells for corner in product((0, 1), repeat=3)]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return Box(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


@lru_cache
def best_seen(shapes: tuple[Shape, ...]) -> Shape:
    """The orientation of a block that hides least of it: flat, wide, and with the high parts at the back."""

    def hides(shape: Shape) -> tuple[int, float, float]:
        near = [x - y for x, y, _ in shape]
        raised = [x - y for x, y, z in shape if z]
        behind = sum(raised) / len(raised) - sum(near) / len(near) if raised else 0.0
        return len(raised), behind, -solid_box(shape, 1).width

    return min(shapes, key=hides)


@lru_cache(maxsize=1024)
def solid(cells: Shape, size: float, colour: str) -> Drawing:
    """A block painted from far to near, with ink on its outline and a faint joint between two of its cubes."""
    here = frozenset(cells)
    far_to_near = sorted(here, key=lambda cell: (cell[0] - cell[1] + cell[2], cell))
    return joined(_cube(here, cell, size, colour) for cell in far_to_near)


def building(ground: Sequence[Cell], blocks: Sequence[tuple[Shape, str]], size: float) -> Drawing:
    """Coloured blocks on an area, which is visible where nothing stands on it yet."""
    drawn: Drawing = ()
    for cell in ground:
        corners = [seen(plus(cell, corner), size) for corner in ((0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0))]
        drawn += (Path(polygon(*corners), Style(fill=ink.CELL, stroke=ink.RIM, width=0.3)),)
    cubes = [(cell, frozenset(cells), colour) for cells, colour in blocks for cell in cells]
    cubes.sort(key=lambda one: (one[0][0] - one[0][1] + one[0][2], one[0]))
    return drawn + joined(_cube(here, cell, size, colour) for cell, here, colour in cubes)


def _cube(here: frozenset[Cell], cell: Cell, size: float, colour: str) -> Drawing:
    painted: list[Path] = []
    joints: list[tuple[Point, Point]] = []
    edges: list[tuple[Point, Point]] = []
    for face in FACES:
        if plus(cell, face.looks) in here:
            continue
        corners = [seen(plus(cell, corner), size) for corner in face.corners]
        around = polygon(*corners)
        painted.append(Path(around, Style(fill=ink.mixed(ink.PIECES[colour], *face.tint))))
        if face is FACES[0]:
            painted.append(Path(around, Style(pattern=colour)))
        for side, over in zip(zip(corners, corners[1:] + corners[:1], strict=True), face.over, strict=True):
            goes_on = plus(cell, over) in here and plus(plus(cell, over), face.looks) not in here
            (joints if goes_on else edges).append(side)
    if joints:
        painted.append(Path(lines(joints), joint(ink.PIECES[colour])))
    if edges:
        painted.append(Path(lines(edges), replace(EDGE, round_caps=True)))
    return tuple(painted)

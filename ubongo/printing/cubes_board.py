"""The printed parts of 3-D: boards whose squares are as wide as a cube, and a page that shows the blocks."""

from __future__ import annotations

from collections.abc import Iterator

from ubongo.material import cubes
from ubongo.material.cubes import Board, CubesEdition
from ubongo.printing.animals import silhouette
from ubongo.printing.code import code
from ubongo.printing.drawing import Drawing, moved
from ubongo.printing.extreme_board import BOARD, CODE, frame
from ubongo.printing.order import Order
from ubongo.printing.outline import SQUARES, Box
from ubongo.printing.page import fitting, panel, words
from ubongo.printing.sheet import Thing
from ubongo.printing.solid import best_seen, solid, solid_box
from ubongo.printing.tiles import plan

MARGIN, LARGEST = 6.0, 14.0
AREAS = (Box(MARGIN, 17, 70, 70), Box(MARGIN, 93, 70, 70))
PANELS_FROM, PANEL_WIDTH, PANELS_HEIGHT, GAP = 79.0, 41.0, 67.6, 1.2
# The page that shows all types: four per row.
TYPE_WIDTH, TYPE_HEIGHT, TYPES_FROM = 44.0, 50.0, 34.0


def cube_edge(edition: CubesEdition) -> float:
    """The edge of a cube, such that every area has room: the blocks have to fit on all boards."""
    sides = [board.side(pieces) for board in edition.boards for pieces in cubes.SIDES]
    grounds = [area.ground for side in sides for area in (side.upper, side.lower)]
    return min(fitting(SQUARES, ground, AREAS[0], LARGEST)[0] for ground in grounds)


def boards(edition: CubesEdition, order: Order) -> Iterator[Thing]:
    """The easier side on the front, the harder one on the back."""
    edge = cube_edge(edition)
    for number, board in enumerate(edition.boards, 1):
        front, back = (_side(order, number, board, pieces, edge) for pieces in cubes.SIDES)
        yield Thing(str(number), front, back)


def _side(order: Order, number: int, board: Board, pieces: int, edge: float) -> Drawing:
    name, side = cubes.board_name(number, pieces), board.side(pieces)
    drawn = frame() + words(MARGIN, 11, 6, order.say("cubes"), "strong") + silhouette(board.animal, 62, 13, 0.32)
    drawn += words(BOARD.width - MARGIN, 11, 3.4, order.say("on_two_levels", pieces=pieces), "end")
    numbers = iter(cubes.NUMBERS[pieces])
    for room, area in zip(AREAS, (side.upper, side.lower), strict=True):
        ground = [(x, -y) for x, y in area.ground]
        _, x, y = fitting(SQUARES, ground, room, edge)
        drawn += moved(x, y, plan(SQUARES, ground, edge))
        height = (PANELS_HEIGHT + GAP) / len(area.tasks)
        for row, task in enumerate(area.tasks):
            show = _compact if pieces == 4 else _wide
            shown = show(next(numbers), task.kinds, height - GAP)
            drawn += moved(PANELS_FROM, room.y + row * height, shown)
    drawn += words(MARGIN, BOARD.height - 5.5, 6, name, "strong")
    if order.url:
        address = f"{order.url}/b/{order.edition}/{name}"
        drawn += moved(BOARD.width - MARGIN - CODE + 1, BOARD.height - CODE - 0.6, code(address, CODE))
    return drawn


def _wide(thrown: tuple[int, ...], kinds: tuple[int, ...], height: float) -> Drawing:
    """The numbers of the die above the blocks to take."""
    drawn = panel(0, 0, PANEL_WIDTH, height) + words(3, 7, 4.6, " · ".join(map(str, thrown)), "strong")
    width = (PANEL_WIDTH - 2) / len(kinds)
    for place, kind in enumerate(kinds):
        drawn += block(kind, Box(1.6 + place * width, 9, width - 1.2, height - 15), 3.2)
        drawn += words(1 + (place + 0.5) * width, height - 2.2, 3.8, str(kind), "strong middle")
    return drawn


def _compact(thrown: tuple[int, ...], kinds: tuple[int, ...], height: float) -> Drawing:
    """The number of the die next to the blocks to take."""
    drawn = panel(0, 0, PANEL_WIDTH, height) + words(4.6, 7.8, 4.6, str(thrown[0]), "strong middle")
    width = (PANEL_WIDTH - 9.4) / len(kinds)
    for place, kind in enumerate(kinds):
        drawn += block(kind, Box(8.6 + place * width, 1.2, width - 0.4, height - 5.2), 2)
        drawn += words(8.4 + (place + 0.5) * width, height - 1.2, 2.9, str(kind), "strong middle")
    return drawn


def block(kind: int, room: Box, largest: float) -> Drawing:
    """A block as large as the room allows, standing on its lower edge."""
    shape = best_seen(cubes.pieces()[cubes.name_of(kind)].shapes)
    once = solid_box(shape, 1)
    size = min(room.width / once.width, room.height / once.height, largest)
    x = room.x + room.width / 2 - (once.x + once.width / 2) * size
    y = room.y + room.height - (once.y + once.height) * size
    return moved(x, y, solid(shape, size, cubes.PIECE_COLOURS[kind - 1]))


def all_types(order: Order) -> Drawing:
    """Every type with its number and its number of copies, on a page of A4."""
    title = f"{order.say('cubes')} · {order.part_name('cubes', 'pieces')}"
    drawn = words(17, 24, 8, title, "strong")
    for place, copies in enumerate(cubes.COPIES):
        x, y = 17 + place % 4 * TYPE_WIDTH, TYPES_FROM + place // 4 * TYPE_HEIGHT
        inside = panel(0, 0, TYPE_WIDTH - 2, TYPE_HEIGHT - 2) + words(4, 8, 6, str(place + 1), "strong")
        inside += words(TYPE_WIDTH - 6, 8, 4, order.say("copies", copies=copies), "second end")
        inside += words(4, 13.5, 3.2, order.say(cubes.PIECE_COLOURS[place]), "second")
        drawn += moved(x, y, inside + block(place + 1, Box(4, 15, TYPE_WIDTH - 10, TYPE_HEIGHT - 21), 7.5))
    return drawn

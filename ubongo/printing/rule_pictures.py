"""The pictures of the rules for families, by their names in docs/rules/family.

Each is drawn into a box. Pictures that make sense only on screen, such as how to turn a piece there, are not here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import Any

from ubongo.lattice import Cell
from ubongo.material.cards import CardSide
from ubongo.printing import cards, dice_net, ink
from ubongo.printing.animals import silhouette
from ubongo.printing.drawing import Drawing, Path, Segments, Style, circle, joined, moved, path_data, rectangle
from ubongo.printing.figures import hand, hexagons, sheet, solid
from ubongo.printing.gems import gem
from ubongo.printing.outline import HEXAGONS, SQUARES, Box, outline, rounded
from ubongo.printing.page import fitting, words
from ubongo.printing.solid import building, solid_box
from ubongo.printing.tiles import area, tile
from ubongo.table import Gem

Picture = Callable[[Box], Drawing]

# A gem, an icon and a die, before they are scaled.
GEM, ICON, DIE = 18.0, 30.0, 18.0
BAG = path_data("M10 9C3 14 1.5 21 3.5 26C4.5 28.5 23.5 28.5 24.5 26C26.5 21 25 14 18 9Z")
NECK = path_data("M8.5 3.5L10.5 9H17.5L19.5 3.5Q16.8 5.5 14 3.5Q11.2 5.5 8.5 3.5Z")
CROWN = path_data("M5 29L2 8L14 17L24 3L34 17L46 8L43 29Z")
GLASS = path_data("M18 8H46V11C46 20 36 25 36 32C36 39 46 44 46 53V56H18V53C18 44 28 39 28 32C28 25 18 20 18 11Z")
SAND = path_data("M23 22L41 22L33 32L31 32ZM19 55L45 55L40 48Q32 43 24 48Z")
# The largest side of a cell, in millimetres.
CELL = 6.0
PLACES = 4


@cache  # the same for every paper, and for most languages
def drawn(name: str, room: Box) -> Drawing:
    return PICTURES[name](room)


def _scaled(inner: Drawing, size: Box, room: Box, largest: float = 1.0) -> Drawing:
    """A drawing centred in a box, as large as the box allows."""
    share = min(room.width / size.width, room.height / size.height, largest)
    x = room.x + (room.width - size.width * share) / 2 - size.x * share
    y = room.y + (room.height - size.height * share) / 2 - size.y * share
    return moved(x, y, inner, scale=share)


def _rows(things: Sequence[Drawing], columns: int, width: float, height: float) -> tuple[Drawing, Box]:
    """Things of one size in a grid."""
    inner = joined(moved(i % columns * width, i // columns * height, one) for i, one in enumerate(things))
    return inner, Box(0, 0, columns * width, -(-len(things) // columns) * height)


# Extreme


def _extreme(laid: int, room: Box) -> Drawing:
    """The board with some of its pieces, and the remaining ones next to it."""
    figure = hexagons()
    pieces = figure["pieces"]
    beside = 0.3 * room.width if laid < len(pieces) else 0.0
    size, x, y = fitting(HEXAGONS, figure["region"], Box(room.x, room.y, room.width - beside, room.height), CELL)
    board = area(HEXAGONS, figure["region"], size)
    board += joined(tile(HEXAGONS, one["lies"], size, "green") for one in pieces[:laid])
    body = moved(x, y, board)
    each = room.height / max(1, len(pieces) - laid)
    for place, one in enumerate(pieces[laid:]):
        within = Box(room.x + room.width - beside, room.y + place * each + 1, beside, each - 2)
        small, px, py = fitting(HEXAGONS, one["comes"], within, 0.7 * size)
        body += moved(px, py, tile(HEXAGONS, one["comes"], small, "green"))
    return body


# Gems and rewards


def _one_gem(kind: Gem, room: Box) -> Drawing:
    return _scaled(gem(kind), Box(-GEM / 2, -GEM / 2, GEM, GEM), room, 0.6)


def _icon(inner: Drawing, size: Box, room: Box) -> Drawing:
    return _scaled(inner, size, room, 0.5)


def _shape(segments: Segments, fill: str) -> Drawing:
    return (Path(segments, Style(fill=fill, stroke=ink.INK)),)


def _bag_itself() -> Drawing:
    return _shape(BAG, "#C9A877") + _shape(NECK, "#DDC49B") + words(14, 23, 11, "?", "strong middle")


def _by_place(room: Box) -> Drawing:
    """The rewards of the first, second, third and fourth: from the display and from the bag."""
    body: Drawing = ()
    for place in range(PLACES):
        row = words(0, 13, 9, f"{place + 1}.", "strong")
        kinds: tuple[Gem, ...] = ("sapphire", "amber")
        if place < len(kinds):
            row += moved(24, 9.5, gem(kinds[place])) + words(36, 13, 9, "+", "middle")
        body += moved(0, place * 20, row + moved(42, 1, _bag_itself(), scale=0.62))
    return _scaled(body, Box(0, 0, 60, 20 * PLACES), room, 0.5)


def _display(room: Box) -> Drawing:
    kinds: tuple[Gem, ...] = ("sapphire", "amber")
    inner, size = _rows([moved(GEM / 2, GEM / 2, gem(kind)) for kind in kinds for _ in range(9)], 9, GEM, GEM)
    return _scaled(inner, size, room, 0.4)


def _stack(room: Box) -> Drawing:
    inner = tuple(Path(rectangle(off, off, 40, 30, 4), Style(fill=ink.CELL, stroke=ink.RIM)) for off in (0, 4, 8))
    return _icon(inner, Box(0, 0, 48, 38), room)


# 3-D


def _throw(room: Box) -> Drawing:
    """The animal that everybody plays, and the number thrown."""
    figure = solid()
    die: Drawing = (Path(rectangle(0, 0, DIE, DIE, 4), Style(fill=ink.PAPER, stroke=ink.INK, width=0.8)),)
    die += words(DIE / 2, 13.4, 12, str(figure["thrown"]), "strong middle")
    half = Box(room.x, room.y, room.width / 2, room.height)
    animal = silhouette(figure["animal"], half.x + half.width - 2, half.y + 0.75 * half.height, half.height / 80)
    return animal + _scaled(die, Box(0, 0, DIE, DIE), Box(half.x + half.width, half.y, half.width, half.height), 0.8)


def _built(count: int, room: Box) -> Drawing:
    """The first blocks of the solution, on their area."""
    figure = solid()
    ground: list[Cell] = [(x, y, 0) for x, y in figure["easier"][0]]
    whole = [(x, y, z) for x, y, _ in ground for z in (0, 1)]
    once = solid_box(whole, 1)
    size = min(room.width / once.width, room.height / once.height, CELL)
    x = room.x + (room.width - once.width * size) / 2 - once.x * size
    y = room.y + (room.height - once.height * size) / 2 - once.y * size
    blocks = [(one["lies"], one["colour"]) for one in figure["pieces"][:count]]
    return moved(x, y, building(ground, blocks, size))


def _areas(side: str, room: Box) -> Drawing:
    """Both areas of a side, from above: y runs upwards."""
    body: Drawing = ()
    for place, ground in enumerate(solid()[side]):
        cells = [(x, -y) for x, y in ground]
        within = Box(room.x + place * room.width / 2 + 1, room.y, room.width / 2 - 2, room.height)
        size, x, y = fitting(SQUARES, cells, within, 5)
        body += moved(x, y, area(SQUARES, cells, size))
    return body


# Dice


def _dice(faces: Sequence[dict[str, Any]], ringed: Sequence[int], room: Box) -> Drawing:
    things = []
    ring = Path(rectangle(-1, -1, 20, 20, 3), Style(stroke=ink.INK, width=1.4))
    for number, one in enumerate(faces):
        die = dice_net.face(one["face"], one["colour"], DIE, rounding=2.5)
        things.append(moved(2, 2, (*die, ring) if number in ringed else die))
    inner, size = _rows(things, min(4, len(things)), DIE + 4, DIE + 4)
    return _scaled(inner, size, room, 0.7)


def _sheet_of(regions: Sequence[Sequence[Cell]], room: Box) -> Drawing:
    width, height = room.width / 3, room.height / 2
    body: Drawing = ()
    for place, region in enumerate(regions):
        within = Box(room.x + place % 3 * width + 1, room.y + place // 3 * height + 1, width - 2, height - 2)
        size, x, y = fitting(SQUARES, region, within, 3)
        body += moved(x, y, area(SQUARES, region, size))
    return body


def _entered(count: int, room: Box) -> Drawing:
    figure = sheet()
    size, x, y = fitting(SQUARES, figure["region"], room, CELL)
    body = area(SQUARES, figure["region"], size)
    for one in figure["entered"][:count]:
        around = rounded(outline(SQUARES, one["cells"], size).loops, 0.06 * size, 0.14 * size)
        body += (Path(around, Style(fill=ink.SYMBOLS[one["face"]], stroke=ink.INK, width=0.3)),)
    return moved(x, y, body)


# Cards


def _lying(laid: Sequence[dict[str, Any]], room: Box, right: bool | None = None) -> Drawing:
    """Cards as they lie. `right`: whether that is allowed, shown by a tick or a cross."""
    side = cards.SQUARE
    xs, ys = [x for one in laid for x, _ in one["cells"]], [y for one in laid for _, y in one["cells"]]
    body: Drawing = ()
    for one in laid:
        own_xs, own_ys = [x for x, _ in one["cells"]], [y for _, y in one["cells"]]
        x, y = (min(own_xs) + max(own_xs) + 1) / 2 * side, (min(own_ys) + max(own_ys) + 1) / 2 * side
        face = moved(-cards.WIDTH / 2, -cards.HEIGHT / 2, cards.plain_face(one["marks"], "white"))
        body += moved(x, y, face, angle=90 * one["turn"])
    size = Box(min(xs) * side, min(ys) * side, (max(xs) - min(xs) + 1) * side, (max(ys) - min(ys) + 1) * side)
    if right is None:
        return _scaled(body, size, room, 0.25)
    mark = path_data("M-2.2 .2L-.6 1.8L2.4-1.6" if right else "M-1.8-1.8L1.8 1.8M1.8-1.8L-1.8 1.8")
    colour = ink.dark(ink.PIECES["green" if right else "red"])
    verdict = (
        Path(circle(0, 0, 3.2), Style(fill=ink.PAPER, stroke=colour, width=0.6)),
        Path(mark, Style(stroke=colour, width=0.9, round_caps=True)),
    )
    within = Box(room.x, room.y, room.width - 8, room.height)
    return _scaled(body, size, within, 0.25) + moved(room.x + room.width - 5, room.y + 4, verdict)


def _faces(faces: Sequence[tuple[Sequence[str], CardSide]], columns: int, room: Box) -> Drawing:
    drawn = [moved(2, 2, cards.plain_face(marks, side)) for marks, side in faces]
    inner, size = _rows(drawn, columns, cards.WIDTH + 4, cards.HEIGHT + 4)
    return _scaled(inner, size, room, 0.25)


PICTURES: dict[str, Picture] = {
    "extreme-task": partial(_extreme, 0),
    "extreme-lay": partial(_extreme, 2),
    "extreme-call": partial(_extreme, 3),
    "gems-by-place": _by_place,
    "display": _display,
    "bag": partial(_icon, _bag_itself(), Box(0, 2, 28, 27)),
    "stack": _stack,
    "glass": partial(_icon, _shape(GLASS, ink.PAPER) + _shape(SAND, "#E0B050"), Box(14, 4, 36, 56)),
    "crown": partial(_icon, _shape(CROWN, "#E8C22E"), Box(0, 0, 48, 32)),
    "ruby": partial(_one_gem, "ruby"),
    "sapphire": partial(_one_gem, "sapphire"),
    "emerald": partial(_one_gem, "emerald"),
    "amber": partial(_one_gem, "amber"),
    "cubes-throw": _throw,
    "cubes-build": partial(_built, 2),
    "cubes-call": partial(_built, 3),
    "cubes-easier": partial(_areas, "easier"),
    "cubes-harder": partial(_areas, "harder"),
    "dice-throw": lambda room: _dice(sheet()["thrown"], (), room),
    "dice-grab": lambda room: _dice(sheet()["thrown"], sheet()["taken"], room),
    "dice-enter": partial(_entered, 3),
    "dice-full": partial(_entered, 4),
    "dice-sheet": lambda room: _sheet_of(sheet()["sheet"], room),
    "dice-pair": lambda room: _dice(sheet()["thrown"][:2], (), room),
    "cards-hand": lambda room: _faces([(one["marks"], "white") for one in hand()["hand"]], 5, room),
    "cards-lay": lambda room: _lying(hand()["laid"][:4], room),
    "cards-call": lambda room: _lying(hand()["laid"], room),
    "cards-sides": lambda room: _faces([(hand()["hand"][0]["marks"], "white"), (hand()["black"], "black")], 2, room),
    **{
        f"join-{name}": lambda room, name=name, right=right: _lying(hand()["joins"][name], room, right)  # type: ignore[misc]  # mypy cannot type a default in a lambda
        for right, names in (
            (True, ("long", "short", "across", "branches")),
            (False, ("one", "three", "differs", "crosswise")),
        )
        for name in names
    },
}

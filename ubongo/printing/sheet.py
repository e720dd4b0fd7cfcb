"""Sheets of paper with things to cut out, and their backs.

A back is mirrored: what is on the left of the front is on the right of the back. If the paper is turned over its bottom
edge, the back is that same page upside down. So a thing that is cut out and turned sideways has its back upright.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import count

from msgspec import Struct

from ubongo.printing import ink
from ubongo.printing.drawing import Drawing, Path, Style, joined, lines, moved, rectangle
from ubongo.printing.order import SAFE, Order, TooLarge
from ubongo.printing.outline import Box
from ubongo.printing.page import words

TOP, FOOT = 9.0, 15.0
RULER, BLEED = 50, 2.0
MARK_FROM, MARK_TO = 1.5, 4.5
# At the bottom of a page, for the ruler.
KEPT = 10.0


class Thing(Struct, frozen=True):
    """A thing to cut out: drawn in its own box, its size in `ThingKind`. Without a back that side stays white."""

    name: str
    front: Drawing
    back: Drawing = ()


class ThingKind(Struct, frozen=True):
    """Things of one size. `grounds` are the colours of front and back that extend beyond the cut, if any."""

    width: float
    height: float
    gap: float = 0
    grounds: tuple[str, str] = ("", "")
    marks: bool = True


class PaperSide(Struct, frozen=True):
    """One side of a sheet. `boxes` are the positions of its things before the page is turned upside down; a page that
    is only read has none. A `back` belongs to the sheet before it.
    """

    size: tuple[float, float]
    body: Drawing
    boxes: tuple[tuple[str, Box], ...] = ()
    upside_down: bool = False
    back: bool = False


def grid(order: Order, kind: ThingKind) -> tuple[tuple[float, float], list[Box]]:
    """The orientation of the paper that holds more of them, and their positions, row by row."""
    width, height, gap = (length * order.scale for length in (kind.width, kind.height, kind.gap))
    papers = []
    for paper in (order.upright, order.across):
        columns = int((paper[0] - 2 * SAFE + gap) // (width + gap))
        rows = int((paper[1] - TOP - FOOT + gap) // (height + gap))
        papers.append((columns * rows, paper, columns, rows))
    most, paper, columns, rows = max(papers, key=lambda one: one[0])
    if not most:
        raise TooLarge
    left = (paper[0] - columns * (width + gap) + gap) / 2
    top = TOP + (paper[1] - TOP - FOOT - rows * (height + gap) + gap) / 2
    boxes = [
        Box(left + column * (width + gap), top + row * (height + gap), width, height)
        for row in range(rows)
        for column in range(columns)
    ]
    return paper, boxes


def sheets(
    order: Order, kind: ThingKind, things: Sequence[Thing], title: str, numbers: Iterator[int]
) -> Iterator[PaperSide]:
    """Fronts, each followed by its back if anything has one. `numbers` count the sheets."""
    paper, boxes = grid(order, kind)
    for first in range(0, len(things), len(boxes)):
        here = list(zip(things[first : first + len(boxes)], boxes, strict=False))
        number = next(numbers)
        front = [(thing.name, box, thing.front) for thing, box in here]
        yield _side(order, kind, paper, front, kind.grounds[0], f"{title} · {order.say('front', sheet=number)}", False)
        if any(thing.back for thing in things):
            back = [(thing.name, mirrored(box, paper), thing.back) for thing, box in here]
            said = f"{title} · {order.say('back', sheet=number)}"
            yield _side(order, kind, paper, back, kind.grounds[1], said, True)


def on_leaves(order: Order, pages: Iterable[PaperSide]) -> Iterator[PaperSide]:
    """The pages in the order in which a printer takes them for front, back, front, back.

    Things to cut out are on a front and have only their own back behind them; pages that are only read share a leaf.
    """
    front: PaperSide | None = None
    for page in pages:
        if front and order.duplex != "none" and not page.back and (front.boxes or page.boxes):
            yield PaperSide(front.size, ())
            front = None
        yield page
        front = None if front else page


def whole_page(order: Order, size: tuple[float, float], body: Drawing, title: str) -> PaperSide:
    """A page to read or write on, as large as the paper allows: no piece has to fit on it, so it has no scale."""
    paper = order.upright
    share = min(paper[0] / size[0], (paper[1] - KEPT) / (size[1] - KEPT), 1.0)
    left = (paper[0] - size[0] * share) / 2
    return PaperSide(paper, moved(left, 0, body, scale=share) + footer(order, paper, title))


def two_pages(order: Order, size: tuple[float, float], pages: Sequence[Drawing], title: str) -> PaperSide:
    """Two small pages on landscape paper, as large as it allows."""
    paper = order.across
    share = min(paper[0] / 2 / size[0], (paper[1] - KEPT) / size[1], 1.0)
    left = (paper[0] / 2 - size[0] * share) / 2
    drawn = joined(moved(left + place * paper[0] / 2, 0, body, scale=share) for place, body in enumerate(pages))
    return PaperSide(paper, drawn + footer(order, paper, title))


def mirrored(box: Box, paper: tuple[float, float]) -> Box:
    return Box(paper[0] - box.x - box.width, box.y, box.width, box.height)


def _side(
    order: Order,
    kind: ThingKind,
    paper: tuple[float, float],
    things: Sequence[tuple[str, Box, Drawing]],
    ground: str,
    title: str,
    back: bool,
) -> PaperSide:
    body: Drawing = tuple(_ground(box, ground) for _, box, _ in things) if ground else ()
    for _, box, drawn in things:
        body += moved(box.x, box.y, drawn, scale=order.scale)
    boxes = tuple((name, box) for name, box, _ in things)
    body += (_marks([box for _, box in boxes]) if kind.marks else ()) + footer(order, paper, title)
    upside_down = back and not order.turned_sideways(paper)
    if upside_down:
        body = moved(*paper, body, angle=180)
    return PaperSide(paper, body, boxes, upside_down, back)


def _ground(box: Box, colour: str) -> Path:
    around = (box.x - BLEED, box.y - BLEED, box.width + 2 * BLEED, box.height + 2 * BLEED)
    return Path(rectangle(*around), Style(fill=colour))


def _marks(boxes: Sequence[Box]) -> Drawing:
    """Cutting marks: short lines outside of all things, aligned with every edge."""
    xs = sorted({round(x, 3) for box in boxes for x in (box.x, box.x + box.width)})
    ys = sorted({round(y, 3) for box in boxes for y in (box.y, box.y + box.height)})
    across, down = [(xs[0], -1), (xs[-1], 1)], [(ys[0], -1), (ys[-1], 1)]
    marks = [((x, outer + step * MARK_FROM), (x, outer + step * MARK_TO)) for outer, step in down for x in xs]
    marks += [((outer + step * MARK_FROM, y), (outer + step * MARK_TO, y)) for outer, step in across for y in ys]
    return (Path(lines(marks), Style(stroke=ink.INK, width=0.2)),)


def footer(order: Order, paper: tuple[float, float], title: str) -> Drawing:
    """A ruler, to check that pieces will fit, and the name of this sheet."""
    width, height = paper
    edition = order.say("edition", edition=order.edition.partition("-")[2][:6] or order.edition)
    return (
        moved(SAFE, height - 6.5, ruler(RULER))
        + words(SAFE + 3 + RULER, height - 6, 2.8, order.say("ruler", length=RULER), "second")
        + words(width - SAFE, height - 6, 2.8, f"{edition} · {title}", "second end")
    )


def ruler(length: int) -> Drawing:
    """A line of that many millimetres at any scale, with a tick every ten."""
    ticks = [((x, 0.0), (x, -2.5 if x in {0, length} else -1.5)) for x in range(0, length + 1, 10)]
    return (Path(lines([((0, 0), (length, 0)), *ticks]), Style(stroke=ink.INK, width=0.25)),)


def counting() -> Iterator[int]:
    return count(1)

"""Drawings as the pages of a PDF. Only letters are turned: PDF has its origin at the lower left."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache, lru_cache
from typing import IO

from reportlab import rl_config
from reportlab.lib.colors import HexColor
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from ubongo.printing import ink
from ubongo.printing.drawing import Drawing, Group, Path, Point, Segments, Style, Text, between
from ubongo.printing.lettering import font, width

# How far to the left of its position a text begins, as a share of its width.
ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}
OPERATORS = {"M": "m", "L": "l", "Q": "c", "C": "c", "Z": "h"}
# A pattern is drawn in patches of this many of its squares across and down.
PATCH = 7

# ASCII encoding, which mail once needed, would make every file a quarter larger.
rl_config.useA85 = 0
_colour = cache(HexColor)


def write(
    pages: Iterable[tuple[tuple[float, float], Drawing]], out: IO[bytes], title: str, on_page: Callable[[int], None]
) -> int:
    """Writes pages (their size and drawing) and returns their number; calls `on_page` after each."""
    # An initial font is required; if it were not ours, every file would name a font that it does not embed.
    canvas = Canvas(out, pageCompression=1, invariant=1, initialFontName=font(strong=False))  # type: ignore[arg-type] # typed as a number, wrongly
    canvas.setTitle(title)
    canvas.setCreator("Ubongo")
    count = 0
    for count, ((across, down), drawing) in enumerate(pages, 1):
        canvas.setPageSize((across * mm, down * mm))
        canvas.translate(0, down * mm)
        canvas.scale(mm, -mm)
        _draw(canvas, drawing)
        canvas.showPage()
        on_page(count)
    canvas.save()
    return count


def _draw(canvas: Canvas, drawing: Drawing) -> None:
    for element in drawing:
        match element:
            case Path():
                _paint(canvas, element.segments, element.style)
            case Text():
                _write(canvas, element)
            case Group():
                _place(canvas, element)


def _place(canvas: Canvas, group: Group) -> None:
    canvas.saveState()
    if group.x or group.y:
        canvas.translate(group.x, group.y)
    if group.angle:
        canvas.rotate(group.angle)
    if group.scale != 1:
        canvas.scale(group.scale, group.scale)
    _draw(canvas, group.drawing)
    canvas.restoreState()


def _paint(canvas: Canvas, segments: Segments, style: Style) -> None:
    if style.pattern:
        _fill_with_pattern(canvas, segments, style.pattern)
    if not style.fill and not style.stroke:
        return
    if style.dashes:
        canvas.saveState()
        canvas.setDash(list(style.dashes))
    if style.fill:
        canvas.setFillColor(_colour(style.fill))
    if style.stroke:
        canvas.setStrokeColor(_colour(style.stroke))
        canvas.setLineWidth(style.width)
        canvas.setLineCap(int(style.round_caps))
        canvas.setLineJoin(1)
    canvas.drawPath(_path(segments), stroke=int(bool(style.stroke)), fill=int(bool(style.fill)))
    if style.dashes:
        canvas.restoreState()


def _fill_with_pattern(canvas: Canvas, segments: Segments, colour: str) -> None:
    """The pattern of a colour over the whole area, in patches that are drawn once per file."""
    side, name = PATCH * ink.PATTERNS[colour][0], f"p-{colour}"
    if not canvas.hasForm(name):
        _define_patch(canvas, name, side, colour)
    xs, ys = zip(*(point for _, points in segments for point in points), strict=True)
    canvas.saveState()
    canvas.clipPath(_path(segments), stroke=0, fill=0)
    for column in range(int(min(xs) // side), int(max(xs) // side) + 1):
        for row in range(int(min(ys) // side), int(max(ys) // side) + 1):
            canvas.saveState()
            canvas.translate(column * side, row * side)
            canvas.doForm(name)
            canvas.restoreState()
    canvas.restoreState()


def _define_patch(canvas: Canvas, name: str, side: float, colour: str) -> None:
    size, mark = ink.PATTERNS[colour]
    places = [(column * size, row * size) for column in range(PATCH) for row in range(PATCH)]
    marks = tuple(
        (kind, tuple((x + dx, y + dy) for x, y in points)) for dx, dy in places for kind, points in mark.segments
    )
    canvas.beginForm(name, 0, 0, side, side)
    _paint(canvas, marks, mark.style)
    canvas.endForm()


@lru_cache(maxsize=4096)
def _path(segments: Segments) -> PDFPathObject:
    code = []
    here: Point = (0, 0)
    for kind, points in segments:
        # PDF has only cubic curves.
        cubic = (
            (between(here, points[0], 2 / 3), between(points[1], points[0], 2 / 3), points[1])
            if kind == "Q"
            else points
        )
        code += [f"{x:.2f} {y:.2f}" for x, y in cubic]
        code.append(OPERATORS[kind])
        here = points[-1] if points else here
    return PDFPathObject([" ".join(code)])


def _write(canvas: Canvas, line: Text) -> None:
    x = line.x - ANCHORS[line.anchor] * width(line.text, line.size, line.strong)
    text = canvas.beginText()
    text.setFont(font(line.strong), line.size)
    text.setFillColor(_colour(line.colour))
    text.setTextTransform(1, 0, 0, -1, x, line.y)
    text.textOut(line.text)
    canvas.drawText(text)

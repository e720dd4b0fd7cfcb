"""Pages as a PDF. It reads only the drawings of this package, SVG in millimetres; unknown elements are an error.

A page is drawn with the origin at its upper left, as in SVG; only letters are turned back the right way up.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache, lru_cache
from typing import IO
from xml.etree import ElementTree as ET

from reportlab import rl_config
from reportlab.lib.colors import Color, HexColor
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from ubongo.printing import ink
from ubongo.printing.lettering import font, width
from ubongo.printing.strokes import Stroke, rectangle, round_, strokes

Style = Mapping[str, str]
PLAIN: Style = {"fill": "#000000", "stroke": "none", "stroke-width": "1"}
# How far to the left of its position a text begins, as a share of its width.
ANCHORS = {"start": 0.0, "middle": 0.5, "end": 1.0}
CAPS = {"butt": 0, "round": 1}
OPERATORS = {"M": "m", "L": "l", "C": "c", "Z": "h"}
# A pattern is drawn in patches of this many of its squares across and down.
PATCH = 7
INHERITED = (
    "fill", "stroke", "stroke-width", "fill-opacity", "stroke-opacity", "stroke-linecap", "stroke-linejoin",
    "stroke-dasharray", "text-anchor", "font-weight",
)  # fmt: skip

# ASCII encoding, which mail once needed, would make every file a quarter larger.
rl_config.useA85 = 0


def write(
    pages: Iterable[tuple[tuple[float, float], str]], out: IO[bytes], title: str, told: Callable[[int], None]
) -> int:
    """Writes pages (their size and drawing) and returns their number; calls `told` after each."""
    # An initial font is required; if it were not ours, every file would name a font that it does not embed.
    canvas = Canvas(out, pageCompression=1, invariant=1, initialFontName=font(strong=False))  # type: ignore[arg-type] # typed as a number, wrongly
    canvas.setTitle(title)
    canvas.setCreator("Ubongo")
    count = 0
    for count, ((across, down), body) in enumerate(pages, 1):
        canvas.setPageSize((across * mm, down * mm))
        canvas.translate(0, down * mm)
        canvas.scale(mm, -mm)
        for part in ET.fromstring(f"<svg>{body}</svg>"):  # noqa: S314 - our own drawing
            _draw(canvas, part, PLAIN)
        canvas.showPage()
        told(count)
    canvas.save()
    return count


@cache
def _classes() -> dict[str, dict[str, str]]:
    """The style of each class, as in the SVG files."""
    found: dict[str, dict[str, str]] = {}
    for names, rules in re.findall(r"([^{}]+)\{([^}]*)\}", ink.STYLE):
        for name in names.split(","):
            found.setdefault(name.strip().lstrip("."), {}).update(_rules(rules))
    return found


def _rules(rules: str) -> dict[str, str]:
    return {key: value for key, _, value in (rule.partition(":") for rule in rules.split(";") if rule)}


def _styled(part: ET.Element, outer: Style) -> Style:
    """The style in the order of CSS: inherited, attributes, classes, own style."""
    style = {**outer, **{name: part.attrib[name] for name in INHERITED if name in part.attrib}}
    if part.tag == "text":
        style |= _classes()["text"] if outer["fill"] == PLAIN["fill"] else {}
    for name in part.get("class", "").split():
        style |= _classes().get(name, {})
    return style | _rules(part.get("style", ""))


def _draw(canvas: Canvas, part: ET.Element, outer: Style) -> None:
    style = _styled(part, outer)
    if part.tag == "text":
        _write(canvas, part, style)
    elif part.tag == "g":
        moves = list(_moves(part.get("transform", "")))
        canvas.saveState()
        for kind, numbers in moves:
            _move(canvas, kind, numbers)
        for inner in part:
            _draw(canvas, inner, style)
        canvas.restoreState()
    elif "transform" in part.attrib and part.tag != "ellipse":
        canvas.saveState()
        for kind, numbers in _moves(part.attrib["transform"]):
            _move(canvas, kind, numbers)
        _paint(canvas, tuple(_strokes_of(part)), style)
        canvas.restoreState()
    else:
        _paint(canvas, tuple(_strokes_of(part)), style)


def _moves(transform: str) -> Iterator[tuple[str, list[float]]]:
    for kind, numbers in re.findall(r"(\w+)\(([^)]*)\)", transform):
        yield kind, [float(number) for number in numbers.split()]


def _move(canvas: Canvas, kind: str, numbers: list[float]) -> None:
    if kind == "translate":
        canvas.translate(*numbers)
    elif kind == "scale":
        canvas.scale(numbers[0], numbers[-1])
    else:
        assert kind == "rotate", kind
        angle, x, y = numbers
        canvas.translate(x, y)
        canvas.rotate(angle)
        canvas.translate(-x, -y)


def _strokes_of(part: ET.Element) -> Iterator[Stroke]:
    def of(*names: str) -> list[float]:
        return [float(part.get(name, 0)) for name in names]

    if part.tag == "path":
        yield from strokes(part.attrib["d"])
    elif part.tag == "rect":
        yield from rectangle(*of("x", "y", "width", "height", "rx"))
    elif part.tag == "circle":
        x, y, rx = of("cx", "cy", "r")
        yield from round_(x, y, rx, rx)
    else:
        assert part.tag == "ellipse", part.tag
        slope = next((numbers[0] for _, numbers in _moves(part.get("transform", ""))), 0.0)
        x, y, rx, ry = of("cx", "cy", "rx", "ry")
        yield from round_(x, y, rx, ry, slope)


def _paint(canvas: Canvas, drawn: tuple[Stroke, ...], style: Style) -> None:
    # An open line has no inside, but PDF would fill one.
    fill = style["fill"] if ("Z", ()) in drawn else "none"
    line = style["stroke"]
    if fill.startswith("url("):
        _pattern(canvas, drawn, fill.removeprefix("url(#p-").removesuffix(")"))
        fill = "none"
    if fill == line == "none":
        return
    lasting = {"fill-opacity", "stroke-opacity", "stroke-dasharray"} & set(style)
    if lasting:
        canvas.saveState()
        canvas.setFillAlpha(float(style.get("fill-opacity", 1)))
        canvas.setStrokeAlpha(float(style.get("stroke-opacity", 1)))
        if "stroke-dasharray" in style:
            canvas.setDash(*map(float, style["stroke-dasharray"].split()))
    if fill != "none":
        canvas.setFillColor(_colour(fill))
    if line != "none":
        canvas.setStrokeColor(_colour(line))
        canvas.setLineWidth(float(style["stroke-width"]))
        canvas.setLineCap(CAPS[style.get("stroke-linecap", "butt")])
        canvas.setLineJoin(1)
    canvas.drawPath(_path(drawn), stroke=int(line != "none"), fill=int(fill != "none"))
    if lasting:
        canvas.restoreState()


def _pattern(canvas: Canvas, area: tuple[Stroke, ...], colour: str) -> None:
    """The pattern of a colour over the whole area, in patches that are drawn once per file."""
    side, name = PATCH * ink.PATTERNS[colour][0], f"p-{colour}"
    if not canvas.hasForm(name):
        _patch(canvas, name, side, colour)
    xs, ys = zip(*[point for _, points in area for point in points], strict=True)
    canvas.saveState()
    canvas.clipPath(_path(area), stroke=0, fill=0)
    for column in range(int(min(xs) // side), int(max(xs) // side) + 1):
        for row in range(int(min(ys) // side), int(max(ys) // side) + 1):
            canvas.saveState()
            canvas.translate(column * side, row * side)
            canvas.doForm(name)
            canvas.restoreState()
    canvas.restoreState()


def _patch(canvas: Canvas, name: str, side: float, colour: str) -> None:
    size, drawing = ink.PATTERNS[colour]
    canvas.beginForm(name, 0, 0, side, side)
    for mark in ET.fromstring(f"<g>{drawing}</g>"):  # noqa: S314 - our own drawing
        style = dict(
            _styled(mark, {"fill": "none", "stroke": "none", "stroke-width": ".24", "stroke-linecap": "round"})
        )
        # Mixed colours, not transparency: printers are faster with these, and some print them better.
        for paint in ("fill", "stroke"):
            share = style.pop(f"{paint}-opacity", None)
            if share:
                style[paint] = ink.mixed(ink.PIECES[colour], _whole(style[paint]), float(share))
        once = tuple(_strokes_of(mark))
        places = [(column * size, row * size) for column in range(PATCH) for row in range(PATCH)]
        marks = tuple((kind, tuple((x + dx, y + dy) for x, y in points)) for dx, dy in places for kind, points in once)
        _paint(canvas, marks, style)
    canvas.endForm()


@lru_cache(maxsize=4096)
def _path(drawn: tuple[Stroke, ...]) -> PDFPathObject:
    return PDFPathObject(
        [" ".join(f"{' '.join(f'{x:.3f} {y:.3f}' for x, y in points)} {OPERATORS[kind]}" for kind, points in drawn)]
    )


def _whole(colour: str) -> str:
    """
    >>> _whole("#fff")
    '#ffffff'
    """
    return colour if len(colour) == 7 else "#" + "".join(2 * digit for digit in colour[1:])


@cache
def _colour(said: str) -> Color:
    return HexColor(_whole(said))


def _write(canvas: Canvas, part: ET.Element, style: Style) -> None:
    said, size, strong = part.text or "", float(part.attrib["font-size"]), style.get("font-weight") == "700"
    x = float(part.get("x", 0)) - ANCHORS[style.get("text-anchor", "start")] * width(said, size, strong)
    text = canvas.beginText()
    text.setFont(font(strong), size)
    text.setFillColor(_colour(style["fill"]))
    text.setTextTransform(1, 0, 0, -1, x, float(part.get("y", 0)))
    text.textOut(said)
    canvas.drawText(text)

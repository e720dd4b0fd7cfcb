"""Drawings in millimetres, independent of file formats: paths, lines of text, and groups of both.

A drawing is a tuple of elements, painted one after the other, so `+` joins drawings. The origin is the upper left
corner, and y runs down. Every element has its whole style: nothing is inherited. `svg` and `pdf` write drawings.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain
from math import cos, pi, radians, sin
from typing import Literal, TypeAlias, TypeVar

from msgspec import Struct

Point = tuple[float, float]
# An SVG command (M, L, Q, C or Z, in absolute coordinates) and its points, the last of which is where it ends.
Segment = tuple[str, tuple[Point, ...]]
Segments = tuple[Segment, ...]
Drawing: TypeAlias = "tuple[Path | Text | Group, ...]"

Anchor = Literal["start", "middle", "end"]
T = TypeVar("T")

# The length of the control arms of a curve that approximates a quarter of a unit circle.
QUARTER = 0.5523


class Style(Struct, frozen=True):
    """How a path is painted. Colours are #RRGGBB; an empty one paints nothing. Nothing is
    transparent, which printers are slow with. Corners of lines are round.

    `pattern` fills with the pattern of a colour of pieces (`ink.PATTERNS`).
    """

    fill: str = ""
    stroke: str = ""
    width: float = 1
    pattern: str = ""
    round_caps: bool = False
    dashes: tuple[float, ...] = ()


class Path(Struct, frozen=True):
    """`name` is the element's class in SVG files, like that of a group."""

    segments: Segments
    style: Style
    name: str = ""


class Text(Struct, frozen=True):
    """A line of text."""

    x: float
    y: float
    size: float
    text: str
    colour: str
    strong: bool = False
    anchor: Anchor = "start"


class Group(Struct, frozen=True):
    """A drawing scaled, then rotated clockwise by `angle` degrees, then moved."""

    drawing: Drawing
    x: float = 0
    y: float = 0
    angle: float = 0
    scale: float = 1
    name: str = ""


def moved(x: float, y: float, drawing: Drawing, angle: float = 0, scale: float = 1) -> Drawing:
    return (Group(drawing, x, y, angle, scale),)


def scaled(scale: float, drawing: Drawing) -> Drawing:
    return (Group(drawing, scale=scale),)


def named(name: str, drawing: Drawing) -> Drawing:
    return (Group(drawing, name=name),)


def joined(parts: Iterable[Iterable[T]]) -> tuple[T, ...]:
    """Drawings as one drawing, or paths as one path."""
    return tuple(chain.from_iterable(parts))


def polyline(*points: Point) -> Segments:
    """An open line.

    >>> polyline((0, 0), (3, 4))
    (('M', ((0, 0),)), ('L', ((3, 4),)))
    """
    first, *others = points
    return ("M", (first,)), *(("L", (point,)) for point in others)


def polygon(*points: Point) -> Segments:
    return *polyline(*points), ("Z", ())


def lines(sides: Iterable[tuple[Point, Point]], gap: float = 0) -> Segments:
    """Single lines, each shortened at both ends by a share of its length."""
    return joined(polyline(between(a, b, gap), between(b, a, gap)) for a, b in sides)


def between(a: Point, b: Point, share: float) -> Point:
    return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


def circle(x: float, y: float, radius: float) -> Segments:
    return ellipse(x, y, radius, radius)


def ellipse(x: float, y: float, rx: float, ry: float, slope: float = 0) -> Segments:
    """An ellipse, rotated by `slope` degrees about its centre."""
    right, down = cos(radians(slope)), sin(radians(slope))

    def at(u: float, v: float) -> Point:
        return x + u * rx * right - v * ry * down, y + u * rx * down + v * ry * right

    def quarter(number: int) -> Segment:
        (c, s), (d, t) = ((cos(k * pi / 2), sin(k * pi / 2)) for k in (number, number + 1))
        return "C", (at(c - QUARTER * s, s + QUARTER * c), at(d + QUARTER * t, t - QUARTER * d), at(d, t))

    return ("M", (at(1, 0),)), *map(quarter, range(4)), ("Z", ())


def rectangle(x: float, y: float, width: float, height: float, rounding: float = 0) -> Segments:
    right, foot, arm = x + width, y + height, rounding * (1 - QUARTER)
    if not rounding:
        return polygon((x, y), (right, y), (right, foot), (x, foot))
    segments: list[Segment] = [("M", ((x + rounding, y),))]
    for a, b, c, d in (
        ((right - rounding, y), (right - arm, y), (right, y + arm), (right, y + rounding)),
        ((right, foot - rounding), (right, foot - arm), (right - arm, foot), (right - rounding, foot)),
        ((x + rounding, foot), (x + arm, foot), (x, foot - arm), (x, foot - rounding)),
        ((x, y + rounding), (x, y + arm), (x + arm, y), (x + rounding, y)),
    ):
        segments += [("L", (a,)), ("C", (b, c, d))]
    return *segments, ("Z", ())


def path_data(data: str) -> Segments:
    """The segments of a shape drawn by hand, from SVG path data: every command with its letter; only h is relative.

    >>> path_data("M1 2H4Z")
    (('M', ((1.0, 2.0),)), ('L', ((4.0, 2.0),)), ('Z', ()))
    """
    segments: list[Segment] = []
    here = bend = (0.0, 0.0)
    for letter, values in re.findall(r"([MLHhVQTCZ])([^A-Zh]*)", data):
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", values)]
        kind, points = letter, tuple(zip(numbers[::2], numbers[1::2], strict=letter not in "HhV"))
        match letter:
            case "H":
                kind, points = "L", ((numbers[0], here[1]),)
            case "h":
                kind, points = "L", ((here[0] + numbers[0], here[1]),)
            case "V":
                kind, points = "L", ((here[0], numbers[0]),)
            case "T":  # mirrors the control point of the curve before it
                kind, points = "Q", (between(bend, here, 2), *points)
        segments.append((kind, points))
        if points:
            bend, here = points[0], points[-1]
    return tuple(segments)

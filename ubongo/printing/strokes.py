"""SVG path data as moves, lines and curves between points: only the part of SVG that our drawings use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from math import cos, pi, radians, sin

from ubongo.printing.outline import Point

# Its letter (M, L, C or Z) and its points, the last of which is where it ends.
Stroke = tuple[str, tuple[Point, ...]]
TOKENS = re.compile(r"[A-Za-z]|[-+]?(?:\d+\.?\d*|\.\d+)")
POINTS_OF = {"M": 1, "L": 1, "Q": 2, "T": 1, "C": 3, "Z": 0}
# The length of the control arms of a curve that approximates a quarter of a unit circle.
QUARTER = 0.5523


@lru_cache(maxsize=4096)
def strokes(data: str) -> tuple[Stroke, ...]:
    """
    >>> strokes("M1 2h3Z")
    (('M', ((1.0, 2.0),)), ('L', ((4.0, 2.0),)), ('Z', ()))
    """
    return tuple(_read(data))


def _read(data: str) -> Iterator[Stroke]:
    tokens = TOKENS.findall(data)
    place, letter = 0, ""
    here = first = bend = (0.0, 0.0)
    while place < len(tokens):
        if tokens[place].isalpha():
            letter = tokens[place]
            place += 1
        kind = letter.upper()
        from_here = here if letter.islower() else (0.0, 0.0)
        if kind in "HV":
            to = float(tokens[place])
            here = (to + from_here[0], here[1]) if kind == "H" else (here[0], to + from_here[1])
            place += 1
            yield "L", (here,)
            continue
        numbers = [float(token) for token in tokens[place : place + 2 * POINTS_OF[kind]]]
        place += len(numbers)
        points = [(x + from_here[0], y + from_here[1]) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
        if kind == "Z":
            here = first
            yield "Z", ()
            continue
        if kind in "QT":
            # T mirrors the control point of the curve before it.
            bend = points[0] if kind == "Q" else (2 * here[0] - bend[0], 2 * here[1] - bend[1])
            points = [_third(here, bend), _third(points[-1], bend), points[-1]]
            kind = "C"
        else:
            bend = points[-1]
        if kind == "M":
            first, letter = points[0], "l" if letter == "m" else "L"
        here = points[-1]
        yield kind, tuple(points)


def _third(end: Point, bend: Point) -> Point:
    """A control point of the cubic curve that equals a quadratic one."""
    return end[0] + (bend[0] - end[0]) * 2 / 3, end[1] + (bend[1] - end[1]) * 2 / 3


def round_(x: float, y: float, rx: float, ry: float, slope: float = 0) -> Iterator[Stroke]:
    """An ellipse, rotated by `slope` degrees about its centre."""
    right, down = cos(radians(slope)), sin(radians(slope))

    def at(u: float, v: float) -> Point:
        return x + u * rx * right - v * ry * down, y + u * rx * down + v * ry * right

    yield "M", (at(1, 0),)
    for quarter in range(4):
        (c, s), (d, t) = ((cos(k * pi / 2), sin(k * pi / 2)) for k in (quarter, quarter + 1))
        yield "C", (at(c - QUARTER * s, s + QUARTER * c), at(d + QUARTER * t, t - QUARTER * d), at(d, t))
    yield "Z", ()


def rectangle(x: float, y: float, width: float, height: float, rounding: float = 0) -> Iterator[Stroke]:
    if not rounding:
        yield from strokes(f"M{x} {y}h{width}v{height}h{-width}Z")
        return
    right, foot, arm = x + width, y + height, rounding * (1 - QUARTER)
    yield "M", ((x + rounding, y),)
    for a, b, c, d in (
        ((right - rounding, y), (right - arm, y), (right, y + arm), (right, y + rounding)),
        ((right, foot - rounding), (right, foot - arm), (right - arm, foot), (right - rounding, foot)),
        ((x + rounding, foot), (x + arm, foot), (x, foot - arm), (x, foot - rounding)),
        ((x, y + rounding), (x, y + arm), (x + arm, y), (x + rounding, y)),
    ):
        yield "L", (a,)
        yield "C", (b, c, d)
    yield "Z", ()

"""A line chart as SVG, in plain text: for plots in documents, without another dependency."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from itertools import pairwise

from msgspec import Struct

WIDTH, HEIGHT = 680, 380
LEFT, RIGHT, TOP, BOTTOM = 56, 120, 44, 46
INK, SECOND_INK, HAIR, PAPER = "#2A2118", "#5F5240", "#E6DCC8", "#FFFFFF"
# From light to dark as levels rise; the dashes help readers who cannot tell the colours apart.
PAINTS = ("#E08A3C", "#C9622F", "#A23B4A", "#6B2F6B", "#2B2A5E")
DASHES = ("2 4", "7 4", "", "12 3 2 3", "4 2")
Point = tuple[float, float]


class Line(Struct, frozen=True):
    name: str
    points: Sequence[Point]


class Chart(Struct, frozen=True):
    """`marks`: vertical lines with a label, such as the end of an hourglass."""

    title: str
    across: str
    up: str
    lines: Sequence[Line]
    widest: float
    highest: float
    steps: tuple[float, float]
    marks: Sequence[tuple[float, str]] = ()

    def svg(self) -> str:
        box = f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(self.title)}"'
        parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" {box} font-family="system-ui, sans-serif" font-size="12">',
            f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAPER}"/>',
            f'<text x="{LEFT}" y="22" font-size="15" font-weight="600" fill="{INK}">{escape(self.title)}</text>',
            *self._axes(),
            *[self._mark(at, word) for at, word in self.marks],
            *[self._line(number, line) for number, line in enumerate(self.lines)],
            "</svg>",
        ]
        return "\n".join(parts) + "\n"

    def _x(self, value: float) -> float:
        return round(LEFT + (WIDTH - LEFT - RIGHT) * value / self.widest, 1)

    def _y(self, value: float) -> float:
        return round(HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * value / self.highest, 1)

    def _axes(self) -> Iterator[str]:
        across, up = self.steps
        for step in range(int(self.highest / up) + 1):
            y = self._y(step * up)
            yield f'<path d="M{LEFT} {y}H{WIDTH - RIGHT}" stroke="{HAIR}"/>'
            yield _text(LEFT - 8, y + 4, f"{step * up:g}", SECOND_INK, "end")
        for step in range(int(self.widest / across) + 1):
            yield _text(self._x(step * across), HEIGHT - BOTTOM + 18, f"{step * across:g}", SECOND_INK, "middle")
        yield _text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, self.across, INK, "middle")
        yield _text(LEFT - 40, TOP - 8, self.up, INK, "start")

    def _mark(self, at: float, word: str) -> str:
        x = self._x(at)
        line = f'<path d="M{x} {TOP}V{HEIGHT - BOTTOM}" stroke="{SECOND_INK}" stroke-dasharray="1 3"/>'
        return line + _text(x + 4, HEIGHT - BOTTOM - 6, word, SECOND_INK, "start")

    def _line(self, number: int, line: Line) -> str:
        """The visible part of the line, and its legend in the order of the lines."""
        inside = [point for point in line.points if point[0] <= self.widest and point[1] <= self.highest]
        path = "M" + "L".join(f"{self._x(x)} {self._y(y)}" for x, y in _without_needless(inside))
        paint, dashes = PAINTS[number % len(PAINTS)], DASHES[number % len(DASHES)]
        stroke = f'fill="none" stroke="{paint}" stroke-width="2.2" stroke-dasharray="{dashes}"'
        y = TOP + 20 + 22 * number
        legend = f'<path d="M{WIDTH - RIGHT + 12} {y}h30" {stroke}/>'
        return f'<path d="{path}" {stroke}/>{legend}{_text(WIDTH - RIGHT + 48, y + 4, line.name, INK, "start")}'


def _without_needless(points: Sequence[Point]) -> list[Point]:
    """Drops points where the height does not change, so that a thousand-step staircase is drawn by its corners."""
    kept = [after for before, after in pairwise(points) if before[1] != after[1]]
    return [*points[:1], *kept]


def _text(x: float, y: float, said: str, paint: str, anchor: str) -> str:
    return f'<text x="{x:g}" y="{y:g}" fill="{paint}" text-anchor="{anchor}">{escape(said)}</text>'

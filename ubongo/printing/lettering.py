"""The typeface on paper: Nunito (fonts/OFL.txt), which comes with the program and has Polish and German letters."""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from reportlab.pdfbase.pdfmetrics import registerFont, stringWidth
from reportlab.pdfbase.ttfonts import TTFont

REGULAR, STRONG = "Nunito-Regular", "Nunito-Bold"


@cache
def _registered() -> None:
    for name in (REGULAR, STRONG):
        with files(__package__).joinpath("fonts", f"{name}.ttf").open("rb") as font:
            registerFont(TTFont(name, font))


def font(strong: bool) -> str:
    _registered()
    return STRONG if strong else REGULAR


def width(said: str, size: float, strong: bool = False) -> float:
    return float(stringWidth(said, font(strong), size))


def broken(said: str, size: float, room: float, strong: bool = False, indent: float = 0) -> list[str]:
    """A text broken into lines of that width; the first one is indented, or empty."""
    lines = [""]
    for word in said.split():
        longer = f"{lines[-1]} {word}".strip()
        taken = indent if len(lines) == 1 else 0
        if (lines[-1] or taken) and taken + width(longer, size, strong) > room:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines

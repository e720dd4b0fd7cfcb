"""The nine animals of 3-D as silhouettes, drawn by us: round bodies, thick lines for limbs.

Each stands on the line y = 32 and is at most 50 wide. A line is (width, path), a round (x, y, half width, half height,
slope in degrees); the parts in `light` are drawn on top in the paper's colour: stripes, spots, an eye.
"""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from ubongo.printing import ink
from ubongo.printing.drawing import Drawing, Path, Style, ellipse, moved, path_data

Limb = tuple[float, str]
Ellipse = tuple[float, float, float, float, float]


class Silhouette(Struct, frozen=True):
    rounds: tuple[Ellipse, ...]
    lines: tuple[Limb, ...]
    fills: str = ""
    light: tuple[Limb, ...] = ()


ANIMALS = {
    "elephant": Silhouette(
        rounds=((22, 16, 14, 9, 0), (37, 13, 7, 7, 0)),
        lines=(
            (5.5, "M13 20V29M20 22V29M28 22V29M33 20V29"),
            (4, "M42 14Q47 18 45 25Q44 28 47 27"),
            (1.4, "M9 12Q5 15 6 21"),
        ),
        light=((1, "M33 8Q28 14 34 19Q37 17 37 13"), (1.3, "M40 11h.1")),
    ),
    "gazelle": Silhouette(
        rounds=((20, 16, 10.5, 5, -6), (36.5, 6, 4, 2.1, 24)),
        lines=(
            (4.4, "M28 14L34 6"),
            (2, "M12 18L10 24L11 31.5M15 19L15 31.5M26 18L26 31.5M28.5 17L31 24L30 31.5"),
            (1.4, "M34 4Q31 -2 35 -7M36 4Q34 -2 38 -7"),
            (1.6, "M32.5 4L30 2M10 13L7 16"),
        ),
        light=((1.1, "M13 18.5Q20 20.5 27 17.5"), (1, "M36.5 5.5h.1")),
    ),
    "snake": Silhouette(
        rounds=((44, 14, 4.4, 3, -10),),
        lines=((5.4, "M4 29Q10 16 17 24T30 24Q37 16 42 14"), (0.9, "M48 13L51.5 12M49.5 12.6L51 14.5")),
        light=(
            (1.5, "M7 24.5h.1M11 21.4h.1M15 22.4h.1M18.5 25.5h.1M23 27.2h.1M27.5 26h.1M31.5 22.5h.1M35 19h.1M39 16h.1"),
            (1.1, "M45 13h.1"),
        ),
    ),
    "gnu": Silhouette(
        rounds=((20, 15, 12, 6.5, -8), (28, 13, 6, 7, 0)),
        lines=(
            (6, "M31 11L37 16M37 15L39.5 22"),
            (2.6, "M11 18L10 31M15 19L15.5 31M27 18V31M31 17L31.5 31"),
            (1.8, "M35 10Q36 5 32 4M37 10.5Q42 10 41 5"),
            (1.3, "M8.5 13Q4 17 6 25M35 18V24M33 17V23"),
            (1.3, "M22 9L20 6M25 8L23.5 4.5M28 7L27 3.5"),
        ),
        light=((1, "M24 12L23 17M27.5 11L26.5 17"), (1.1, "M37.5 14h.1")),
    ),
    "ostrich": Silhouette(
        rounds=((20, 14, 10, 6.5, -8), (11, 12, 4.5, 4, 0), (11, 16, 4, 3, 0), (34, -5, 2.6, 1.9, 12)),
        lines=(
            (2.3, "M27 12Q34 11 32.5 3T33 -4"),
            (1.8, "M19 19L17 25L19 31.5H22M23 19L26 25L24 31.5H27.5"),
            (1, "M36 -4.8L39 -4.2"),
        ),
        light=((0.9, "M15 13Q20 19 26 14M17 11Q21 14 25 11.5"), (0.9, "M34.2 -5.4h.1")),
    ),
    "rhino": Silhouette(
        rounds=((21, 16, 14, 8.5, 0), (35, 15, 6, 6, 0)),
        lines=(
            (7, "M35 16L42 20"),
            (5.2, "M11 21V29.4M18 22V29.4M26 22V29.4M32 21V29.4"),
            (1.6, "M33 9.5L32 5.5L35.5 8"),
            (1.4, "M7.5 13Q4 16 5 21"),
        ),
        fills="M42.5 17L49 7L45.5 20ZM38 14L40.5 8L41.5 15.5Z",
        light=((1, "M30 10Q27 16 30.5 22"), (1.2, "M38.5 16.5h.1")),
    ),
    "giraffe": Silhouette(
        rounds=((17, 12, 8.5, 5, -16), (34.5, -9, 4.2, 2, 22)),
        lines=(
            (4.2, "M22 9L31.5 -9"),
            (2.3, "M11 15L10 31M14 15L14.5 31M21 14L21 31M24 12L25 31"),
            (1.1, "M31 -10L30 -13.5M33 -10L33 -13.5M9 11Q6 14 7 20"),
        ),
        light=(
            (1.7, "M13 13h.1M17 10.5h.1M18 14.5h.1M21.5 10h.1M24 6.5h.1M25.5 2h.1M28 -1.5h.1M29.5 -6h.1"),
            (0.9, "M34 -9.6h.1"),
        ),
    ),
    "zebra": Silhouette(
        rounds=((20, 15, 12, 6.5, 0), (37.5, 7.5, 5, 2.7, 30)),
        lines=(
            (6.4, "M28 13L34 6.5"),
            (2.7, "M11 18L10 31M15 19L15.5 31M26 18L25.5 31M29.5 17L30 31"),
            (1.4, "M8.5 12Q4 16 5 23M33 4L32.5 .5"),
            (1.6, "M24 8Q28 3 33 2"),
        ),
        light=(
            (1.1, "M13 9.5Q11 15 13.5 20.5M17 8.8Q15.5 15 17.5 21M21 8.6Q20.5 15 21.5 21M25 9Q26 14 25 20.5"),
            (1.1, "M27 7.5L32 12M29.5 5L34 9.5M35.5 5L34.5 9"),
            (0.9, "M37 6.6h.1"),
        ),
    ),
    "warthog": Silhouette(
        rounds=((20, 17, 13, 7.5, 0), (35, 17, 7, 6, 20)),
        lines=(
            (5, "M37 18L43.5 22"),
            (3.4, "M11 21V30.3M16 22V30.3M26 22V30.3M30 21V30.3"),
            (1.4, "M8 13Q3 8 6 2M5 3.5L7.5 1"),
            (1.2, "M16 11L14.5 7M20 10.5L19 6.5M24 10.5L23.5 6.5M28 11L28 7"),
            (1.8, "M33 12L31 8"),
            (1.5, "M42 23Q47 22 46.5 16.5M39 17Q41.5 16 41.5 13"),
        ),
        light=((1.2, "M36 15h.1"), (0.9, "M31.5 11.5Q28.5 16 31 22")),
    ),
}


def silhouette(animal: str, right: float, foot: float, size: float) -> Drawing:
    """An animal with its feet at that height and its front at about that position; `size` is a unit in millimetres."""
    return moved(right - 50 * size, foot - 32 * size, _animal(animal), scale=size)


@cache
def _animal(name: str) -> Drawing:
    animal, filled = ANIMALS[name], Style(fill=ink.INK)
    return (
        *(Path(ellipse(*shape), filled) for shape in animal.rounds),
        Path(path_data(animal.fills), filled),
        *(
            Path(path_data(data), Style(stroke=colour, width=width, round_caps=True))
            for colour, limbs in ((ink.INK, animal.lines), (ink.PAPER, animal.light))
            for width, data in limbs
        ),
    )

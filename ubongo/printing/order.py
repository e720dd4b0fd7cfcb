"""Print settings, and the layout of the paper in millimetres, independent of PDF."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from ubongo import words

# From a code (words/print) and its values to the printed text.
Say = Callable[..., str]
PAPERS = {"a4": (210.0, 297.0), "letter": (215.9, 279.4)}
# Long and short: the edge over which a printer turns the paper. None: one side each, to be glued back to back.
FLIPS = ("long", "short", "none")
SMALLEST, LARGEST = 0.5, 2.0
# No printer prints up to the edge, and cutting marks lie outside the parts.
SAFE = 10.0


class TooLarge(ValueError):
    """Something does not fit on the paper at the requested scale."""


class Order(Struct, frozen=True):
    """`edition` is its id; `url` the server that the codes lead to, or empty."""

    edition: str
    paper: str = "a4"
    scale: float = 1.0
    duplex: str = "long"
    language: str = "en"
    url: str = ""

    def say(self, code: str, **values: object) -> str:
        return words.printed(self.language)[code].format_map(values)

    def part_name(self, game: str, part: str) -> str:
        """A part's title. The pieces of 3-D are solids, for which Polish has another word."""
        return self.say("part_blocks" if (game, part) == ("cubes", "pieces") else f"part_{part}")

    @property
    def upright(self) -> tuple[float, float]:
        return PAPERS[self.paper]

    @property
    def across(self) -> tuple[float, float]:
        width, height = self.upright
        return height, width

    def turned_sideways(self, size: tuple[float, float]) -> bool:
        """Whether the paper is turned over its left or right edge, like the page of a book; else over the bottom."""
        width, height = size
        return self.duplex == "none" or (self.duplex == "long") == (height > width)


IN_ENGLISH: Say = Order(edition="").say

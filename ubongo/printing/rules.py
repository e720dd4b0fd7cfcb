"""The rules of a game on two pages: those of docs/rules, as they are for people with paper before them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib.resources import files
from itertools import takewhile
from typing import Literal

from msgspec import Struct

from ubongo.printing import ink
from ubongo.printing.lettering import broken
from ubongo.printing.order import Order
from ubongo.printing.page import A4, words
from ubongo.printing.sheet import Sheet, whole_page
from ubongo.words import printed

PAGES = 2
MARGIN, TOP, FOOT = 18.0, 22.0, 279.0
NUMBER = 12.0
# Options that people with paper do not have: nothing looks over their shoulder, and no clock decides for them.
ON_SCREEN = ("checking", "round_s", "grab_s", "places")
# The largest letters with which all has room are taken.
SIZES = (4.2, 4.0, 3.8, 3.6, 3.4, 3.2, 3.0, 2.8)


class Block(Struct, frozen=True):
    """What stands below each other on a page. A rule says its number and itself, a row the cells of a table,
    whose first row is its columns.
    """

    kind: Literal["title", "head", "text", "rule", "columns", "row", "point"]
    said: tuple[str, ...]


def rules_pages(order: Order, game: str, setting_up: Sequence[str]) -> Iterator[Sheet]:
    blocks = [*blocks_of(text(game, order.language), order), Block("head", (order.say("rules_for_paper"),))]
    blocks += [Block("point", (point,)) for point in setting_up]
    pages = next(pages for size in SIZES for pages in [_flowed(blocks, size)] if len(pages) <= PAGES)
    title = f"{order.say(game)} · {order.say('part_rules')}"
    for number, body in enumerate(pages, 1):
        yield whole_page(order, A4, body, f"{title} · {order.say('page', sheet=number)}")


def text(game: str, language: str) -> str:
    """Beside us in what is installed, in docs/ where people work on it: written once."""
    home = files("ubongo").joinpath("printing", "rules")
    if not home.is_dir():
        home = files("ubongo").joinpath("..", "docs", "rules")
    folder = home if language == "en" else home.joinpath(language)
    return folder.joinpath(f"{game}.md").read_text(encoding="utf-8")


def blocks_of(page: str, order: Order) -> Iterator[Block]:
    """
    >>> list(blocks_of("# Extreme", Order("")))
    [Block(kind='title', said=('Extreme',))]
    """
    for part in re.split(r"\n{2,}", page.strip()):
        if part.startswith("#"):
            yield Block("head" if part.startswith("##") else "title", (part.lstrip("# "),))
        elif part.startswith("|"):
            for line, row in enumerate(part.splitlines()):
                cells = on_paper(tuple(plain(cell) for cell in re.split(r"(?<!\\)\|", row)[1:-1]), order)
                if cells[-1] and not all(set(cell) <= {"-"} for cell in cells):
                    yield Block("rule" if len(cells) == 2 else "row" if line else "columns", cells)
        else:
            yield Block("text", (plain(part),))


def on_paper(cells: tuple[str, ...], order: Order) -> tuple[str, ...]:
    """A rule as it is said to people with paper, where a screen makes it another; or nothing, where there it is none.

    >>> on_paper(("Q19", "No gem is ever made or lost."), Order(""))
    ('Q19', '')
    """
    number, *_ = cells
    said = printed(order.language).get(f"paper_{number}")
    return cells if said is None else (number, said)


def plain(said: str) -> str:
    """Without marks, and without what only a screen needs: names of options in their brackets, links to other pages.

    >>> plain("It runs for 60 seconds (`hourglass_s`). [All](shared.md) holds.")
    'It runs for 60 seconds.'
    """
    said = re.sub(r"\[[^\]]*\]\(shared\.md\)[^.]*\.", "", " ".join(said.split()))
    said = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", said)
    said = " ".join(one for one in re.split(r"(?<=\.) ", said) if not any(f"`{name}" in one for name in ON_SCREEN))
    said = re.sub(r" \(`[^`]+`\)", "", said)
    return re.sub(r"\*\*|(?<!\w)\*|\*(?!\w)", "", said.replace("\\|", "|")).strip()


def _flowed(blocks: Sequence[Block], size: float) -> list[str]:
    """Every block in its lines, page after page."""
    pages, y = [""], TOP
    for place, block in enumerate(blocks):
        drawn, height = _drawn(block, size)
        if y + height + _kept_below(blocks[place:], size) > FOOT:
            pages.append("")
            y = TOP
        pages[-1] += f'<g transform="translate({MARGIN:g} {y:g})">{drawn}</g>'
        y += height
    return pages


def _kept_below(blocks: Sequence[Block], size: float) -> float:
    """How much has to have room below the first: no heading stays alone at the foot of a page, no table is torn."""
    first, *later = blocks
    if first.kind == "head":
        return 4 * size
    if first.kind not in {"text", "columns"}:
        return 0
    return sum(_drawn(one, size)[1] for one in takewhile(lambda one: one.kind in {"columns", "row"}, later))


def _drawn(block: Block, size: float) -> tuple[str, float]:
    """A block from its own upper left, and how high it is."""
    width, leading = A4[0] - 2 * MARGIN, 1.36 * size
    if block.kind == "title":
        return words(0, 2.2 * size, 2.2 * size, block.said[0], "strong"), 3.6 * size
    if block.kind == "head":
        return words(0, 2.4 * size, 1.4 * size, block.said[0], "strong"), 3.3 * size
    columns = _columns(block, width)
    lines = [
        (x, broken(said, size, room), kind) for said, (x, room, kind) in zip(block.said, columns, strict=True) if said
    ]
    drawn = "".join(
        words(x, size + row * leading, size, line, kind) for x, own, kind in lines for row, line in enumerate(own)
    )
    if block.kind == "point":
        drawn += f'<circle cx="1" cy="{0.7 * size:g}" r="{0.16 * size:g}" fill="{ink.RIM}"/>'
    height = max(len(own) for _, own, _ in lines) * leading
    return drawn, height + 0.5 * size + (size if block.kind == "text" else 0)


def _columns(block: Block, width: float) -> list[tuple[float, float, str]]:
    """Where each of a block's texts begins, how much room it has, and its kind."""
    if block.kind == "rule":
        return [(0, NUMBER, "strong"), (NUMBER, width - NUMBER, "")]
    if block.kind == "point":
        return [(5, width - 5, "")]
    share = width / len(block.said)
    kind = "strong" if block.kind == "columns" else ""
    return [(place * share, share - 3, kind) for place in range(len(block.said))]

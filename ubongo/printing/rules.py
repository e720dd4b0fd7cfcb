"""The rules of a game for families, with pictures, on two pages: docs/rules/family, without what is for screens."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Literal

from msgspec import Struct

from ubongo.printing import ink
from ubongo.printing.drawing import Drawing, Path, Style, circle, moved
from ubongo.printing.lettering import broken, width
from ubongo.printing.order import Order
from ubongo.printing.outline import Box
from ubongo.printing.page import A4, words
from ubongo.printing.rule_pictures import drawn as picture
from ubongo.printing.sheet import PaperSide, whole_page

PAGES = 2
MARGIN, TOP, FOOT = 18.0, 20.0, 281.0
GAP = 5.0
# Letter sizes to try: the largest with which everything fits is used.
SIZES = (4.2, 4.0, 3.8, 3.6, 3.4, 3.2, 3.0, 2.8, 2.6)
# In units of the letter size: the height of a picture and of a small one, and the width of one with text next to it.
HIGH, LOW, BESIDE = 7.0, 3.6, 6.0
ICONS = frozenset(("ruby", "sapphire", "emerald", "amber", "bag", "stack", "glass", "crown"))
SMALL = ICONS | {"display", "dice-pair"}
# Marks text that applies only on screen.
ON_SCREEN = re.compile(r" ?\{screen: [^}]*\}")


class Block(Struct, frozen=True):
    """One of the blocks that a page consists of. Figures are pictures by name, each with its text."""

    kind: Literal["title", "head", "text", "point", "question", "figures"]
    said: tuple[str, ...]
    pictures: tuple[str, ...] = ()


def rules_pages(order: Order, game: str, setting_up: Sequence[str]) -> Iterator[PaperSide]:
    blocks = [*blocks_of(family(game, order.language)), Block("head", (order.say("rules_for_paper"),))]
    blocks += [Block("point", (point,)) for point in setting_up]
    blocks.append(Block("text", (_precise(order, game),)))
    pages = next(pages for size in SIZES for pages in [_flowed(blocks, size)] if len(pages) <= PAGES)
    title = f"{order.say(game)} · {order.say('part_rules')}"
    for number, body in enumerate(pages, 1):
        yield whole_page(order, A4, body, f"{title} · {order.say('page', sheet=number)}")


def _precise(order: Order, game: str) -> str:
    """Where the numbered rules are."""
    numbers = re.findall(r"\*\*([A-Z]\d+)\*\*", _home().joinpath(f"{game}.md").read_text(encoding="utf-8"))
    where = f" ({order.url}/rules/{game})" if order.url else ""
    return order.say("rules_precise", first=numbers[0], last=numbers[-1], where=where)


def family(game: str, language: str) -> str:
    return _home().joinpath("family", language, f"{game}.md").read_text(encoding="utf-8")


def _home() -> Traversable:
    """The folder with the rules: in the package if installed, in docs/ in a source tree."""
    home = files("ubongo").joinpath("printing", "rules")
    return home if home.is_dir() else files("ubongo").joinpath("..", "docs", "rules")


def blocks_of(page: str) -> Iterator[Block]:
    """The blocks, without those that apply only on screen; for a title or a question, without everything below it.

    >>> page = "# Extreme\\n\\n## {screen: On screen} {#lay}\\n\\nDrag it.\\n\\n## The end {#end}\\n\\n![crown] Done."
    >>> [block.said for block in blocks_of(page)]
    [('Extreme',), ('The end',), ('Done.',)]
    """
    head, *sections = re.split(r"\n(?=## )", ON_SCREEN.sub("", page).strip())
    title, *about = _section(head)
    yield title
    yield from [block for block in about if block.kind == "text"]
    if facts := [block.said[0] for block in about if block.kind == "point"]:
        yield Block("text", (" · ".join(facts),))
    for section in sections:
        title, *blocks = _section(section)
        if title.said[0] and blocks:
            yield title
            yield from blocks


def _section(text: str) -> list[Block]:
    blocks: list[Block] = []
    parts = iter(re.split(r"\n{2,}", text.strip()))
    for part in parts:
        if part.startswith("###"):
            question, answer = _line(part[3:]), _line(next(parts))
            blocks += [Block("question", (question, answer))] if question else []
        else:
            blocks += _read(part)
    return blocks


def _read(part: str) -> Iterator[Block]:
    if part.startswith("#"):
        said = re.sub(r"\{#\w+\}", "", part.lstrip("#")).strip()
        yield Block("head" if part.startswith("##") else "title", (said,))
    elif part.startswith("!["):
        found = [(name, _line(said)) for name, said in re.findall(r"!\[([a-z-]+)\] ([^!]+(?:![^\[][^!]*)*)", part)]
        yield Block("figures", tuple(said for _, said in found), tuple(name for name, _ in found))
    elif part.startswith("-"):
        for item in re.split(r"\n(?=-)", part):
            if said := _line(item[1:]):
                yield Block("point", (said,))
    else:
        yield Block("text", (_line(part),))


def _line(said: str) -> str:
    return " ".join(said.split())


# Layout


def _flowed(blocks: Sequence[Block], size: float) -> list[Drawing]:
    """All blocks, distributed over pages."""
    pages: list[Drawing] = [()]
    y = TOP
    for place, block in enumerate(blocks):
        body, height = _drawn(block, size)
        # No heading stays alone at the bottom of a page.
        below = _drawn(blocks[place + 1], size)[1] if block.kind == "head" else 0
        if y + height + below > FOOT:
            pages.append(())
            y = TOP
        pages[-1] += moved(MARGIN, y, body)
        y += height
    return pages


def _drawn(block: Block, size: float) -> tuple[Drawing, float]:
    """A block drawn from its own upper left corner, and its height."""
    room = A4[0] - 2 * MARGIN
    match block.kind:
        case "title":
            return words(0, 2.2 * size, 2.2 * size, block.said[0], "strong"), 3.2 * size
        case "head":
            return words(0, 2.2 * size, 1.4 * size, block.said[0], "strong"), 3.0 * size
        case "figures":
            return _figures(block, size, room)
        case "point":
            body, height = _lines(block.said[0], size, 5, room - 5)
            return (*body, Path(circle(1, 0.7 * size, 0.16 * size), Style(fill=ink.RIM))), height
        case "question":
            question, answer = block.said
            return _lines(f"**{question}** {answer}", size, 0, room)
    return _lines(block.said[0], size, 0, room)


def _figures(block: Block, size: float, room: float) -> tuple[Drawing, float]:
    """Figures in a row, each above its text; a single one has its text next to it."""
    count = len(block.pictures)
    if count == 1:
        beside = BESIDE * size
        text, height = _lines(block.said[0], size, beside + GAP, room - beside - GAP)
        height = max(height, LOW * size if block.pictures[0] in ICONS else HIGH * size)
        return picture(block.pictures[0], Box(0, 0, beside, height - size)) + text, height + 0.4 * size
    column = (room - (count - 1) * GAP) / count
    high = (LOW if SMALL.issuperset(block.pictures) else HIGH) * size
    body: Drawing = ()
    lowest = 0.0
    for place, (name, said) in enumerate(zip(block.pictures, block.said, strict=True)):
        x = place * (column + GAP)
        caption, height = _lines(said, size, x, column, below=True)
        body += picture(name, Box(x, 0, column, high)) + moved(0, high + 0.4 * size, caption)
        lowest = max(lowest, height)
    return body, high + lowest + 0.8 * size


def _lines(said: str, size: float, x: float, room: float, below: bool = False) -> tuple[Drawing, float]:
    """A text in lines. Its beginning between stars is bold, and the rest continues after it, or `below`."""
    lead, rest = _led(said)
    body: Drawing = ()
    leading, row = 1.32 * size, 0
    indent = 0.0
    for line in broken(lead, size, room, strong=True) if lead else ():
        body += words(x, size + row * leading, size, line, "strong")
        indent = 0 if below else width(line, size, strong=True) + width(" ", size)
        row += 1
    lines = broken(rest, size, room, indent=indent)
    row -= 1 if indent else 0
    for number, line in enumerate(lines):
        body += words(x + (0 if number else indent), size + row * leading, size, line) if line else ()
        row += 1
    return body, row * leading + 0.45 * size


def _led(said: str) -> tuple[str, str]:
    """
    >>> _led("**Ruby 4** 9, only in the bag")
    ('Ruby 4', '9, only in the bag')
    """
    found = re.match(r"\*\*(.+?)\*\* ?(.*)", said)
    lead, rest = (found[1], found[2]) if found is not None else ("", said)
    return lead, rest.replace("**", "")

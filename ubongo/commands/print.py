"""`ubongo print`: an edition as a PDF to cut out and play with, on a real table."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import json

from ubongo.commands import Complaint, Flag
from ubongo.commands._support.editions import edition_of, known
from ubongo.commands._support.output import STANDARD_OUTPUT, Out, writing, written
from ubongo.commands._support.progress_bar import progress
from ubongo.commands._support.solids import solids_asked, write_solids
from ubongo.material.cubes import CubesEdition
from ubongo.words import LANGUAGES

if TYPE_CHECKING:
    from ubongo.material import Edition
    from ubongo.printing.order import Order


def print(  # noqa: A001 - it is what the command is called
    game: str,
    /,
    *,
    out: Out,
    edition: Path | None = None,
    part: str = "all",
    paper: str = "a4",
    scale: float = 1.0,
    duplex: str = "long",
    lang: str = "en",
    url: str | None = None,
    edge: float | None = None,
    clearance: float | None = None,
    mesh: str | None = None,
    pages: Flag = False,
    force: Flag = False,
) -> None:
    """
    Parameters
    ----------
    game
        cards, dice, extreme or cubes.
    out
        The PDF to write (- is standard output); for the pieces of cubes alone a folder, for solids to print in 3-D.
    edition
        The file of an edition; without it, the one that comes with the program.
    part
        Only this: boards, pieces, cards, sheets, dice, gems, booklet or rules; each game has some of them. Or starter:
        what one evening needs, on 8 to 12 pages.
    paper
        a4 or letter.
    scale
        1 is true to size; 0.5 to 2. Print all parts of a game at the same scale.
    duplex
        How your printer turns the paper for the back: long (over the long edge), short, or none (one side only).
    lang
        The language on the paper: en, de or pl.
    url
        The address of a server: every board gets a code that opens its page there.
    edge
        Of the pieces of cubes: how long a cube's edge is, in millimetres; without it, as wide as the boards' squares.
    clearance
        Of the pieces of cubes: how much smaller each is on every side, in millimetres; by default 0.15.
    mesh
        Of the pieces of cubes: the file format, stl (the default) or 3mf.
    pages
        Instead of the PDF, write how many pages each choice of part would have, as JSON.
    force
        Overwrite existing files.
    """
    known(game)
    parts = parts_of(game, part)
    one_of("paper", paper, ("a4", "letter"))
    one_of("duplex", duplex, ("long", "short", "none"))
    one_of("lang", lang, LANGUAGES)
    if not 0.5 <= scale <= 2:
        raise Complaint(f"--scale is {scale:g}; it is from 0.5 to 2, and 1 is true to size")
    if out == STANDARD_OUTPUT and sys.stdout.isatty() and not pages:
        raise Complaint("--out is -, and standard output is a terminal, which shows no PDF; name a file, or send it on")
    solids = solids_asked(game, part, edge, clearance, mesh)
    chosen = edition_of(game, edition)
    from ubongo.printing.order import Order  # what draws is for those who print

    order = Order(chosen.id, paper, scale, duplex, lang, address(url))
    if pages:
        write_counts(chosen, order, out, force)
    elif isinstance(chosen, CubesEdition) and parts == ("pieces",) and (out.suffix.lower() != ".pdf" or solids.asked):
        write_solids(chosen, order, solids, out, force)
    else:
        write(chosen, parts, order, out, force)


def parts_of(game: str, part: str) -> tuple[str, ...]:
    from ubongo.printing.parts import PARTS, STARTER

    if part == "all":
        return PARTS[game]
    one_of("part", part, (*PARTS[game], STARTER, "all"), f"{game} has ")
    return (part,)


def one_of(flag: str, given: str, there: tuple[str, ...], who: str = "it is ") -> None:
    if given not in there:
        raise Complaint(f"--{flag} is {given!r}; {who}{', '.join(there[:-1])} or {there[-1]}")


def address(url: str | None) -> str:
    """The server's address without the final slash; it is printed, so it has to be complete."""
    if url is None:
        return ""
    scheme, _, rest = url.partition("://")
    if scheme not in {"http", "https"} or not rest.strip("/") or any(sign.isspace() or sign in "?#" for sign in url):
        raise Complaint(f"--url is {url!r}; it is a server's address like https://play.example.org")
    return url.rstrip("/")


def write(edition: Edition, parts: tuple[str, ...], order: Order, out: Path, force: bool) -> None:
    from ubongo.printing.parts import whole
    from ubongo.printing.pdf import write as write_pdf

    with _drawing(edition, order), writing(out, force) as file, progress() as tell:
        tell("drawing", 0, 1)
        sheets = list(whole(edition, parts, order))
        tell("drawing", 1, 1)
        pages = ((sheet.size, sheet.body) for sheet in sheets)
        count = write_pdf(pages, file, f"Ubongo · {edition.id}", lambda page: tell("writing", page, len(sheets)))
    written(out, f"{count} pages, {', '.join(parts)}")


def write_counts(edition: Edition, order: Order, out: Path, force: bool) -> None:
    from ubongo.printing.parts import page_counts

    with _drawing(edition, order), writing(out, force) as file:
        counts = page_counts(edition, order)
        file.write(json.encode(counts) + b"\n")
    written(out, f"{counts['all']} pages in all")


@contextmanager
def _drawing(edition: Edition, order: Order) -> Iterator[None]:
    from ubongo.printing.order import TooLarge
    from ubongo.printing.solutions import NotSolved

    try:
        yield
    except TooLarge:
        raise Complaint(f"--scale {order.scale:g} is too large for {order.paper}: not one of them has room") from None
    except NotSolved as problem:
        raise Complaint(f"edition {edition.id} is refused: {problem}; ubongo check says more") from None

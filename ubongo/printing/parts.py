"""A game's parts as sheets: which there are, and what comes with each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ubongo.games import extreme as extreme_game
from ubongo.material import Edition, game_of
from ubongo.material.extreme import ExtremeEdition
from ubongo.printing import extreme_board, gems
from ubongo.printing.cover import cover
from ubongo.printing.order import Order
from ubongo.printing.sheet import Kind, Sheet, Thing, counting, sheets

# In the order in which 'all' prints them.
PARTS = {
    "extreme": ("boards", "pieces", "gems"),
}
Batch = tuple[Kind, Sequence[Thing]]


def printed(edition: Edition, part: str, order: Order) -> Iterator[Sheet]:
    """Every page of a part. It begins with one that says how to print it and how to set up."""
    return MAKERS[game_of(edition), part](edition, order)


def _extreme_boards(edition: ExtremeEdition, order: Order) -> Iterator[Sheet]:
    things = list(extreme_board.boards(edition, order))
    yield from _cut(order, "extreme", "boards", [(extreme_board.BOARD, things)], len(things))


def _extreme_pieces(edition: ExtremeEdition, order: Order) -> Iterator[Sheet]:
    kind, things = extreme_board.pieces(edition)
    yield from _cut(order, "extreme", "pieces", [(kind, _without_backs(things, order))], len(things))


def _extreme_gems(_: ExtremeEdition, order: Order) -> Iterator[Sheet]:
    things, chips = list(gems.gems(extreme_game.GEMS)), list(gems.chips(order))
    yield from _cut(order, "extreme", "gems", [(gems.TOKEN, _without_backs(things, order)), (gems.CHIP, chips)])


MAKERS: dict[tuple[str, str], Callable[..., Iterator[Sheet]]] = {
    ("extreme", "boards"): _extreme_boards,
    ("extreme", "pieces"): _extreme_pieces,
    ("extreme", "gems"): _extreme_gems,
}


def _without_backs(things: Sequence[Thing], order: Order) -> Sequence[Thing]:
    """What is the same on both sides needs no back where that would have to be glued on."""
    return [Thing(thing.name, thing.front) for thing in things] if order.duplex == "none" else things


def _cut(
    order: Order, game: str, part: str, batches: Sequence[Batch], count: int = 0, **values: object
) -> Iterator[Sheet]:
    """The first page, and after it the sheets with what is to be cut out."""
    backs = any(thing.back for _, things in batches for thing in things)
    printing = [order.say(f"flip_{order.duplex}" if backs else "no_backs")]
    kind = batches[0][0]
    if kind.marks:
        size = {"width": f"{kind.width * order.scale:g}", "height": f"{kind.height * order.scale:g}"}
        printing.append(order.say("part_size", **size))
    else:
        printing.append(order.say("cut_outline"))
    printing.append(order.say("grey_is_enough"))
    playing = order.say(f"{game}_{part}", count=count, **values).split("|")
    first = cover(order, game, part, printing, playing)
    yield first
    if backs and order.duplex != "none":
        # The next front has to come on a front.
        yield Sheet(first.size, "")
    title, numbers = f"{order.say(game)} · {order.say(f'part_{part}')}", counting()
    for kind, things in batches:
        yield from sheets(order, kind, things, title, numbers)

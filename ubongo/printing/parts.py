"""A game's parts as sheets."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, groupby

from ubongo.games import cubes as cubes_game
from ubongo.games import extreme as extreme_game
from ubongo.material import Edition, game_of
from ubongo.material.cards import SIDES, CardsEdition
from ubongo.material.cubes import COPIES, CubesEdition
from ubongo.material.dice import DiceEdition
from ubongo.material.extreme import ExtremeEdition
from ubongo.printing import cards, cubes_board, dice, dice_net, extreme_board, gems, ink
from ubongo.printing.cover import cover
from ubongo.printing.cubes import cubes_body, twins
from ubongo.printing.extreme import extreme_body
from ubongo.printing.order import Order
from ubongo.printing.page import A4, A5
from ubongo.printing.rules import rules_pages
from ubongo.printing.sheet import PaperSide, Thing, ThingKind, counting, on_leaves, sheets, two_pages, whole_page
from ubongo.printing.solutions import solutions
from ubongo.printing.starter import order_of, starter

# Not a part itself, but a selection from all parts.
STARTER = "starter"
# In the order in which 'all' prints them.
PARTS = {
    "cards": ("cards", "rules"),
    "dice": ("sheets", "dice", "rules"),
    "extreme": ("boards", "pieces", "gems", "booklet", "rules"),
    "cubes": ("boards", "pieces", "gems", "dice", "booklet", "rules"),
}
CARD = ThingKind(cards.WIDTH, cards.HEIGHT, grounds=("", ink.CARD_BLACK))
SheetBatch = tuple[ThingKind, Sequence[Thing]]


def printed(edition: Edition, part: str, order: Order) -> Iterator[PaperSide]:
    """Every page of a part. The first one says how to print it and how to set up.

    Raises NotSolved if the edition's solutions are wrong, before anybody cuts out 54 boards.
    """
    if isinstance(edition, ExtremeEdition | CubesEdition):
        deque(solutions(edition), maxlen=0)
    return MAKERS[game_of(edition), part](edition, order)


def whole(edition: Edition, parts: Sequence[str], order: Order) -> Iterator[PaperSide]:
    """All pages of some parts, in the order in which they are printed."""
    if tuple(parts) == (STARTER,):
        order = order_of(game_of(edition), order)
    return on_leaves(order, (sheet for part in parts for sheet in printed(edition, part, order)))


def page_counts(edition: Edition, order: Order) -> dict[str, int]:
    """How many pages each choice has: everything, the starter pack, and every part by itself."""
    drawn = {part: list(printed(edition, part, order)) for part in PARTS[game_of(edition)]}
    pages = {"all": on_leaves(order, chain(*drawn.values())), STARTER: whole(edition, (STARTER,), order)}
    pages |= {part: on_leaves(order, sheets) for part, sheets in drawn.items()}
    return {choice: sum(1 for _ in sheets) for choice, sheets in pages.items()}


def _extreme_boards(edition: ExtremeEdition, order: Order) -> Iterator[PaperSide]:
    things = list(extreme_board.boards(edition, order))
    yield from _cut(order, "extreme", "boards", [(extreme_board.BOARD, things)], len(things))


def _extreme_pieces(edition: ExtremeEdition, order: Order) -> Iterator[PaperSide]:
    kind, things = extreme_board.pieces(edition)
    yield from _cut(order, "extreme", "pieces", [(kind, _without_backs(things, order))], len(things))


def _extreme_gems(_: ExtremeEdition, order: Order) -> Iterator[PaperSide]:
    things, chips = list(gems.gems(extreme_game.GEMS)), list(gems.chips(order))
    batches = [(gems.TOKEN, _without_backs(things, order)), (gems.CHIP, chips)]
    yield from _cut(order, "extreme", "gems", batches, chip=f"{gems.CHIP.width * order.scale:g}")


def _cards(edition: CardsEdition, order: Order) -> Iterator[PaperSide]:
    """White on the front, black on the back. Stack after stack, so that nobody has to sort them."""
    things = [
        Thing(f"{stack.stack}-{number}", *(cards.card_face(stack.stack, number, card, side) for side in SIDES))
        for stack in edition.stacks
        for number, card in enumerate(stack.cards, 1)
    ]
    yield from _cut(order, "cards", "cards", [(CARD, things)])


def _dice_sheets(edition: DiceEdition, order: Order) -> Iterator[PaperSide]:
    yield _cover(order, "dice", "sheets", [])
    for number, sheet in enumerate(edition.sheets, 1):
        title = f"{order.say('dice')} · {order.say('sheet', sheet=number)}"
        yield whole_page(order, A4, dice.sheet_body(number, sheet, order.say), title)


def _dice(_: DiceEdition, order: Order) -> Iterator[PaperSide]:
    batches = [(dice_net.NET, list(dice_net.nets())), (dice_net.STICKER, list(dice_net.stickers()))]
    yield from _cut(order, "dice", "dice", batches, edge=f"{dice_net.STICKER_EDGE * order.scale:g}")


def _cubes_boards(edition: CubesEdition, order: Order) -> Iterator[PaperSide]:
    things = list(cubes_board.boards(edition, order))
    yield from _cut(order, "cubes", "boards", [(extreme_board.BOARD, things)], len(things))


def _cubes_pieces(edition: CubesEdition, order: Order) -> Iterator[PaperSide]:
    """A picture of each type with its number of copies; the pieces themselves are meshes."""
    edge = f"{cubes_board.cube_edge(edition) * order.scale:g}"
    values = {"count": sum(COPIES), "twins": twins(order.say), "edge": edge}
    yield _cover(order, "cubes", "pieces", ["blocks_made"], **values)
    title = f"{order.say('cubes')} · {order.part_name('cubes', 'pieces')}"
    yield whole_page(order, A4, cubes_board.all_types(order), title)


def _cubes_gems(_: CubesEdition, order: Order) -> Iterator[PaperSide]:
    things = list(gems.gems(cubes_game.GEMS))
    yield from _cut(order, "cubes", "gems", [(gems.TOKEN, _without_backs(things, order))])


def _cubes_dice(_: CubesEdition, order: Order) -> Iterator[PaperSide]:
    yield from _cut(order, "cubes", "dice", [(gems.TOKEN, list(gems.numbers()))])


def _booklet(edition: ExtremeEdition | CubesEdition, order: Order) -> Iterator[PaperSide]:
    """One page per board; Extreme has two next to each other, each half as large as the paper."""
    game = game_of(edition)
    yield _cover(order, game, "booklet", [])
    title = f"{order.say(game)} · {order.say('part_booklet')}"
    boards = [tuple(solved) for _, solved in groupby(solutions(edition), key=lambda one: one.board)]
    if isinstance(edition, CubesEdition):
        for solved in boards:
            yield whole_page(order, A4, cubes_body(solved, order.say), title)
    else:
        for first in range(0, len(boards), 2):
            pair = [extreme_body(solved, order.say) for solved in boards[first : first + 2]]
            yield two_pages(order, A5, pair, title)


def _rules(edition: Edition, order: Order) -> Iterator[PaperSide]:
    """The rules, followed by what players do by hand."""
    game = game_of(edition)
    values = {"count": len(getattr(edition, "boards", ())), "edge": f"{dice_net.STICKER_EDGE * order.scale:g}"}
    at_table = [part for part in PARTS[game] if part in {"boards", "cards", "sheets", "gems"}]
    points = [point for part in at_table for point in order.say(f"{game}_{part}", **values).split("|")]
    if game == "cubes":
        points.append(order.say("twins", twins=twins(order.say)))
    return rules_pages(order, game, points)


MAKERS: dict[tuple[str, str], Callable[..., Iterator[PaperSide]]] = {
    ("cards", "cards"): _cards,
    ("dice", "sheets"): _dice_sheets,
    ("dice", "dice"): _dice,
    ("extreme", "boards"): _extreme_boards,
    ("extreme", "pieces"): _extreme_pieces,
    ("extreme", "gems"): _extreme_gems,
    ("extreme", "booklet"): _booklet,
    ("cubes", "boards"): _cubes_boards,
    ("cubes", "pieces"): _cubes_pieces,
    ("cubes", "gems"): _cubes_gems,
    ("cubes", "dice"): _cubes_dice,
    ("cubes", "booklet"): _booklet,
    **{(game, "rules"): _rules for game in PARTS},
    **{(game, STARTER): starter for game in PARTS},
}


def _without_backs(things: Sequence[Thing], order: Order) -> Sequence[Thing]:
    """Without backs, if these would have to be glued on: things that are the same on both sides need none."""
    return [Thing(thing.name, thing.front) for thing in things] if order.duplex == "none" else things


def _cut(
    order: Order, game: str, part: str, batches: Sequence[SheetBatch], count: int = 0, **values: object
) -> Iterator[PaperSide]:
    """The first page, followed by the sheets with the parts to cut out."""
    backs = any(thing.back for _, things in batches for thing in things)
    kind = batches[0][0]
    size = {"width": f"{kind.width * order.scale:g}", "height": f"{kind.height * order.scale:g}"}
    printing = [f"flip_{order.duplex}" if backs else "no_backs"]
    if part == "pieces":
        # Things with a back cannot be glued on cardboard, which would cover it.
        printing = [*printing, "cut_outline"] if backs else ["cut_glued"]
    elif kind.marks:
        printing.append("gem_and_chip_size" if "chip" in values else "part_size")
    yield _cover(order, game, part, [*printing, "grey_is_enough"], count=count, **size, **values)
    title, numbers = f"{order.say(game)} · {order.part_name(game, part)}", counting()
    for kind, things in batches:
        yield from sheets(order, kind, things, title, numbers)


def _cover(order: Order, game: str, part: str, printing: Sequence[str], **values: object) -> PaperSide:
    playing = order.say(f"{game}_{part}", **values).split("|")
    return cover(order, game, part, [order.say(code, **values) for code in printing], playing)

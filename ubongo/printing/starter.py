"""A starter pack: one evening for two to four players, on as few pages as possible.

Everything except the cards is printed on one side. Extreme is printed smaller than usual: boards and pieces of a pack
fit each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from ubongo.games import cubes as cubes_game
from ubongo.games import extreme as extreme_game
from ubongo.material import Edition
from ubongo.material.cards import CARDS, SIDES, CardsEdition
from ubongo.material.cubes import BOARDS_OF_AN_ANIMAL, CubesEdition
from ubongo.material.dice import DiceEdition
from ubongo.printing import cards, cubes_board, dice, dice_net, extreme_board, gems, ink
from ubongo.printing.cover import cover
from ubongo.printing.cubes import twins
from ubongo.printing.order import Order
from ubongo.printing.page import A4
from ubongo.printing.rules import rules_pages
from ubongo.printing.score import score_sheet
from ubongo.printing.sheet import PaperSide, Thing, ThingKind, counting, sheets, whole_page

MOST = 4
SMALL = 0.7
# It shares no divisor with 2, 3 or 4: boards go back under the stack, and nobody has one twice in nine rounds.
EXTREME_BOARDS = 11
# Each animal is played three times, with four boards to choose from.
ANIMALS = 3
CARD = ThingKind(cards.WIDTH, cards.HEIGHT, grounds=("", ink.CARD_BLACK))


def order_of(game: str, order: Order) -> Order:
    """The order for a starter pack: printed on one side, except for the cards."""
    if game == "cards":
        return order
    return replace(order, duplex="none", scale=order.scale * (SMALL if game == "extreme" else 1))


def starter(edition: Edition, order: Order) -> Iterator[PaperSide]:
    """Every page; the order is one of `order_of`."""
    if isinstance(edition, CardsEdition):
        return _cards(edition, order)
    if isinstance(edition, DiceEdition):
        return _dice(edition, order)
    if isinstance(edition, CubesEdition):
        return _cubes(edition, order)
    things = list(extreme_board.boards(edition, order))[:EXTREME_BOARDS]
    kind, pieces = extreme_board.pieces(edition)
    batches = [
        (extreme_board.BOARD, things),
        (kind, pieces),
        (gems.TOKEN, list(gems.gems(extreme_game.GEMS))),
        (gems.CHIP, list(gems.chips(order))),
    ]
    return _pack(order, "extreme", ["cut_glued"], ["extreme_gems"], batches, boards=len(things), pieces=len(pieces))


def _cards(edition: CardsEdition, order: Order) -> Iterator[PaperSide]:
    """One stack serves for all rounds: it is shuffled and dealt again. Stack 1 is the easiest."""
    stack = edition.stacks[0]
    things = [
        Thing(f"{stack.stack}-{number}", *(cards.card_face(stack.stack, number, card, side) for side in SIDES))
        for number, card in enumerate(stack.cards, 1)
    ]
    yield from _reading(order, "cards", [f"flip_{order.duplex}"], [], cards=CARDS)
    yield whole_page(order, A4, score_sheet(order, "cards", MOST, rounds=6), _title(order, "cards"))
    yield from sheets(order, CARD, things, _title(order, "cards"), counting())


def _dice(edition: DiceEdition, order: Order) -> Iterator[PaperSide]:
    """A copy of one sheet for each player, and the dice for all."""
    yield from _reading(order, "dice", ["one_side"], [], edge=f"{dice_net.STICKER_EDGE * order.scale:g}")
    title = f"{order.say('dice')} · {order.say('sheet', sheet=1)}"
    for _ in range(MOST):
        yield whole_page(order, A4, dice.sheet_body(1, edition.sheets[0], order.say), title)
    yield from sheets(order, dice_net.NET, list(dice_net.nets()), _title(order, "dice"), counting())


def _cubes(edition: CubesEdition, order: Order) -> Iterator[PaperSide]:
    """The blocks are those of the whole game. Gems and numbers have the same size, so they share a page."""
    things = list(cubes_board.boards(edition, order))[: ANIMALS * BOARDS_OF_AN_ANIMAL]
    animals = dict.fromkeys(board.animal for board in edition.boards[: len(things)])
    tokens = [*gems.gems(cubes_game.GEMS), *gems.numbers()]
    values = {
        "boards": len(things),
        "animals": ", ".join(order.say(animal) for animal in animals),
        "twins": twins(order.say),
        "edge": f"{cubes_board.cube_edge(edition) * order.scale:g}",
    }
    batches = [(extreme_board.BOARD, things), (gems.TOKEN, tokens)]
    printing = ["one_side", "blocks_made"]
    first, *rest = _pack(order, "cubes", printing, ["twins", "cubes_gems", "cubes_dice"], batches, **values)
    yield first
    yield whole_page(order, A4, cubes_board.all_types(order), _title(order, "cubes"))
    yield from rest


def _pack(
    order: Order,
    game: str,
    printing: Sequence[str],
    also: Sequence[str],
    batches: Sequence[tuple[ThingKind, Sequence[Thing]]],
    **values: object,
) -> Iterator[PaperSide]:
    """The pages to read, then the pages to cut out, without backs."""
    yield from _reading(order, game, printing, also, **values)
    numbers = counting()
    for kind, things in batches:
        fronts = [Thing(thing.name, thing.front) for thing in things]
        yield from sheets(order, kind, fronts, _title(order, game), numbers)


def _reading(
    order: Order, game: str, printing: Sequence[str], also: Sequence[str], **values: object
) -> Iterator[PaperSide]:
    """How to print it and how to set up, and the rules."""
    points = [point for code in (f"{game}_starter", *also) for point in order.say(code, **values).split("|")]
    said = [order.say(code, **values) for code in (*printing, "grey_is_enough")]
    yield cover(order, game, "starter", said, points)
    yield from rules_pages(order, game, points)


def _title(order: Order, game: str) -> str:
    return f"{order.say(game)} · {order.part_name(game, 'starter')}"

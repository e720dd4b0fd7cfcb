"""Makes an edition of any game from a seed, and proves one."""

from __future__ import annotations

from collections.abc import Callable

from ubongo.material import Edition, identify
from ubongo.material.cards import CardsEdition
from ubongo.material.cubes import CubesEdition
from ubongo.material.dice import DiceEdition
from ubongo.workshop import check_cards, check_cubes, check_dice, check_extreme, cubes, decks, extreme, sheets
from ubongo.workshop.crew import Crew
from ubongo.workshop.findings import Findings

MAKERS: dict[str, Callable[[int, Crew], Edition]] = {
    "cards": decks.make,
    "dice": sheets.make,
    "extreme": extreme.make,
    "cubes": cubes.make,
}


def make(game: str, seed: int, crew: Crew) -> Edition:
    """The same seed gives the same edition, to the byte, with any crew."""
    return identify(MAKERS[game](seed, crew))


def check(edition: Edition, hands: int, crew: Crew) -> Findings:
    """Proves an edition; the card game with that many random hands for each round."""
    if isinstance(edition, CardsEdition):
        return check_cards.check(edition, hands, crew)
    if isinstance(edition, DiceEdition):
        return check_dice.check(edition, crew)
    if isinstance(edition, CubesEdition):
        return check_cubes.check(edition, crew)
    return check_extreme.check(edition, crew)

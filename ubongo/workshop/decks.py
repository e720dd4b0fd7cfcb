"""The decks of the card game: for each round 36 faces, annealed until nearly every hand of nine can lay seven (K3).

The difficulty of a round is in *tries* (`kernel.hands.try_out`): the mean number that a person without a plan needs
until seven cards lie. The number of kinds of symbols alone does not order the rounds, since stacks with equally many
kinds differ by more than the steps between rounds. So several stacks are made for each round, and the one nearest to
the round's intended number of tries is chosen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from ubongo.chance import Chance
from ubongo.kernel import hands
from ubongo.kernel.faces import Aim, anneal
from ubongo.material.cards import CARDS, STACKS, Card, CardFace, CardsEdition, Stack
from ubongo.material.shapes import SYMBOLS, Symbol
from ubongo.workshop.crew import Crew

SWAPS = 200_000
HANDS = 40_000
# Some hands take thousands of tries: in a smaller sample one of them would decide.
PLAYS = 10_000
# At least 99.9 % of all hands must be able to lay seven; the longest sample needs more, so that others meet it too.
MOST_STUCK = {1_000: 1, 10_000: 5, HANDS: 10}
BATCH = 8
MOST_BATCHES = 20


class DeckRound(Struct, frozen=True):
    """How many kinds of symbols a round has, the tries it should take, and annealing's price for a surplus fit."""

    kinds: int
    tries: range
    fit: int


ROUNDS = {
    1: DeckRound(4, range(75, 86), 0),
    2: DeckRound(6, range(112, 123), 0),
    3: DeckRound(7, range(129, 139), 2),
    4: DeckRound(8, range(147, 157), 8),
    5: DeckRound(10, range(167, 177), 12),
    6: DeckRound(12, range(193, 209), 18),
}


class DeckTrial(Struct, frozen=True):
    """One stack of faces to make for a round."""

    seed: int
    round: int
    number: int
    swaps: int


class DeckFaces(Struct, frozen=True):
    """The faces of a round, how many of the first hands are stuck, and the total tries of all plays."""

    faces: tuple[CardFace, ...]
    stuck: dict[int, int]
    tries: int

    def suits(self, wanted: DeckRound) -> bool:
        low, high = wanted.tries[0] * PLAYS, (wanted.tries[-1] + 1) * PLAYS
        return low <= self.tries < high and all(self.stuck[number] <= most for number, most in MOST_STUCK.items())

    def off(self, wanted: DeckRound) -> int:
        """The distance from the middle of the intended range."""
        return abs(2 * self.tries - (wanted.tries[0] + wanted.tries[-1] + 1) * PLAYS)


def luck(seed: int) -> Chance:
    return Chance(f"cards {seed}")


def hands_of(seed: int, round_: int, number: int) -> NDArray[np.int64]:
    """The sample hands of a round, here and in `check`: a larger sample begins with the smaller one."""
    return hands.deal(luck(seed).word("hands", round_), CARDS, number)


def try_faces(trial: DeckTrial) -> DeckFaces:
    """Makes the faces for a round, and examines sample hands."""
    chance, wanted, label = luck(trial.seed), ROUNDS[trial.round], (trial.round, trial.number)
    squares = [number % wanted.kinds for number in range(6 * CARDS)]
    drawn = np.array(chance.shuffled(squares, "squares", *label), np.uint8).reshape(CARDS, 6)
    aim = Aim(misfit=100, lonely=3, fit=wanted.fit, warm=200, cold=5, swaps=trial.swaps)
    better = anneal(drawn, aim, chance.word("anneal", *label))
    kinds = chance.shuffled(SYMBOLS, "kinds", trial.round)
    return judged(trial.seed, trial.round, tuple(_face(row, kinds) for row in better.tolist()))


def _face(marks: Sequence[int], kinds: Sequence[Symbol]) -> CardFace:
    a, b, c, d, e, f = (kinds[mark] for mark in marks)
    return (a, b), (c, d), (e, f)


def judged(seed: int, round_: int, faces: tuple[CardFace, ...]) -> DeckFaces:
    """Examines sample hands of these faces; the tries stay 0 if more than one hand in a thousand is stuck."""
    numbers = [[SYMBOLS.index(mark) for row in face for mark in row] for face in faces]
    fits, sample = hands.fits(np.array(numbers, np.uint8)), hands_of(seed, round_, HANDS)
    can, _ = hands.lay_seven(fits, sample)
    stuck = {number: int((~can[:number]).sum()) for number in MOST_STUCK}
    if 1000 * stuck[HANDS] > HANDS:
        # Such faces are rejected, and playing their other hands would take long.
        return DeckFaces(faces, stuck, 0)
    tries, _ = hands.try_out(fits, sample[can][:PLAYS], luck(seed).word("tries", round_))
    return DeckFaces(faces, stuck, int(tries.sum()))


def choose(seed: int, rounds: Iterable[int], crew: Crew, swaps: int = SWAPS) -> dict[int, DeckFaces]:
    """For each round the faces nearest to the middle of its range, from the first batch that has suitable ones."""
    chosen: dict[int, DeckFaces] = {}
    wanted = list(rounds)
    for batch in range(MOST_BATCHES):
        trials = [
            DeckTrial(seed, round_, number, swaps)
            for number in range(BATCH * batch, BATCH * (batch + 1))
            for round_ in wanted
        ]
        made = crew.map(try_faces, trials, "cards")
        for round_ in wanted:
            aim = ROUNDS[round_]
            suiting = [
                these for trial, these in zip(trials, made, strict=True) if trial.round == round_ and these.suits(aim)
            ]
            if suiting:
                chosen[round_] = min(suiting, key=lambda these: these.off(aim))
        wanted = [round_ for round_ in wanted if round_ not in chosen]
        if not wanted:
            return chosen
    raise RuntimeError(f"seed {seed} gives no cards for round {wanted[0]} in {MOST_BATCHES * BATCH} trials")


def make(seed: int, crew: Crew) -> CardsEdition:
    """A whole edition. Rounds are independent: which faces share a card is random."""
    chosen = choose(seed, ROUNDS, crew)
    one, two, three = (
        Stack(number, tuple(map(Card, chosen[number].faces, chosen[number + 1].faces))) for number in STACKS
    )
    return CardsEdition(seed=seed, stacks=(one, two, three))

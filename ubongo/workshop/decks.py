"""The decks of the card game: for each round 36 faces, annealed until nearly every hand of nine can lay seven (K3).

How hard a round is, is stated as *tries* (`kernel.hands.try_out`): what a person without a plan tries until seven lie,
on average over hands. Kinds of symbols alone do not order the rounds, since stacks of as many kinds differ by more
than the steps between rounds: so several stacks are made for each round, and taken is the one nearest to the round's
own number of tries.
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
# Now and then a hand takes thousands: fewer plays would let one of them decide.
PLAYS = 10_000
# At least 99.9 % of any hands are to lay seven; in the longest sample more of them, so that every other has it too.
MOST_STUCK = {1_000: 1, 10_000: 5, HANDS: 10}
BATCH = 8
MOST_BATCHES = 20


class DeckRound(Struct, frozen=True):
    """How many kinds of symbols a round has, the tries it should take, and what annealing pays for a fit too many."""

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
    """One stack of faces to be made for a round."""

    seed: int
    round: int
    number: int
    swaps: int


class DeckFaces(Struct, frozen=True):
    """The faces of a round, how many of the first hands are stuck, and the tries of all plays together."""

    faces: tuple[CardFace, ...]
    stuck: dict[int, int]
    tries: int

    def suits(self, wanted: DeckRound) -> bool:
        low, high = wanted.tries[0] * PLAYS, (wanted.tries[-1] + 1) * PLAYS
        return low <= self.tries < high and all(self.stuck[number] <= most for number, most in MOST_STUCK.items())

    def off(self, wanted: DeckRound) -> int:
        """How far it is from the middle of what is wanted."""
        return abs(2 * self.tries - (wanted.tries[0] + wanted.tries[-1] + 1) * PLAYS)


def luck(seed: int) -> Chance:
    return Chance(f"cards {seed}")


def hands_of(seed: int, round_: int, number: int) -> NDArray[np.int64]:
    """The random hands by which a round is judged, here and in `check`: more of them begin with the same."""
    return hands.deal(luck(seed).word("hands", round_), CARDS, number)


def try_faces(trial: DeckTrial) -> DeckFaces:
    """Makes the faces for a round, and looks at hands of them."""
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
    """What hands of these faces are like; the tries are left at 0 where one in a thousand is stuck."""
    numbers = [[SYMBOLS.index(mark) for row in face for mark in row] for face in faces]
    fits, sample = hands.fits(np.array(numbers, np.uint8)), hands_of(seed, round_, HANDS)
    can, _ = hands.lay_seven(fits, sample)
    stuck = {number: int((~can[:number]).sum()) for number in MOST_STUCK}
    if 1000 * stuck[HANDS] > HANDS:
        # Such faces are not taken, and their other hands would be played for long.
        return DeckFaces(faces, stuck, 0)
    tries, _ = hands.try_out(fits, sample[can][:PLAYS], luck(seed).word("tries", round_))
    return DeckFaces(faces, stuck, int(tries.sum()))


def choose(seed: int, rounds: Iterable[int], crew: Crew, swaps: int = SWAPS) -> dict[int, DeckFaces]:
    """For each round the faces nearest to its middle, of the first batch that has any that suit."""
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
    """A whole edition. Two rounds know nothing of each other: which faces share a card is chance."""
    chosen = choose(seed, ROUNDS, crew)
    one, two, three = (
        Stack(number, tuple(map(Card, chosen[number].faces, chosen[number + 1].faces))) for number in STACKS
    )
    return CardsEdition(seed=seed, stacks=(one, two, three))

"""Proves an edition of the card game from scratch: every hand is laid, or shown to be stuck, by the plain search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from ubongo.layout import CardSearch, card, verdict
from ubongo.material.cards import CARDS, SIDES, STACKS, CardFace, CardsEdition, CardSide, name_of, round_of
from ubongo.workshop.crew import Crew
from ubongo.workshop.decks import HANDS, PLAYS, ROUNDS, DeckFaces, hands_of, judged
from ubongo.workshop.findings import Findings

AT_ONCE = 250
# The least number of tries of a round, in hundredths of those of the round before.
CLEAR_STEP = 104


Rounds = Mapping[int, tuple[CardFace, ...]]


class HandRange(Struct, frozen=True):
    """A range of the sample hands of a round: numbers first to last - 1."""

    seed: int
    round: int
    faces: tuple[CardFace, ...]
    first: int = 0
    last: int = HANDS


def check(edition: CardsEdition, hands: int, crew: Crew) -> Findings:
    """Proves an edition with a sample of random hands for each round. Each step requires the one before to hold."""
    findings = Findings([], list(_misprints(edition)))
    if findings.failed:
        return findings
    kinds = ", ".join(str(wanted.kinds) for wanted in ROUNDS.values())
    findings.proved.append(
        f"{len(STACKS)} stacks of {CARDS} cards; no two faces of a round are equal; "
        f"the rounds have {kinds} kinds of symbols, each as often as the others or once more"
    )
    faces = {
        round_of(stack.stack, side): tuple(one.face(side) for one in stack.cards)
        for stack in edition.stacks
        for side in SIDES
    }
    _lay(edition.seed, faces, hands, crew, findings)
    if not findings.failed:
        _compare(edition.seed, faces, crew, findings)
    return findings


def _lay(seed: int, faces: Rounds, hands: int, crew: Crew, findings: Findings) -> None:
    parts = [
        HandRange(seed, round_, these, first, min(first + AT_ONCE, hands))
        for round_, these in faces.items()
        for first in range(0, hands, AT_ONCE)
    ]
    stuck: dict[int, list[str]] = {round_: [] for round_ in faces}
    for part, found in zip(parts, crew.map(stuck_hands, parts, "cards: hands"), strict=True):
        stuck[part.round] += found
    for round_, these in stuck.items():
        if 1000 * len(these) > hands:
            findings.failed.append(
                f"round {round_}: {len(these):,} of {hands:,} hands cannot lay seven, the first is {these[0]}"
            )
    if not findings.failed:
        laid = ", ".join(f"{hands - len(these):,}" for these in stuck.values())
        findings.proved.append(f"of {hands:,} random hands a round at least 99.9 % can lay seven: {laid}")


def _compare(seed: int, faces: Rounds, crew: Crew, findings: Findings) -> None:
    found = crew.map(look, [HandRange(seed, round_, these) for round_, these in faces.items()], "cards: tries")
    findings.failed += [
        f"round {round_}: {these.stuck[HANDS]:,} of {HANDS:,} hands cannot lay seven"
        for round_, these in zip(faces, found, strict=True)
        if 1000 * these.stuck[HANDS] > HANDS
    ]
    tries = [these.tries for these in found]
    findings.failed += [
        f"round {after}, with {_mean(more)} tries, is not clearly harder than round {before}, with {_mean(less)}"
        for (before, less), (after, more) in pairwise(zip(faces, tries, strict=True))
        if 100 * more < CLEAR_STEP * less
    ]
    if not findings.failed:
        findings.proved.append(f"every round is harder than the one before; tries: {', '.join(map(_mean, tries))}")


def _mean(tries: int) -> str:
    return f"{tries // PLAYS}.{tries * 10 // PLAYS % 10}"


def _misprints(edition: CardsEdition) -> Iterator[str]:
    if tuple(stack.stack for stack in edition.stacks) != STACKS:
        yield f"the stacks are {[stack.stack for stack in edition.stacks]}; they are {list(STACKS)}"
        return
    for stack in edition.stacks:
        if len(stack.cards) != CARDS:
            yield f"stack {stack.stack} has {len(stack.cards)} cards; it has {CARDS}"
            continue
        for side in SIDES:
            faces = [one.face(side) for one in stack.cards]
            yield from _equal_faces(stack.stack, side, faces)
            yield from _uneven(stack.stack, side, faces)


def _equal_faces(stack: int, side: CardSide, faces: Sequence[CardFace]) -> Iterator[str]:
    """Equal faces; a card turned by half is the same card."""
    seen: dict[tuple[str, ...], int] = {}
    for number, face in enumerate(faces, 1):
        marks = card("", face).marks
        before = seen.setdefault(min(marks, marks[::-1]), number)
        if before != number:
            yield f"{name_of(stack, before, side)} and {name_of(stack, number, side)} are equal"


def _uneven(stack: int, side: CardSide, faces: Sequence[CardFace]) -> Iterator[str]:
    round_ = round_of(stack, side)
    used = Counter(mark for face in faces for row in face for mark in row)
    if len(used) != ROUNDS[round_].kinds:
        yield f"round {round_} has {len(used)} kinds of symbols; it has {ROUNDS[round_].kinds}"
    (most, often), (least, seldom) = used.most_common()[0], used.most_common()[-1]
    if often - seldom > 1:
        yield f"round {round_} has {most} {often} times and {least} {seldom} times"


def stuck_hands(part: HandRange) -> list[str]:
    """The hands that cannot lay seven, by their cards. Every layout that the search finds is verified."""
    cards = [card(str(number), face) for number, face in enumerate(part.faces, 1)]
    stuck = []
    for hand in hands_of(part.seed, part.round, part.last)[part.first :]:
        held = [cards[number] for number in hand]
        laid = CardSearch(held).layout()
        if laid is None:
            stuck.append(", ".join(one.name for one in held))
        elif verdict(held, laid).state != "solved":
            raise AssertionError(f"the search laid {laid} of {held}")
    return stuck


def look(round_: HandRange) -> DeckFaces:
    return judged(round_.seed, round_.round, round_.faces)

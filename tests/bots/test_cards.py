"""Bots at cards: when they call, when wrongly, and when they stop."""

from __future__ import annotations

import pytest

from tests.bots.trials import strangers, trial
from ubongo.bots import cards
from ubongo.bots.match import Bots
from ubongo.bots.pace import LEVELS
from ubongo.events import Called, Lifted, Placed, RoundClosed, Scored
from ubongo.moves import Stop
from ubongo.table import SeatNo


def wrong_callers(bots: Bots) -> int:
    """Plays the match to its end; returns in how many rounds of cards the caller was wrong (K13)."""
    bots.play()
    callers: set[SeatNo] = set()
    wrong = 0
    for line in bots.match.log:
        match line.event:
            case Called(seat):
                callers.add(seat)
            case Scored(seat, 0):
                wrong += seat in callers
            case RoundClosed():
                callers.clear()
    return wrong


def test_K17_a_bot_that_finds_nothing_better_stops() -> None:
    hand = strangers()
    planned = cards.plan(hand, "expert", "luck", (1,), live=False)
    assert isinstance(planned.ending, Stop)
    assert len(planned.layouts[-1]) == 1


@pytest.mark.no_cover
def test_K13_weak_bots_sometimes_call_wrongly_and_strong_ones_rarely() -> None:
    wrong = {
        level: sum(wrong_callers(trial("cards", (level, level)).bots(number)) for number in range(30))
        for level in LEVELS
    }
    assert wrong["beginner"] > wrong["medium"] >= wrong["expert"]
    assert wrong["beginner"] > 5
    assert wrong["expert"] <= 1


def test_K12_with_live_checking_nobody_calls_wrongly() -> None:
    for number in range(10):
        assert wrong_callers(trial("cards", ("beginner", "beginner"), checking="live").bots(number)) == 0


def test_bots_also_take_cards_back() -> None:
    bots = trial("cards", ("medium", "medium")).bots(1)
    bots.play()
    kinds = [type(line.event) for line in bots.match.log]
    assert kinds.count(Lifted) > 0
    assert kinds.count(Placed) > kinds.count(Lifted)

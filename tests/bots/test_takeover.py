"""A bot that takes over from an absent player (T7): right pieces stay."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from tests.bots.trials import filling_plan, strangers
from tests.play import Match
from ubongo import layout, moves
from ubongo.bots import cards, plan
from ubongo.bots.least import least
from ubongo.bots.player import next_move
from ubongo.events import Called
from ubongo.games import GAMES
from ubongo.moves import Lift, Place, Ready, Stop, Throw
from ubongo.pieces import Piece, Placement
from ubongo.table import Instant, Seat, SeatNo
from ubongo.veil import veil


def test_T7_right_pieces_stay_when_a_bot_takes_over() -> None:
    task, _, planned = filling_plan()
    right, *rest = planned.layouts[-1]
    spare = rest[-1]
    wrong = Placement(spare.piece, 0, (9, 9))
    seat = Seat("Ann", task=task, laid=(right, wrong), away=Instant(0))
    times = []
    for _ in range(1 + len(rest)):
        intent = plan.next_for_another(planned, seat, Instant(1000), Instant(1000))
        assert intent is not None
        times.append(intent[0])
        assert intent[1] != Lift(right.piece)
        seat = replace(seat, laid=plan.laid_after(seat.laid, intent[1]))
    assert set(seat.laid) == set(planned.layouts[-1])
    assert times == sorted(set(times)), "one at a time, as people do"
    assert plan.next_for_another(planned, seat, Instant(1000), Instant(10**6)) == plan.next_in(
        planned, seat, Instant(1000), Instant(10**6)
    )


@pytest.mark.parametrize("cards_laid", [1, 4, 6])
def test_T7_right_cards_stay_when_a_bot_takes_over(cards_laid: int) -> None:
    match = Match("cards", takeover_s=20)
    match.begin()
    task = match.table.seats[0].task
    assert task is not None
    hand = tuple(GAMES["cards"].pieces(match.table.options)[str(name)] for name in task.pieces)
    # A layout of the player's own, far from where a bot would begin.
    found = [replace(where, at=(where.at[0] + 40, where.at[1])) for where in layout.seven(hand) or ()]
    for where in found[:cards_laid]:
        match.ask(0, Place(where.piece, where.turn, where.at))
    stray = found[-1]
    match.ask(0, Place(stray.piece, stray.turn, (90, 90)))
    match.ask(0, moves.GoAway(), 5_000)
    now = 25_000
    for _ in range(2 + layout.GOAL - cards_laid):
        intent = next_move(veil(match.table, SeatNo(0)), SeatNo(0), "medium", "luck", Instant(now))
        assert intent is not None
        now = max(now, intent[0])
        match.ask(0, intent[1], now)
        assert set(found[:cards_laid]) <= set(match.table.seats[0].laid)
    assert match.happened(Called)
    assert layout.verdict(hand, match.table.seats[0].laid).state == "solved"


def test_T7_right_cards_stay_even_if_no_card_fits_beside_them() -> None:
    hand = strangers()
    planned = cards.plan(hand, "expert", "luck", (1,), live=False)
    mine = (Placement(8, 1, (5, 5)),)
    changed = cards.for_another(planned, hand, mine)
    assert changed.layouts[-1] == mine
    assert isinstance(changed.ending, Stop)


def test_K17_a_bot_does_not_agree_to_stop_on_behalf_of_an_absent_player() -> None:
    match = Match("cards", takeover_s=1)
    match.begin()
    match.ask(0, moves.GoAway())
    task = match.seat(0).task
    assert task is not None
    # Nine times the same card: no seven of them can be laid, so a bot can only stop.
    stuck = replace(task, pieces=next(names for names in same_cards(match) if not layout.seven(faces(match, names))))
    for bot, away, expected in ((None, 0, None), ("medium", None, Stop())):
        me = replace(match.seat(0), task=stuck, bot=bot, away=away)
        table = replace(match.table, seats=(me, match.seat(1)))
        intent = next_move(table, SeatNo(0), "medium", "luck", Instant(10**7))
        while intent is not None and isinstance(intent[1], Place | Lift):
            me = replace(me, laid=plan.laid_after(me.laid, intent[1]))
            table = replace(table, seats=(me, match.seat(1)))
            intent = next_move(table, SeatNo(0), "medium", "luck", Instant(10**7))
        assert (None if intent is None else intent[1]) == expected
        assert least(table, SeatNo(0), Instant(9)) == (None if bot is None else (9, Stop()))


def faces(match: Match, names: tuple[str, ...]) -> list[Piece]:
    known = GAMES["cards"].pieces(match.table.options)
    return [known[name] for name in names]


def same_cards(match: Match) -> Iterator[tuple[str, ...]]:
    return ((name,) * 9 for name in GAMES["cards"].pieces(match.table.options))


def test_T7_a_bot_begins_when_it_takes_over() -> None:
    match = Match("extreme", takeover_s=20)
    assert next_move(veil(match.table, SeatNo(0)), SeatNo(0), "medium", "luck", Instant(0)) == (0, Ready())
    match.begin()
    match.ask(0, moves.GoAway(), 5_000)
    intent = next_move(veil(match.table, SeatNo(0)), SeatNo(0), "expert", "luck", Instant(25_000))
    assert intent is not None
    assert intent[0] > 25_000
    assert isinstance(intent[1], Place)


def test_T2_a_bot_throws_for_an_absent_player() -> None:
    match = Match("dice")
    assert next_move(veil(match.table, SeatNo(0)), SeatNo(0), "medium", "luck", Instant(7)) == (7, Throw())
    assert next_move(veil(match.table, SeatNo(1)), SeatNo(1), "medium", "luck", Instant(7)) is None

"""Cards alone, rule by rule (S1, docs/rules/solo.md)."""

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.games.alone import begun, task_of
from tests.play import Match
from ubongo import layout
from ubongo.events import (
    Called,
    Judged,
    Scored,
)
from ubongo.moves import Call, Lift, Place, SetAside
from ubongo.table import SeatNo
from ubongo.veil import veil


def test_S1_a_hand_is_a_task_and_the_seventh_right_card_solves_it() -> None:
    match = begun("cards", mode="count")
    assert veil(match.table, None).seats[0].task is not None
    for number in range(5):
        *most, last = match.solution(0)
        for where in most:
            assert not [event for event in match.ask(0, where) if isinstance(event, Called)]
        happened = match.ask(0, last, after=1_000)
        assert isinstance(happened[1], Called)
        assert Scored(SeatNo(0), 1) in happened
        assert (match.table.phase == "over") == (number == 4)
    assert match.table.took == 5_000
    assert match.table.totals == (5,)


def test_S1_seven_wrong_cards_are_judged_and_cost_only_time() -> None:
    match = begun("cards")
    for piece in range(6):
        match.ask(0, Place(piece, 0, (piece * 5, 0)))
    assert match.refused(0, Call()) == "too_few"
    match.ask(0, Place(6, 0, (30, 0)))
    assert match.refused(0, Place(7, 0, (40, 0))) == "too_many"
    assert match.ask(0, Call()) == [Judged(SeatNo(0), (1, 2, 3, 4, 5, 6))]
    assert match.seat(0).wrong == (1, 2, 3, 4, 5, 6)
    assert match.seat(0).points == ()
    assert match.ask(0, Lift(6)) == [match.log[-2].event, Judged(SeatNo(0), ())], "a changed layout is no longer judged"
    assert match.table.round == 1
    match.solve(0)
    assert match.seat(0).points == (1,)


def test_S1_six_rounds_get_harder_and_a_hand_set_aside_is_replaced_by_one_of_the_same_round() -> None:
    match = begun("cards", minutes=20)

    def stage() -> tuple[str, str]:
        stack, _, side = str(task_of(match).pieces[0]).split("-")
        return stack, side

    expected = [(stack, side) for stack in "135" for side in ("white", "black")]
    for number in range(8):
        assert stage() == expected[number % 6]
        before = task_of(match)
        match.ask(0, SetAside())
        assert stage() == expected[number % 6]
        assert task_of(match) != before
        match.solve(0)


@given(seed=st.text(max_size=8), aside=st.integers(0, 3))
@settings(max_examples=25, deadline=None)
def test_S1_seven_of_every_hand_can_be_laid(seed: str, aside: int) -> None:
    match = Match("solo", 1, seed, of="cards")
    match.begin()
    for _ in range(aside):
        match.ask(0, SetAside())
    hand = match.pieces(0)
    assert len({piece.name for piece in hand}) == 9
    assert layout.seven(hand) is not None

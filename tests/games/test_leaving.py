"""The final rank of players who leave for good (T11): below everybody who stayed, in every game."""

import pytest

from tests.play import Match
from ubongo.events import Left, MatchClosed
from ubongo.games import GAMES, cards
from ubongo.moves import Call, Claim, GoAway, Leave, Pass, Ready, Stop, Throw
from ubongo.table import Gem, Places, Seat, SeatNo, Table

SEVERAL = pytest.mark.parametrize("game", [name for name in GAMES if name != "solo"])
RACES = pytest.mark.parametrize("game", ["extreme", "cubes"])
AMBER: Gem = "amber"


def standing(match: Match) -> Places:
    [closed] = match.happened(MatchClosed)
    return closed.standing


def test_T11_nobody_wins_by_leaving_while_ahead() -> None:
    match = Match("cubes", 2, "s0")
    match.begin()
    match.solve(0)
    match.solve(1)
    happened = match.ask(0, Leave(), after=11)
    assert happened == [Left(SeatNo(0)), MatchClosed(((SeatNo(1),), (SeatNo(0),)), (4, 2), "s0")], (
        "with 2 before 4, which is still shown"
    )


@SEVERAL
@pytest.mark.parametrize(
    ("won", "gone", "expected"),
    [
        ([4, 2], {0}, ((1,), (0,))),
        ([7, 7, 1], {0}, ((1,), (2,), (0,))),
        ([7, 7, 7], {0}, ((1, 2), (0,))),
        ([7, 7, 1], {0, 1}, ((2,), (0, 1))),
        ([5, 7, 1, 2], {0, 1}, ((3,), (2,), (1,), (0,))),
        ([3, 5, 3], {0, 1, 2}, ((1,), (0, 2))),
    ],
    ids=["ahead", "tie_for_the_win", "those_there_share", "leavers_share", "leavers_by_what_they_had", "all_left"],
)
def test_T11_players_who_left_rank_below_everybody_who_stayed(
    game: str, won: list[int], gone: set[int], expected: Places
) -> None:
    seats = tuple(Seat("x", points=(one,), gems=(AMBER,) * one, gone=number in gone) for number, one in enumerate(won))
    assert GAMES[game].standing(Table(game, GAMES[game].OPTIONS(), seats)) == expected


def test_T11_K19_players_who_left_are_also_ranked_by_their_tens() -> None:
    seats = (Seat("A", points=(6, 4), gone=True), Seat("B", points=(10, 0), gone=True), Seat("C", points=(0, 1)))
    assert cards.standing(Table("cards", cards.OPTIONS(), seats)) == ((2,), (1,), (0,))


@SEVERAL
def test_T11_if_all_but_one_have_left_the_match_ends_at_once(game: str) -> None:
    match = Match(game, 3)
    match.begin()
    match.ask(2, Leave())
    happened = match.ask(0, Leave(), after=11)
    assert happened[0] == Left(SeatNo(0))
    assert isinstance(happened[1], MatchClosed)
    assert (match.table.phase, standing(match)) == ("over", ((1,), (0, 2)))


@RACES
def test_T11_X15_Q18_remaining_players_play_off_a_tie_even_if_a_player_left_ahead_of_them(game: str) -> None:
    match = Match(game, 3, hourglass_s=1)
    match.begin()
    match.solve(2)
    match.ask(2, Leave())
    match.sand()
    for _ in match.rounds(8):
        match.sand()
    assert (match.table.playoff, match.table.among) == (True, (0, 1))
    match.begin()
    match.solve(1)
    assert standing(match) == ((1,), (0,), (2,))


@SEVERAL
def test_T11_T7_a_player_who_is_away_has_not_left_even_while_another_plays_for_them(game: str) -> None:
    match = Match(game, 3, bots={2: "easy"})
    match.begin()
    match.ask(0, GoAway())
    if game == "dice":
        won = 0
    else:
        # A stand-in makes the seat's own moves.
        match.solve(0)
        match.until()
        won = match.game.totals(match.table)[0]
        assert won > 0
    match.ask(1, Leave())
    match.ask(2, Leave())
    assert match.happened(MatchClosed)[0].totals[0] == won
    assert standing(match)[0] == (0,)


@RACES
def test_T11_C4_a_claim_in_the_playoff_wins_nothing_for_a_player_who_then_leaves(game: str) -> None:
    match = Match(game, 3, companion=True, end="pass")
    for _ in match.rounds(9):
        for seat in (0, 1, 2, 0, 1, 2):
            match.ask(seat, Pass())
    match.begin()
    match.ask(1, Claim())
    match.ask(1, Leave())
    match.ask(0, Pass())
    match.ask(2, Pass())
    assert standing(match) == ((0, 2), (1,))


def test_T11_C7_on_paper_as_on_the_screen() -> None:
    match = Match("dice", 2, companion=True)
    match.ask(0, Throw())
    match.ask(0, Claim())
    match.ask(1, Pass())
    match.ask(0, Leave())
    assert match.happened(MatchClosed)[0].totals == (2, 1)
    assert standing(match) == ((1,), (0,))


def test_T11_C6_with_cards_on_paper_too() -> None:
    match = Match("cards", 3, companion=True)
    for seat in range(3):
        match.ask(seat, Ready())
    match.ask(0, Claim())
    for seat, number in enumerate((7, 4, 5)):
        match.ask(seat, Claim(number))
    match.ask(0, Leave())
    match.ask(2, Leave())
    assert standing(match) == ((1,), (0,), (2,))


def test_T11_a_player_who_left_ahead_ranks_last_at_the_end_of_a_match() -> None:
    match = Match("cards", 3, tie_ms=0)
    match.begin()
    for where in match.solution(0):
        match.ask(0, where)
    match.ask(0, Call())
    match.ask(0, Leave())
    while match.table.phase != "over":
        match.begin()
        match.ask(2, match.solution(2)[0])
        match.ask(1, Stop())
        match.ask(2, Stop())
    assert match.happened(MatchClosed)[0].totals == (10, 0, 5)
    assert standing(match) == ((2,), (1,), (0,))

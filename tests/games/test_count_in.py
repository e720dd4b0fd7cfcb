"""Counting in (T2a), in every game and in solo: at least one test for every clause in shared.md."""

from collections.abc import Sequence
from typing import Any

import pytest

from tests.games.alone import OF, fill
from tests.play import ALL_MOVES, Match
from ubongo.events import (
    Away,
    Dealt,
    Due,
    Event,
    GlassTurned,
    Left,
    MatchClosed,
    Opened,
    Readied,
    RoundClosed,
    Started,
    Thrown,
)
from ubongo.games import GAMES
from ubongo.moves import ComeBack, GoAway, Leave, Move, Pass, Ready, SetAside, Stop, Throw, TurnBack
from ubongo.table import Instant, SeatNo
from ubongo.veil import veil

EVERY = pytest.mark.parametrize("game", ["cards", "dice", "extreme", "cubes"])
READIED = pytest.mark.parametrize("game", ["cards", "extreme", "cubes"])
# Moves sent during the count-in: only leaving and the server's notes about connections are accepted.
HEARD = (Leave, GoAway, ComeBack)


def counted(game: str, seats: int = 2, count_in_s: int = 3, **options: Any) -> Match:
    """A table that is ready to start at time 0."""
    match = Match(game, seats, count_in_s=count_in_s, **options)
    count(match)
    return match


def count(match: Match) -> None:
    if match.table.phase == "throw":
        assert match.table.roller is not None
        match.ask(match.table.roller, Throw())
    for number, seat in enumerate(match.table.seats):
        if match.table.phase == "ready" and seat.task is not None and not seat.gone:
            match.ask(number, Ready())
    assert match.table.phase == "count"


def kinds(events: Sequence[Event]) -> list[str]:
    return [type(event).__name__ for event in events]


@READIED
@pytest.mark.parametrize("seconds", [1, 3, 10])
def test_T2a_the_count_in_runs_between_the_last_ready_and_the_start(game: str, seconds: int) -> None:
    options: dict[str, Any] = {"die": "off"} if game == "cubes" else {}
    match = Match(game, 2, count_in_s=seconds, **options)
    match.ask(0, Ready())
    limit = 700 + seconds * 1000
    assert match.ask(1, Ready(), after=700) == [Readied(SeatNo(1)), Opened("count", Instant(limit))]
    assert (match.table.phase, match.table.limit, match.table.until) == ("count", limit, limit)
    assert match.wait(seconds * 1000 - 1) == []
    started = match.wait(1)
    assert started[0] == Started(Instant(limit))
    assert (match.table.phase, match.table.began, match.table.started) == ("play", limit, limit)
    if game == "extreme":
        assert started[1:] == [GlassTurned(1, Instant(limit + 60_000))], "the glass is full"


def test_T2a_a_limit_of_the_round_runs_from_the_start() -> None:
    match = counted("cards", round_s=40)
    assert match.until() == [Started(Instant(3000), Instant(43_000))]


def test_T2a_with_dice_the_count_in_runs_between_the_throw_and_its_result() -> None:
    match = Match("dice", 3, count_in_s=3, first_seat=1)
    assert match.ask(1, Throw(), after=50) == [Opened("count", Instant(3050))]
    assert (match.table.dice, match.table.roller) == ((), 1)
    thrown, opened = match.until()
    assert isinstance(thrown, Thrown)
    assert opened == Opened("grab", Instant(3050 + 20_000)), "the whole time to grab is left"
    plain = Match("dice", 3, first_seat=1)
    assert plain.ask(1, Throw())[0] == thrown, "and the throw is the same"


def test_T2a_in_3_D_the_count_in_follows_ready_and_not_the_throw() -> None:
    match = Match("cubes", 2, count_in_s=3)
    assert kinds(match.ask(0, Throw())) == ["Thrown", "Dealt", "Dealt", "Opened"]
    assert match.table.phase == "ready"
    match.ask(0, Ready())
    assert match.ask(1, Ready())[-1] == Opened("count", Instant(3000))


@EVERY
def test_T2a_seats_made_ready_by_time_or_bots_are_counted_in_too(game: str) -> None:
    late = Match(game, 2, count_in_s=3, ready_s=5)
    late.until()
    if game == "cubes":
        late.until()
    assert (late.table.phase, late.table.limit) == ("count", late.now + 3000)
    bots = Match(game, 2, count_in_s=3, bots={0: "easy", 1: "hard"})
    assert (bots.table.phase, bots.table.limit) == ("count", 3000)


@EVERY
def test_T2a_every_round_is_counted_in(game: str) -> None:
    match = counted(game)
    match.begin()
    for number, round_ in enumerate((1, 2, 3), 1):
        assert match.table.round == round_
        assert len([event for event in match.happened(Opened) if event.phase == "count"]) == number
        end_round(match)
        count(match)
        match.until()


def end_round(match: Match) -> None:
    number = match.table.round
    while match.table.round == number:
        if match.table.phase == "enter":
            match.ask(0, Pass())
            match.ask(1, Pass())
        elif match.table.game == "cards":
            match.ask(0, Stop())
            match.ask(1, Stop())
        else:
            match.until()


@EVERY
def test_T2a_with_0_the_round_starts_at_once_without_new_events(game: str) -> None:
    match = Match(game)
    assert match.table.options.count_in_s == 0
    match.begin()
    assert match.now == 0
    assert not [event for event in match.happened(Opened) if event.phase == "count"]


@READIED
@pytest.mark.parametrize("reveal", ["start", "deal"])
def test_T2a_T12_nobody_sees_more_during_the_count_in_than_before(game: str, reveal: str) -> None:
    match = counted(game, reveal=reveal)
    for viewer in (None, SeatNo(0), SeatNo(1)):
        seen = [seat.task is not None for seat in veil(match.table, viewer).seats]
        assert seen == [reveal == "deal" and seat == viewer for seat in (0, 1)]
    match.until()
    for viewer in (None, SeatNo(0), SeatNo(1)):
        tasks = [seat.task for seat in veil(match.table, viewer).seats]
        assert None not in tasks, "others see the number of cards in a hand"


@READIED
def test_T2a_T14_the_previous_round_is_visible_until_the_start(game: str) -> None:
    match = counted(game)
    match.begin()
    end_round(match)
    count(match)
    assert match.table.last is not None
    match.until()
    assert match.table.last is None


@EVERY
@pytest.mark.parametrize("move", [move for move in ALL_MOVES if not isinstance(move, HEARD)], ids=str)
@pytest.mark.parametrize("reveal", ["start", "deal"])
def test_T2a_no_moves_are_allowed_during_the_count_in(game: str, move: Move, reveal: str) -> None:
    match = counted(game, reveal=reveal)
    for seat in (0, 1):
        assert match.refused(seat, move) == "not_now"


@EVERY
def test_T2a_T11_a_player_who_leaves_does_not_stop_the_count_in(game: str) -> None:
    match = counted(game, 3)
    assert match.ask(0, Leave(), after=1000) == [Left(SeatNo(0))]
    assert (match.table.phase, match.table.limit) == ("count", 3000)
    happened = match.until()
    assert isinstance(happened[0], Thrown if game == "dice" else Started)
    assert match.now == 3000


@EVERY
def test_T2a_T11_if_only_one_player_is_left_the_match_ends_without_a_start(game: str) -> None:
    match = counted(game)
    assert kinds(match.ask(1, Leave(), after=1000)) == ["Left", "MatchClosed"]
    assert match.table.standing == ((0,), (1,))
    assert match.wait(10_000) == []


@EVERY
def test_T2a_T7_a_player_who_is_away_does_not_stop_the_count_in(game: str) -> None:
    match = counted(game)
    assert match.ask(0, GoAway(), after=500) == [Away(SeatNo(0), Instant(500))]
    assert match.table.until == 3000
    match.until()
    assert match.table.phase == ("grab" if game == "dice" else "play")


@EVERY
def test_T2a_there_is_no_count_in_on_paper(game: str) -> None:
    match = Match(game, 2, companion=True, count_in_s=3)
    match.begin()
    assert match.now == 0
    assert match.table.phase == ("enter" if game == "dice" else "play")


def test_T2a_on_paper_there_is_no_count_in_after_a_second_chance_is_taken_back() -> None:
    match = Match("extreme", companion=True, end="pass", hourglass_s=30, count_in_s=3)
    match.begin()
    for seat in (0, 1):
        match.ask(seat, Pass(), after=15_000)
    match.ask(0, TurnBack())
    assert match.table.phase == "play"


@pytest.mark.parametrize("game", ["extreme", "cubes"])
def test_T2a_a_second_chance_is_not_counted_in(game: str) -> None:
    match = counted(game, hourglass_s=1)
    match.until()
    assert match.until() == [GlassTurned(2, Instant(5000))]
    assert match.table.phase == "play"


def at_playoff(game: str, seats: int = 2, **options: Any) -> Match:
    """Plays nine rounds in which nobody finishes, up to the play-off."""
    match = Match(game, seats, hourglass_s=1, count_in_s=3, **options)
    for _ in match.rounds(9):
        match.sand()
    assert match.table.playoff
    return match


@pytest.mark.parametrize("game", ["extreme", "cubes"])
def test_T2a_X15_a_playoff_is_counted_in(game: str) -> None:
    match = at_playoff(game)
    count(match)
    began = match.now
    assert match.refused(0, Stop()) == "not_now"
    assert match.until() == [Started(Instant(began + 3000))]


@pytest.mark.parametrize("game", ["extreme", "cubes"])
def test_T2a_X15_a_playoff_with_one_player_left_ends_during_the_count_in(game: str) -> None:
    match = at_playoff(game, 3)
    count(match)
    match.ask(0, Leave())
    assert match.table.phase == "count"
    assert kinds(match.ask(2, Leave()))[-1] == "MatchClosed"


@pytest.mark.parametrize("game", ["extreme", "cubes"])
def test_T2a_Q18_an_end_agreed_earlier_takes_effect_during_the_count_in(game: str) -> None:
    match = at_playoff(game, ready_s=0)
    if game == "cubes":
        assert match.table.roller is not None
        match.ask(match.table.roller, Throw())
    match.ask(1, GoAway())
    gone = match.now
    match.ask(0, Stop())
    assert match.table.until == gone + 60_000
    match.wait(58_000)
    match.ask(0, Ready())
    assert match.ask(1, Ready())[-2:] == [Opened("count", Instant(gone + 61_000)), Due(Instant(gone + 60_000))]
    happened = match.until()
    assert match.now == gone + 60_000
    assert isinstance(happened[-1], MatchClosed)


def test_T2a_W17_an_earlier_stop_can_give_an_area_up() -> None:
    match = Match("dice", 3, count_in_s=3)
    match.ask(1, Stop())
    match.ask(2, Stop())
    match.ask(0, Throw())
    assert match.table.phase == "count"
    happened = match.ask(0, Leave())
    assert RoundClosed(1) in happened
    assert (match.table.area, match.table.phase) == (2, "throw")


# Solo


@OF
@pytest.mark.parametrize("mode", ["clock", "count", "day"])
def test_T2a_in_solo_the_first_task_is_counted_in_and_the_time_runs_from_the_start(of: str, mode: str) -> None:
    day = "2026-11-16" if mode == "day" else ""
    match = Match("solo", 1, of=of, mode=mode, count_in_s=3, ready_s=0, day=day)
    assert match.ask(0, Throw() if of == "dice" else Ready(), after=500)[-1] == Opened("count", Instant(3500))
    assert (match.table.began, match.table.dice if of == "dice" else ()) == (None, ())
    if of != "dice":
        assert veil(match.table, SeatNo(0)).seats[0].task is None
    for move in ALL_MOVES:
        if not isinstance(move, HEARD):
            assert match.refused(0, move) == "not_now"
    happened = match.until()
    assert happened[0] == Started(Instant(3500), Instant(3500 + 300_000) if mode == "clock" else None)
    assert kinds(happened[1:]) == (["Thrown", "Opened"] if of == "dice" else [])
    assert match.table.began == 3500


@pytest.mark.parametrize("of", ["cubes", "extreme", "cards"])
def test_T2a_in_solo_no_later_task_is_counted_in(of: str) -> None:
    match = Match("solo", 1, of=of, mode="count", count_in_s=3)
    match.begin()
    match.ask(0, SetAside())
    for _ in range(5):
        assert match.table.phase == "play"
        match.solve(0, after=1000)
    assert match.happened(Opened) == [Opened("count", Instant(3000))]
    assert match.table.took == 5000, "measured from the start"


def test_T2a_in_solo_with_dice_only_the_first_throw_is_counted_in() -> None:
    match = Match("solo", 1, of="dice", mode="count", tasks=5, count_in_s=3)
    match.begin()
    match.wait(500)
    fill(match)
    match.ask(0, SetAside())
    assert match.ask(0, Throw())[-1] == Opened("grab")
    while match.table.phase != "over":
        fill(match)
    assert [event.phase for event in match.happened(Opened)].count("count") == 1
    assert match.table.took == 500


@OF
def test_T2a_practice_is_not_counted_in(of: str) -> None:
    match = Match("solo", 1, of=of, mode="practice", count_in_s=3)
    match.begin()
    assert match.now == 0
    assert match.table.phase == ("grab" if of == "dice" else "play")


@OF
def test_T2a_a_solo_player_can_leave_during_the_count_in(of: str) -> None:
    match = Match("solo", 1, of=of, count_in_s=3, ready_s=0)
    match.ask(0, Throw() if of == "dice" else Ready())
    assert kinds(match.ask(0, Leave())) == ["Left", "MatchClosed"]
    assert match.table.took is None


@OF
def test_T2a_the_count_in_does_not_change_the_tasks(of: str) -> None:
    match, plain = (Match("solo", 1, of=of, count_in_s=seconds) for seconds in (3, 0))
    for one in (match, plain):
        one.begin()
        one.ask(0, SetAside())
    assert match.happened(Dealt) == plain.happened(Dealt)
    assert match.happened(Thrown) == plain.happened(Thrown)


def test_T2a_every_game_has_the_option() -> None:
    assert {game.OPTIONS().count_in_s for game in GAMES.values()} == {0}

"""What all games share (T), played on Extreme and 3-D unless a rule says otherwise (docs/rules/shared.md).

At least one test for every rule number, in their order; T2a has a file of its own.
"""

import msgspec
import pytest

from tests.play import ALL_MOVES, Match, replayed
from ubongo.chance import Chance
from ubongo.events import Away, Back, Called, Due, GlassTurned, MatchClosed, Readied, RoundClosed, Started, Thrown
from ubongo.game import BadOptions, play, seed_hash
from ubongo.games import GAMES
from ubongo.moves import Call, ComeBack, GoAway, Grab, Leave, Lift, Place, Ready, Refused, Stop, Throw
from ubongo.pieces import Placement, fits
from ubongo.table import Instant, SeatNo
from ubongo.veil import veil

RACES = pytest.mark.parametrize("game", ["extreme", "cubes"])


@RACES
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_T1_everyone_plays_at_the_same_time(game: str, seats: int) -> None:
    match = Match(game, seats)
    match.begin()
    for seat in reversed(range(seats)):
        match.ask(seat, match.solution(seat)[0])
    assert [len(seat.laid) for seat in match.table.seats] == [1] * seats


def test_T2_the_clock_starts_when_every_seat_is_ready() -> None:
    match = Match("extreme", 3)
    match.ask(2, Ready())
    match.ask(0, Ready())
    assert match.refused(0, Ready()) == "already_ready"
    assert match.table.phase == "ready"
    assert Started(Instant(7)) in match.ask(1, Ready(), after=7)
    assert match.refused(1, Ready()) == "not_now"


def test_T2_a_silent_seat_becomes_ready_after_a_while() -> None:
    match = Match("extreme", 3, ready_s=20)
    match.ask(1, Ready())
    assert match.table.until == 20_000
    happened = match.wait(20_000)
    assert happened == [
        Readied(SeatNo(0)),
        Readied(SeatNo(2)),
        Started(Instant(20_000)),
        GlassTurned(1, Instant(80_000)),
    ]


def test_T2_with_0_the_round_waits_for_ever() -> None:
    match = Match("extreme", ready_s=0)
    assert match.table.until is None
    assert match.wait(10**9) == []
    assert match.table.phase == "ready"


def test_T2_bots_are_ready_at_once_and_throw_at_once() -> None:
    match = Match("cubes", 3, bots={0: "easy", 2: "hard"})
    assert len(match.happened(Thrown)) == 1
    assert match.happened(Readied) == [Readied(SeatNo(0)), Readied(SeatNo(2))]
    match.ask(1, Ready(), after=50)
    assert match.table.phase == "play"


def test_T2_an_overdue_throw_happens_by_itself() -> None:
    match = Match("cubes", ready_s=10)
    happened = match.until()
    assert match.now == 10_000
    assert isinstance(happened[0], Thrown)
    assert (match.table.phase, match.table.until) == ("ready", 20_000)


@pytest.mark.parametrize(("early", "counts"), [(1, True), (0, False)])
def test_T3_a_move_counts_before_the_deadline_and_not_at_the_deadline(early: int, counts: bool) -> None:
    match = Match("extreme", auto_call=False)
    match.begin()
    for where in match.solution(0):
        match.ask(0, where)
    match.wait(60_000 - early)
    if counts:
        assert match.ask(0, Call())[0] == Called(SeatNo(0), Instant(59_999))
    else:
        match.ask(0, Call())
        assert match.happened(GlassTurned)[-1] == GlassTurned(2, Instant(120_000)), (
            "what is due at t happens before a move at t"
        )
        assert match.happened(Called) == [Called(SeatNo(0), Instant(60_000))]
        assert len(match.seat(0).gems) == 1, "a second chance's reward"


def test_T3_the_round_stops_at_its_deadline_however_late_anyone_looks() -> None:
    match, late = Match("extreme", 2), Match("extreme", 2)
    match.begin()
    late.begin()
    while match.table.phase != "over" and match.table.until is not None:
        match.until()
    late.wait(10**8)
    assert late.log == match.log[: len(late.log)]
    assert late.table == match.table


def test_T4_nobody_sees_a_task_before_its_round_starts() -> None:
    match = Match("extreme")
    for viewer in (None, SeatNo(0), SeatNo(1)):
        assert [seat.task for seat in veil(match.table, viewer).seats] == [None, None]
    match.begin()
    assert veil(match.table, None) is match.table


@RACES
def test_T5_the_seed_is_public_after_the_game_and_its_hash_before(game: str) -> None:
    match = Match(game, seed="open sesame", hourglass_s=1)
    assert match.table.seed is None
    assert match.table.seed_hash == seed_hash("open sesame")
    assert b"open sesame" not in msgspec.json.encode(match.table)
    match.begin()
    match.ask(0, Leave())
    assert match.table.seed == "open sesame"


@RACES
def test_T6_the_log_alone_rebuilds_the_table_at_any_moment(game: str) -> None:
    match = Match(game, 3, hourglass_s=1)
    moments = []
    for _ in match.rounds(3):
        match.solve(1)
        moments.append((len(match.log), match.table))
        match.sand()
    for length, table in moments:
        assert replayed(match.virtual.opening, match.log[:length]) == table


@RACES
def test_T7_an_absent_seat_comes_back_to_exactly_what_it_had(game: str) -> None:
    match = Match(game, 3)
    match.begin()
    match.ask(0, match.solution(0)[0])
    before = match.seat(0)
    assert match.ask(0, GoAway(), after=500) == [Away(SeatNo(0), Instant(500))]
    assert (match.seat(0).present, match.seat(0).away) == (False, 500)
    assert match.refused(0, GoAway()) == "already_away"
    match.solve(1, after=70_000 if game == "cubes" else 30_000)
    assert match.ask(0, ComeBack()) == [Back(SeatNo(0))]
    assert match.refused(0, ComeBack()) == "not_away"
    assert match.seat(0) == before


def test_T7_the_round_goes_on_and_waits_no_longer_for_an_absent_player_than_for_others() -> None:
    match = Match("extreme", 2)
    match.ask(0, GoAway())
    match.ask(1, Ready())
    match.until()
    assert (match.now, match.table.phase) == (30_000, "play")


def test_T8_first_seat_throws_first() -> None:
    assert Match("cubes", 3).table.roller == 0
    assert Match("cubes", 3, first_seat=2).table.roller == 2


@RACES
def test_T9_a_call_for_an_area_that_is_not_filled_is_refused_and_costs_nothing(game: str) -> None:
    match = Match(game)
    assert match.refused(0, Call()) == "not_started"
    match.begin()
    assert match.refused(0, Call()) == "not_filled"
    match.solve(0)
    assert len(match.seat(0).gems) == 2


@RACES
def test_T10_laying_the_piece_that_completes_the_filling_is_the_call(game: str) -> None:
    match = Match(game)
    match.begin()
    *most, last = match.solution(0)
    for where in most:
        match.ask(0, where)
    assert match.ask(0, last, after=3)[1] == Called(SeatNo(0), Instant(3))


@RACES
def test_T10_without_auto_call_a_filled_area_that_is_not_called_is_not_finished(game: str) -> None:
    match = Match(game, auto_call=False)
    match.begin()
    for where in match.solution(0):
        match.ask(0, where)
    match.sand()
    assert match.happened(Called) == []
    assert match.seat(0).gems == ()


def test_T11_nobody_waits_for_a_seat_that_has_left() -> None:
    match = Match("extreme", 3)
    match.ask(0, Ready())
    match.ask(1, Ready())
    assert Started(Instant(9)) in match.ask(2, Leave(), after=9)
    match.solve(0)
    happened = match.solve(1)
    assert RoundClosed(1) in happened
    assert match.seat(2).task is None, "it is dealt no more tasks"


def test_T11_a_seat_that_has_left_keeps_its_gems_and_wins_nothing_more() -> None:
    match = Match("extreme", 3)
    match.begin()
    match.solve(2)
    won = match.seat(2).gems
    match.ask(2, Leave())
    assert [match.refused(2, move) for move in ALL_MOVES] == ["gone"] * len(ALL_MOVES)
    match.solve(0)
    assert "amber" in match.seat(0).gems, "second of the round, even though the first has left"
    assert match.seat(2).gems == won


def test_T11_the_throw_of_a_player_who_has_left_happens_at_once_and_later_throws_skip_them() -> None:
    match = Match("cubes", 3, hourglass_s=1)
    assert isinstance(match.ask(0, Leave())[1], Thrown)
    match.begin()
    match.sand()
    assert match.table.roller == 1
    match.begin()
    match.sand()
    match.begin()
    match.sand()
    assert match.table.roller == 1


@RACES
def test_T12_reveal_deal_shows_a_task_to_its_owner_from_the_deal_on(game: str) -> None:
    match = Match(game, 2, reveal="deal")
    if game == "cubes":
        match.ask(0, Throw())
    assert [seat.task is not None for seat in veil(match.table, SeatNo(1)).seats] == [False, True]
    assert [seat.task is not None for seat in veil(match.table, None).seats] == [False, False]
    match.begin()
    assert [seat.task is not None for seat in veil(match.table, None).seats] == [True, True], (
        "boards are visible to all"
    )


@RACES
def test_T12_the_edition_is_part_of_every_table(game: str) -> None:
    match = Match(game)
    assert match.table.options.edition.startswith(f"{game}-")
    assert Match(game, edition=match.table.options.edition).table == match.table


@RACES
def test_T13_placements_that_overlap_or_leave_the_area_are_refused(game: str) -> None:
    match = Match(game)
    match.begin()
    first, second, *_ = match.solution(0)
    match.ask(0, first)
    far = tuple(c + 50 for c in second.at)
    assert match.refused(0, Place(second.piece, second.turn, far)) == "outside"
    inside = ways(match, second.piece)
    assert {code(match, way) for way in inside} == {None, "overlap"}
    beside = [Place(way.piece, way.turn, (way.at[0] + 1, *way.at[1:])) for way in inside]
    assert {code(match, way) for way in beside if way not in inside} == {"outside"}, "a single cell is enough"


def ways(match: Match, piece: int) -> list[Place]:
    """Every placement inside the area, free or occupied."""
    task = match.seat(0).task
    assert task is not None
    assert task.region is not None
    return [Place(piece, turn, at) for turn, at in fits(match.pieces(0)[piece].shapes, task.region)]


def code(match: Match, move: Place) -> str | None:
    """The code of the refusal, if any; the move is not made."""
    try:
        play(match.game, match.table, SeatNo(0), move, match.now, match.virtual.chance)
    except Refused as no:
        return no.code
    return None


@RACES
def test_T13_laying_a_laid_piece_moves_it_and_may_overlap_its_old_place(game: str) -> None:
    match = Match(game)
    match.begin()
    first = match.solution(0)[0]
    for where in (first, *ways(match, first.piece)):
        match.ask(0, where)
        assert match.seat(0).laid == (Placement(where.piece, where.turn, where.at),)


@RACES
def test_T13_after_a_call_a_layout_stays_as_it_is(game: str) -> None:
    match = Match(game)
    match.begin()
    way = match.solution(0)
    match.solve(0)
    assert match.refused(0, Lift(0)) == "has_called"
    assert match.refused(0, way[0]) == "has_called"
    assert match.refused(0, Call()) == "has_called"


@RACES
def test_T14_after_a_round_everyone_can_see_everyones_layout_until_the_next_starts(game: str) -> None:
    match = Match(game, 2, hourglass_s=1)
    match.begin()
    assert match.table.last is None
    match.ask(0, match.solution(0)[0])
    tasks, laid = [seat.task for seat in match.table.seats], match.seat(0).laid
    match.sand()
    seen = veil(match.table, None).last
    assert seen is not None
    assert [result.task for result in seen] == tasks
    assert [result.laid for result in seen] == [laid, ()]
    match.begin()
    assert match.table.last is None


def test_T15_the_defaults_are_the_suggestions_for_a_first_game() -> None:
    assert GAMES["extreme"].OPTIONS().side == 3  # type: ignore[attr-defined] # a race has sides
    assert GAMES["cubes"].OPTIONS().side == 3  # type: ignore[attr-defined] # a race has sides


@RACES
@pytest.mark.parametrize(
    ("move", "code"),
    [
        (Place(99, 0, (0, 0)), "no_such_piece"),
        (Place(-1, 0, (0, 0)), "no_such_piece"),
        (Place(10**30, 0, (0, 0)), "no_such_piece"),
        (Place(True, 0, (0, 0)), "no_such_piece"),
        (Place(0, 24, (0, 0)), "no_such_turn"),
        (Place(0, -1, (0, 0)), "no_such_turn"),
        (Place(0, 0, ()), "no_such_cell"),
        (Place(0, 0, (0, 0, 0, 0)), "no_such_cell"),
        (Place(0, 0, (10**30,) * 2), "no_such_cell"),
        (Place(0, 0, (10**30,) * 3), "no_such_cell"),
        (Lift(3), "no_such_piece"),
        (Lift(0), "not_laid"),
        (Grab(0), "no_such_die"),
        (Grab(-1), "no_such_die"),
    ],
)
def test_moves_with_unknown_pieces_or_turns_are_refused(game: str, move: Place, code: str) -> None:
    match = Match(game, die="off") if game == "cubes" else Match(game)
    match.begin()
    assert match.refused(0, move) == code


@pytest.mark.parametrize("seat", [2, -1, 10**30])
def test_the_number_of_seats_is_limited(seat: int) -> None:
    assert Match("extreme").refused(seat, Ready()) == "no_such_seat"


def test_first_seat_must_be_a_seat_of_the_table() -> None:
    with pytest.raises(BadOptions, match="it is at most 1"):
        Match("dice", 2, first_seat=2)


def test_an_agreed_end_waits_a_minute_for_a_player_who_is_away() -> None:
    match = Match("extreme", 2, hourglass_s=1)
    for _ in match.rounds(9):
        match.sand()
    match.begin()
    start = match.now
    match.ask(1, GoAway(), after=10_000)
    match.wait(5_000)
    assert match.ask(0, Stop())[-1] == Due(Instant(start + 70_000))
    assert match.table.until == start + 70_000
    assert match.ask(1, ComeBack(), after=1_000)[-1] == Due(None)
    match.ask(1, GoAway(), after=1_000)
    again = match.now
    happened = match.until()
    assert match.now == again + 60_000
    assert isinstance(happened[-1], MatchClosed)
    assert happened[-1].standing == ((0, 1),)


def test_absent_players_agree_only_if_somebody_present_does() -> None:
    match = Match("extreme", 2, hourglass_s=1)
    for _ in match.rounds(9):
        match.sand()
    match.begin()
    match.ask(0, GoAway())
    match.ask(1, GoAway())
    match.wait(10**7)
    assert match.table.phase == "play"
    assert isinstance(match.ask(1, Stop())[-1], MatchClosed)


def test_the_same_seed_shuffles_in_the_same_way() -> None:
    assert Chance("abc").shuffled(range(9), "x") == Chance("abc").shuffled(range(9), "x")

"""Bots at dice: the greedy player, looking further ahead, and speed of grabbing."""

from __future__ import annotations

from statistics import median

from msgspec.structs import replace

from tests.play import Match
from ubongo.bots import pace, plan, rests
from ubongo.bots.least import least
from ubongo.bots.pace import LEVELS, Level
from ubongo.bots.player import next_move
from ubongo.material import shipped
from ubongo.material.dice import DiceEdition
from ubongo.material.shapes import BLACK, WHITE
from ubongo.moves import Grab, Move, Pass, Stop
from ubongo.table import Instant, Seat, SeatNo
from ubongo.veil import veil
from ubongo.workshop import plain_player


def areas() -> list[tuple[tuple[int, int], ...]]:
    edition = shipped("dice")
    assert isinstance(edition, DiceEdition)
    return [edition.sheets[number].areas[number].region for number in (0, 3, 5)]


def test_the_compiled_greedy_player_plays_like_the_plain_one() -> None:
    for region in areas():
        places = [[way.bits for way in rests.ways(region, name)] for name in BLACK + WHITE]
        left = rests.bits(region)
        found = [plain_player.leave(left, places[black], places[white]) for black, white in plain_player.THROWS]
        assert rests.leaves(left) == found


def test_looking_ahead_needs_no_more_rounds_than_playing_greedily() -> None:
    better = 0
    for region in areas():
        left = rests.bits(region)
        for black, white in zip(BLACK, WHITE, strict=True):
            ahead, sensible = rests.thought_through(left, region, black, white), rests.plain_rest(left, black, white)
            assert rests.rounds(ahead) <= rests.rounds(sensible)
            better += rests.rounds(ahead) < rests.rounds(sensible)
    assert better > 0


def thrown(level: Level) -> tuple[Match, plan.Intent | None]:
    match = Match("dice", bots={0: level, 1: level})
    return match, next_move(veil(match.table, SeatNo(0)), SeatNo(0), level, "luck", match.now)


def test_W7_a_bot_grabs_one_of_each_colour_and_then_enters() -> None:
    match, intent = thrown("medium")
    taken = []
    while intent is not None and isinstance(intent[1], Grab):
        match.ask(0, intent[1], intent[0] - match.now)
        taken.append(match.table.dice[intent[1].die].colour)
        intent = next_move(veil(match.table, SeatNo(0)), SeatNo(0), "medium", "luck", match.now)
    assert sorted(taken) == ["black", "white"]
    assert intent is None
    for _ in range(2):
        grab = least(replace(match.table, seats=stopped(match.table.seats)), SeatNo(1), match.now)
        assert grab is not None
        match.ask(1, grab[1])
    assert match.table.phase == "enter"
    moved: list[Move] = []
    while (intent := next_move(veil(match.table, SeatNo(0)), SeatNo(0), "medium", "luck", match.now)) is not None:
        moved.append(intent[1])
        match.ask(0, intent[1], intent[0] - match.now)
    assert moved[-1] == Pass()


def stopped(seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    return tuple(replace(seat, stop=True) for seat in seats)


def test_quicker_levels_grab_sooner() -> None:
    def reaction(level: Level) -> float:
        table = thrown(level)[0].table
        intents = [next_move(table, SeatNo(0), level, f"luck {number}", Instant(0)) for number in range(40)]
        return median(intent[0] for intent in intents if intent is not None)

    assert [reaction(level) for level in LEVELS] == sorted(map(reaction, LEVELS), reverse=True)


def test_W17_bots_agree_to_give_up_an_area_that_drags_on() -> None:
    match, _ = thrown("hard")
    stopping = replace(match.table.seats[1], stop=True)
    task = match.seat(0).task
    assert task is not None
    for rounds, agrees in ((1, False), (pace.WEARY_OF_AREA + 1, True)):
        me = replace(match.seat(0), task=replace(task, pieces=("I1",) * (2 * rounds)))
        intent = next_move(replace(match.table, seats=(me, stopping)), SeatNo(0), "hard", "luck", match.now)
        assert (intent is not None and intent[1] == Stop()) is agrees
        away = replace(me, bot=None, away=0)
        intent = next_move(replace(match.table, seats=(away, stopping)), SeatNo(0), "hard", "luck", match.now)
        assert intent is None or intent[1] != Stop(), "K17: an absent player counts as agreeing anyway"

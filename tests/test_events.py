"""Events and their effects on the table."""

from typing import get_args

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ubongo.events import (
    AnyEvent,
    Called,
    Dealt,
    GemMoved,
    Grabbed,
    Judged,
    Lifted,
    Placed,
    RoundClosed,
    Scored,
    Thrown,
)
from ubongo.evolve import EFFECTS, evolve, replay
from ubongo.pieces import Placement
from ubongo.table import GEMS, Gem, Instant, Options, Seat, SeatNo, Table, Task

TABLE = Table("extreme", Options(), (Seat("Ann"), Seat("Bo")), display=("sapphire", "amber"), bag=GEMS)


def test_every_event_has_its_effect() -> None:
    assert set(get_args(AnyEvent)) == set(EFFECTS)


@given(st.from_type(AnyEvent))  # type: ignore[arg-type] # a union is a type to Hypothesis
def test_events_survive_a_round_trip(event: AnyEvent) -> None:
    assert msgspec.json.decode(msgspec.json.encode(event), type=AnyEvent) == event


def test_event_names_on_the_wire() -> None:
    assert msgspec.json.encode(GemMoved("ruby", "bag", SeatNo(1))) == (
        b'{"type":"gem_moved","gem":"ruby","source":"bag","target":1}'
    )
    assert msgspec.json.encode(RoundClosed(3)) == b'{"type":"round_closed","round":3}'


def test_laying_a_piece_a_second_time_moves_it_to_the_end() -> None:
    after = replay(
        TABLE, [Placed(SeatNo(0), 0, 1, (2, 3)), Placed(SeatNo(0), 1, 0, (0, 0)), Placed(SeatNo(0), 0, 2, (4, 4))]
    )
    assert after.seats[0].laid == (Placement(1, 0, (0, 0)), Placement(0, 2, (4, 4)))
    assert evolve(after, Lifted(SeatNo(0), 1)).seats[0].laid == (Placement(0, 2, (4, 4)),)
    assert after.seats[1] is TABLE.seats[1], "unchanged seats are the same object"


@pytest.mark.parametrize("gem", GEMS)
def test_gems_stay_sorted_wherever_they_move(gem: Gem) -> None:
    after = replay(TABLE, [GemMoved(gem, "bag", SeatNo(0)), GemMoved("sapphire", "display", "bag")])
    assert after.seats[0].gems == (gem,)
    assert list(after.bag) == sorted(after.bag, key=GEMS.index)
    assert len(after.bag) == 4


def test_the_black_dice_come_first_and_a_grabbed_die_joins_its_owners_task() -> None:
    table = evolve(TABLE, Thrown(("L4", "T4", "I1", "I2")))
    assert [die.colour for die in table.dice] == ["black", "black", "white", "white"]
    table = evolve(replay(table, [Dealt(SeatNo(1), Task((), ((0, 0),)))]), Grabbed(SeatNo(1), 2))
    assert table.dice[2].taken == 1
    assert table.seats[1].task == Task(("I1",), ((0, 0),))


def test_a_closed_round_is_visible_to_everyone() -> None:
    hand = Task(("1-1-white",), face="hand")
    table = replay(
        TABLE,
        [
            Dealt(SeatNo(0), hand),
            Placed(SeatNo(0), 0, 0, (0, 0)),
            Judged(SeatNo(0), (0,)),
            Called(SeatNo(0), Instant(9)),
            RoundClosed(1),
        ],
    )
    assert table.last is not None
    assert table.last[0].task == Task(("1-1-white",), face="up")
    assert (table.last[0].wrong, table.last[0].called, len(table.last[0].laid)) == ((0,), 9, 1)
    assert table.seats[0].task is None


def test_earlier_areas_stay_on_the_sheet() -> None:
    first, second = Task(("L4",), ((0, 0),), "7", "1"), Task((), ((0, 0),), "7", "2")
    table = replay(
        replace(TABLE, area=1),
        [
            Dealt(SeatNo(0), first),
            Placed(SeatNo(0), 0, 0, (0, 0)),
            Scored(SeatNo(0), 2),
            RoundClosed(1),
            Dealt(SeatNo(0), second),
        ],
    )
    [area] = table.seats[0].sheet
    assert (area.task, len(area.laid), area.points) == (first, 1, 2)
    assert (table.seats[0].task, table.seats[0].laid) == (second, ())


def test_a_closed_round_lists_what_was_won_in_it() -> None:
    before = replay(TABLE, [GemMoved("amber", "bag", SeatNo(0)), RoundClosed(1)])
    table = replay(
        before, [GemMoved("amber", "display", SeatNo(0)), GemMoved("ruby", "bag", SeatNo(0)), RoundClosed(2)]
    )
    assert table.last is not None
    assert [result.gems for result in table.last] == [("ruby", "amber"), ()]
    assert table.seats[0].gems == ("ruby", "amber", "amber")
    assert table.seats[0].won == ()


@pytest.mark.parametrize(("round_", "area", "shown"), [(2, None, 7), (3, None, None), (9, 1, 4), (9, 2, 7)])
def test_points_belong_to_the_round_or_the_area(round_: int, area: int | None, shown: int | None) -> None:
    table = replay(
        replace(TABLE, round=round_, area=area), [Scored(SeatNo(0), 4), Scored(SeatNo(0), 7), RoundClosed(round_)]
    )
    assert table.last is not None
    assert [result.points for result in table.last] == [shown, None]

"""What one seat may see of a table, and of an event (T4, T12)."""

import pytest
from msgspec.structs import replace

from ubongo.events import Dealt, GemMoved, Judged
from ubongo.pieces import Placement
from ubongo.table import Options, Phase, RoundResult, Seat, SeatNo, Table, Task
from ubongo.veil import veil, veil_event

BOARD = Task(("yellow-1", "yellow-2"), ((0, 0), (0, 1)), board="7")
# T2a: a round that is counted in has not started.
BEFORE = pytest.mark.parametrize("phase", ["ready", "count"])
HAND = Task(("1-1-white", "1-2-white", "1-3-white"), face="hand")


def table(task: Task, phase: Phase, laid: tuple[Placement, ...] = (), wrong: tuple[int, ...] = ()) -> Table:
    return Table("cards", Options(), (Seat("Ann", task=task, laid=laid, wrong=wrong), Seat("Bo")), phase=phase)


def test_a_table_without_secrets_is_returned_unchanged() -> None:
    lying = table(BOARD, "play")
    assert all(veil(lying, viewer) is lying for viewer in (None, SeatNo(0), SeatNo(1)))


@BEFORE
@pytest.mark.parametrize("viewer", [None, SeatNo(0), SeatNo(1)])
def test_T12_nobody_sees_a_task_that_is_face_down(viewer: SeatNo | None, phase: Phase) -> None:
    down = Task(BOARD.pieces, BOARD.region, face="down")
    assert veil(table(down, phase), viewer).seats[0].task is None
    assert veil_event(Dealt(SeatNo(0), down), viewer) == Dealt(SeatNo(0), None)


@BEFORE
def test_T12_only_its_owner_sees_a_board_dealt_open_before_the_start(phase: Phase) -> None:
    mine = Task(BOARD.pieces, BOARD.region, face="hand")
    assert veil(table(mine, phase), SeatNo(0)).seats[0].task == mine
    assert veil(table(mine, phase), SeatNo(1)).seats[0].task is None
    assert veil_event(Dealt(SeatNo(0), mine), SeatNo(0)) == Dealt(SeatNo(0), mine)
    assert veil_event(Dealt(SeatNo(0), mine), None) == Dealt(SeatNo(0), None)


def test_T12_others_see_only_the_laid_cards_of_a_hand() -> None:
    playing = table(HAND, "play", laid=(Placement(1, 0, (0, 0)),), wrong=(1,))
    for viewer in (None, SeatNo(1)):
        seen = veil(playing, viewer).seats[0]
        assert seen.task is not None
        assert seen.task.pieces == (None, "1-2-white", None)
        assert seen.laid == playing.seats[0].laid
        assert seen.wrong == (), "only the owner sees what is wrong (K12)"
    assert veil(playing, SeatNo(0)) is playing


@BEFORE
def test_T12_others_do_not_even_see_the_size_of_a_hand_before_the_start(phase: Phase) -> None:
    assert veil(table(HAND, phase), SeatNo(1)).seats[0].task is None
    assert veil(table(HAND, phase), SeatNo(0)).seats[0].task == HAND


def test_T12_T14_after_the_round_layouts_are_visible_but_the_rest_of_a_hand_is_not() -> None:
    results = (RoundResult(HAND, (Placement(1, 0, (0, 0)),), (1,), None), RoundResult(None, (), (), None))
    closed = replace(table(HAND, "ready"), last=results)
    own, others = veil(closed, SeatNo(0)).last, veil(closed, SeatNo(1)).last
    assert own == results
    assert others is not None
    assert others[0].task is not None
    assert others[0].task.pieces == (None, "1-2-white", None)
    assert (others[0].laid, others[0].wrong) == (results[0].laid, (1,))


def test_events_without_secrets_are_sent_unchanged() -> None:
    moved = GemMoved("ruby", "bag", SeatNo(0))
    assert veil_event(moved, None) is moved
    assert veil_event(Judged(SeatNo(0), (1,)), SeatNo(0)) == Judged(SeatNo(0), (1,))
    assert veil_event(Judged(SeatNo(0), (1,)), SeatNo(1)) == Judged(SeatNo(0), ())

"""The course of a run, read from its log: the time of each board, and the timeline of a day's puzzle."""

from __future__ import annotations

import pytest

from tests.server.alone import SoloPlayer
from tests.server.records.runs import COUNT
from ubongo.events import AnyEvent, Lifted, Placed, Scored, Started
from ubongo.moves import Ready, SetAside
from ubongo.server.records.splits import MOST_STEPS, timeline_of
from ubongo.table import Instant, SeatNo


def test_every_board_has_its_time(ann: SoloPlayer, bo: SoloPlayer) -> None:
    key = ann.open(**COUNT, count_in_s=3)
    room = ann.start(key)
    ann.move(room, Ready())
    ann.wait_for_start(room)
    ann.pass_time(4000)
    ann.move(room, SetAside())
    for pace in (2000, 9000, 3000, 4000, 5000):
        ann.pass_time(pace)
        ann.lay(room)
    told = ann.get(f"/tables/{key}/result")
    splits = told["splits"]
    assert [one["took"] for one in splits] == [4000, 2000, 9000, 3000, 4000, 5000]
    assert [one["solved"] for one in splits] == [False, True, True, True, True, True]
    assert sum(one["took"] for one in splits) == told["run"]["took"]
    assert [len(one["laid"]) for one in splits] == [0, 3, 3, 3, 3, 3]
    assert (told["name"], told["mine"], told["timeline"]) == ("Ann", True, None)
    assert bo.get(f"/tables/{key}/result")["mine"] is False


@pytest.mark.parametrize("of", ["extreme", "cards", "dice", "cubes"])
def test_a_days_board_has_a_timeline(ann: SoloPlayer, of: str) -> None:
    told = ann.get(f"/tables/{ann.run(pace=12_000, of=of, mode='day')}/result")
    assert len(told["splits"]) == 1
    assert told["splits"][0]["took"] == told["run"]["took"]
    assert told["timeline"]["taken_back"] == 0
    if of != "dice":
        assert told["timeline"] == {"step_s": 5, "steps": ["thought", "thought", "stayed"], "taken_back": 0}


def place(at: int, piece: int) -> tuple[Instant, AnyEvent]:
    return Instant(at), Placed(SeatNo(0), piece, 0, (0, 0))


def lift(at: int, piece: int) -> tuple[Instant, AnyEvent]:
    return Instant(at), Lifted(SeatNo(0), piece)


@pytest.mark.parametrize(
    ("moves", "until", "steps", "taken_back"),
    [
        # As on the shared card: think, place, think, lift, think, place, place.
        (
            [place(7000, 0), place(12_000, 1), lift(16_000, 1), place(26_000, 1), place(34_000, 2)],
            34_000,
            ["thought", "stayed", "thought", "back", "thought", "stayed", "stayed"],
            1,
        ),
        # A piece that is moved was lifted, too; if both happen in one step, the step shows the piece that stayed.
        ([place(1000, 0), place(6000, 0), place(7000, 1)], 7000, ["thought", "stayed"], 1),
        ([place(10, 0), place(20, 1)], 20, ["stayed"], 0),
        # Exactly five seconds belong to the next step.
        ([place(4999, 0), place(5000, 1)], 5000, ["stayed", "stayed"], 0),
    ],
)
def test_steps_of_five_seconds(
    moves: list[tuple[Instant, AnyEvent]], until: int, steps: list[str], taken_back: int
) -> None:
    begun = Instant(3000)
    history: list[tuple[Instant, AnyEvent]] = [
        (begun, Started(begun)),
        *[(Instant(at + begun), event) for at, event in moves],
        (Instant(until + begun), Scored(SeatNo(0), 1)),
    ]
    found = timeline_of(history)
    assert (found.step_s, found.steps, found.taken_back) == (5, steps, taken_back)


@pytest.mark.parametrize(
    ("until", "step_s"), [(119_999, 5), (120_000, 10), (10 * 60_000, 30), (86_400_000, 3600), (10 * 86_400_000, 3600)]
)
def test_a_long_try_has_longer_steps(until: int, step_s: int) -> None:
    found = timeline_of([(Instant(0), Started(Instant(0))), place(until, 0), (Instant(until), Scored(SeatNo(0), 1))])
    assert found.step_s == step_s
    assert len(found.steps) <= MOST_STEPS
    assert found.steps[-1] == "stayed"

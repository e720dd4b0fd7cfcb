"""The checker reports nothing for a correct history, and every tampering by name."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy

import pytest

from tests.checker import Fault, History, Kind, Message, Truth, Visit, faults, plain
from tests.server.fakes import FakeMember
from tests.server.room_harness import RoomHarness
from ubongo.table import Instant, SeatNo

pytestmark = pytest.mark.anyio


class Seen:
    """A round of cards, with hidden hands: the log, and what two players and a spectator saw."""

    def __init__(self, harness: RoomHarness, visits: list[list[FakeMember]]) -> None:
        self.opening = harness.match.opening
        self.rows = list(harness.log.rows)
        self.histories = []
        for some in visits:
            history = History("t")
            for member in some:
                visit = Visit()
                visit.sent = {n: plain(move) for n, move in member.asked.items()}
                visit.received = deepcopy(member.heard)
                history.visits.append(visit)
            self.histories.append(history)
        self.ann, self.bo, self.spectator = self.histories

    def truth(self) -> Truth:
        return Truth(self.opening, self.rows)

    def faults(self) -> list[Fault]:
        return faults({"t": self.truth()}, self.histories)


async def seen() -> Seen:
    harness = RoomHarness("cards")
    await harness.playing()
    ann, bo = harness.members
    for member, seat in ((ann, 0), (bo, 1)):
        for move in harness.solution(SeatNo(seat))[:2]:
            member.ask(**move)
            harness.log.commit()
    ann.ask(type="lift", piece=99)
    harness.room.exit(ann)
    harness.log.commit()
    bo.ask(type="lift", piece=harness.solution(SeatNo(1))[0]["piece"])
    harness.log.commit()
    again = FakeMember(harness.room, ann.player)
    harness.room.enter(again)
    again.ask(**harness.solution(SeatNo(0))[2])
    harness.log.commit()
    return Seen(harness, [[ann, again], [bo], [harness.spectator]])


def updates(history: History, kind: str, visit: int = 0) -> list[Message]:
    """The received updates with events of this kind."""
    heard = history.visits[visit].received
    return [one for one in heard if one["type"] == "update" and kind in {event["type"] for event in one["events"]}]


async def test_a_correct_history_has_no_faults() -> None:
    right = await seen()
    assert right.faults() == []
    assert [history.accepted for history in right.histories] == [4, 4, 0]
    assert {event.__class__.__name__ for event in right.truth().events} >= {"Dealt", "Placed", "Lifted", "Away", "Back"}


def an_end_that_is_lost(run: Seen) -> None:
    del run.rows[-1]


def a_yes_to_nothing(run: Seen) -> None:
    updates(run.bo, "placed")[-2]["acked"] += 1


def a_frame_sent_twice(run: Seen) -> None:
    heard = run.spectator.visits[0].received
    heard.append(heard[-1])


def a_move_recorded_twice(run: Seen) -> None:
    last = run.rows[-1]
    run.rows.append(last._replace(version=last.version + 1))


def a_refused_move_that_was_recorded(run: Seen) -> None:
    visit = run.ann.visits[1]
    answer = updates(run.ann, "placed", 1)[0]
    visit.received.append({"type": "refused", "n": answer["acked"]})


def a_frame_left_out(run: Seen) -> None:
    run.spectator.visits[0].received.remove(updates(run.spectator, "placed")[1])


def a_row_left_out(run: Seen) -> None:
    del run.rows[-2]


def an_altered_event(run: Seen) -> None:
    updates(run.bo, "placed")[0]["events"][0]["at"][0] += 1


def an_altered_table(run: Seen) -> None:
    updates(run.bo, "placed")[0]["table"]["seats"]["0"]["ready"] = False


def a_hand_shown_to_another(run: Seen) -> None:
    """The welcome reveals the other player's cards."""
    welcome = run.ann.visits[1].received[0]
    welcome["table"] = plain(run.truth().tables[welcome["version"]])


def a_deal_broadcast_unveiled(run: Seen) -> None:
    """The next deal is broadcast unveiled."""
    truth = run.truth()
    first = next(number for number, event in enumerate(truth.events) if type(event).__name__ == "Dealt")
    watching = run.spectator.visits[0].received
    start = next(number for number, said in enumerate(watching) if said["version"] > 0)
    welcome = {**watching[start], "version": first, "table": plain(truth.tables[first])}
    told = {
        "type": "update",
        "version": first + 1,
        "acked": None,
        "events": [plain(truth.events[first])],
        "table": {},
    }
    run.spectator.visits[0].received = [welcome, told]


def a_welcome_to_the_past(run: Seen) -> None:
    run.ann.visits.reverse()


def time_that_runs_back(run: Seen) -> None:
    run.rows[0] = run.rows[0]._replace(at=Instant(run.rows[-1].at + 1))


@pytest.mark.parametrize(
    ("tampering", "kind"),
    [
        (an_end_that_is_lost, "lost"),
        (a_yes_to_nothing, "lost"),
        (a_frame_sent_twice, "twice"),
        (a_move_recorded_twice, "twice"),
        (a_refused_move_that_was_recorded, "twice"),
        (a_frame_left_out, "left out"),
        (a_row_left_out, "left out"),
        (an_altered_event, "different"),
        (an_altered_table, "different"),
        (a_hand_shown_to_another, "unveiled"),
        (a_deal_broadcast_unveiled, "unveiled"),
        (a_welcome_to_the_past, "back"),
        (time_that_runs_back, "back"),
    ],
)
async def test_every_tampering_is_detected(tampering: Callable[[Seen], None], kind: Kind) -> None:
    run = await seen()
    tampering(run)
    assert {fault.kind for fault in run.faults()} == {kind}, run.faults()

"""Reactions between rounds and at the end: broadcast to the table, never stored, and rate limited."""

from __future__ import annotations

import pytest

from tests.server.fakes import FakeMember
from tests.server.people import Device, Message, Person, table_for
from tests.server.room_harness import RoomHarness
from ubongo.moves import Refused
from ubongo.server.protocol import Reaction, TableFacts
from ubongo.server.tables.reactions import EVERY as REACTION_EVERY
from ubongo.table import SeatNo


def refused(harness: RoomHarness, member: FakeMember) -> str:
    with pytest.raises(Refused) as no:
        harness.room.react(member, "ha")
    return no.value.code


@pytest.mark.anyio
async def test_a_reaction_goes_to_everybody_and_to_no_log() -> None:
    harness = RoomHarness()
    await harness.begin()
    ann, bo = harness.members
    harness.room.react(bo, "wow")
    for member in (ann, bo, harness.spectator):
        assert member.last() == {"type": "reaction", "seat": 1, "what": "wow"}
    before = len(harness.log.rows)
    harness.log.commit()
    assert len(harness.log.rows) == before


@pytest.mark.anyio
async def test_reactions_are_limited_to_one_a_second_per_person() -> None:
    harness = RoomHarness()
    await harness.begin()
    ann, bo = harness.members
    harness.room.react(ann, "star")
    assert refused(harness, ann) == "too_fast"
    # The limit affects nobody else, and only for a second.
    harness.room.react(bo, "heart")
    harness.clock.pass_time(REACTION_EVERY)
    harness.room.react(ann, "close")
    assert bo.last() == {"type": "reaction", "seat": 0, "what": "close"}


@pytest.mark.anyio
async def test_spectators_and_former_players_cannot_react_and_nobody_can_during_a_round() -> None:
    harness = RoomHarness()
    assert refused(harness, harness.members[0]) == "not_now"
    await harness.begin()
    assert refused(harness, harness.spectator) == "watching"
    await harness.playing()
    ann, bo = harness.members
    assert refused(harness, ann) == "not_now"
    bo.ask(type="leave")
    harness.log.commit()
    assert harness.room.shown.phase == "over"
    assert refused(harness, bo) == "gone"
    harness.room.react(ann, "star")


@pytest.mark.anyio
async def test_a_reaction_relayed_from_another_server_is_shown_unless_muted() -> None:
    harness = RoomHarness()
    relayed = harness.listener.reactions
    await harness.begin()
    ann, bo = harness.members
    harness.room.react(ann, "wow")
    assert relayed == [Reaction(SeatNo(0), "wow")]
    harness.room.reactions.show(Reaction(SeatNo(1), "heart"))
    assert ann.last() == {"type": "reaction", "seat": 1, "what": "heart"}
    # Two devices on two servers share one limit of reactions.
    assert refused(harness, bo) == "too_fast"
    assert len(relayed) == 1
    harness.room.send_facts(TableFacts(muted=True))
    harness.room.reactions.show(Reaction(SeatNo(1), "ha"))
    assert ann.last()["type"] != "reaction"


def reacts(device: Device, what: str) -> Message:
    device.n += 1
    n = device.n
    device.say({"type": "react", "n": n, "what": what})
    return device.until(lambda said: said["type"] == "reaction" or said.get("n") == n)


def test_the_host_turns_them_off_for_the_table(address: str) -> None:
    ann, bo = Person(address, "Ann"), Person(address, "Bo")
    key = table_for(ann, bo)
    one, other = (person.sit_at(key) for person in (ann, bo))
    assert bo.ask("PUT", f"/tables/{key}/reactions", {"muted": True}).json()["code"] == "not_host"
    assert ann.ask("PUT", f"/tables/{key}/reactions", {"muted": True}).status_code == 200
    other.see(lambda table: table["muted"])
    assert reacts(other, "wow")["code"] == "muted"
    assert ann.ask("PUT", f"/tables/{key}/reactions", {"muted": False}).status_code == 200
    other.see(lambda table: not table["muted"])
    assert reacts(other, "wow") == {"type": "reaction", "seat": 1, "what": "wow"}
    assert one.until(lambda said: said["type"] == "reaction")["seat"] == 1
    assert reacts(other, "wow")["code"] == "too_fast"


@pytest.mark.parametrize("message", [{"n": 1, "what": "boo"}, {"n": 0, "what": "wow"}, {"what": "wow"}, {"n": 1}])
def test_an_unknown_reaction_is_refused(address: str, message: dict[str, object]) -> None:
    ann, bo = Person(address, "Ann"), Person(address, "Bo")
    one = ann.sit_at(table_for(ann, bo))
    one.say({"type": "react", **message})
    assert one.hear_error()

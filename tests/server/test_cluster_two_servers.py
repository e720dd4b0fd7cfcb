"""Two servers on one database: every server shows the same table. Real processes, PostgreSQL and NATS.

One file, since all tests share one pair of servers: starting them takes as long as all the tests.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from functools import partial

import httpx
import nats as nats_py
import pytest

from tests import nats, postgres
from tests.postgres import fetch
from tests.server.people import Device, Person, table_for
from tests.server.two_servers import PATIENCE_S, TwoServers, at_once, health, hears, start_two_servers, wait_for


@pytest.fixture(scope="module")
def servers() -> Iterator[TwoServers]:
    with start_two_servers(nats.shared().url, postgres.shared().database()) as servers:
        yield servers


def test_two_players_of_one_table_can_be_on_two_servers(servers: TwoServers) -> None:
    ann, bo = servers.person("Ann", 0), servers.person("Bo", 1)
    table = ann.post("/tables", {"game": "extreme", "seats": 2})["table"]
    assert bo.post(f"/tables/{table}/join") == {"seat": 1}
    one, other = ann.sit_at(table), bo.sit_at(table)
    assert (one.seat, other.seat) == (0, 1)
    # On a server that none of them is connected to: an HTTP request may go to any server.
    servers.at(ann, 1).post(f"/tables/{table}/start")
    for device in (one, other):
        device.see(lambda seen: seen["phase"] == "ready")
        device.ask(type="ready")
    for device in (one, other):
        device.see(lambda seen: seen["phase"] == "play")
    first, last = one.solution(), other.solution()
    assert one.ask(**first[0])["type"] == other.ask(**last[0])["type"] == "update"
    for device in (one, other):
        device.see(lambda seen: [len(seat["laid"]) for seat in seen["seats"]] == [1, 1])
    # Concurrently, several times: each time one of them has a version conflict, and is still answered.
    for _ in range(5):
        answers = at_once(lambda: one.ask(type="lift", piece=first[0]["piece"]), lambda: other.ask(**last[0]))
        answers += at_once(lambda: one.ask(**first[0]), lambda: other.ask(type="lift", piece=last[0]["piece"]))
        assert {said["type"] for said in answers} == {"update"}
    bo.post(f"/tables/{table}/leave")
    one.see(lambda seen: seen["phase"] == "over")
    lines = [person.ask("GET", f"/tables/{table}/log").text for person in (ann, servers.at(ann, 1))]
    assert lines[0] == lines[1]
    assert [json.loads(line)["event"] for line in lines[0].splitlines()[1:]] == servers.log(table)
    assert [event["type"] for event in servers.log(table)].count("placed") == 12
    rematches = at_once(
        lambda: ann.post(f"/tables/{table}/rematch")["table"], lambda: bo.post(f"/tables/{table}/rematch")["table"]
    )
    assert rematches[0] == rematches[1]
    for device in (one, other):
        device.see(lambda seen: seen["next"] == rematches[0])


def test_a_player_removed_on_one_server_takes_no_seat_on_the_other(servers: TwoServers) -> None:
    ann, bo = servers.person("Ann", 0), servers.person("Bo", 1)
    table = ann.post("/tables", {"game": "extreme", "seats": 2})["table"]
    bo.post(f"/tables/{table}/join")
    assert ann.ask("DELETE", f"/tables/{table}/seats/1").status_code == 200
    for server in (0, 1):
        assert servers.at(bo, server).ask("POST", f"/tables/{table}/join").json()["code"] == "removed"


def test_a_device_signed_out_on_one_server_is_disconnected_on_the_other(servers: TwoServers) -> None:
    ann = servers.person("Ann", 0)
    phone = servers.at(ann, 1)
    phone.token = phone.post("/guests/redeem", {"code": ann.post("/guests/me/codes")["code"]})["token"]
    table = ann.post("/tables", {"game": "extreme", "seats": 2})["table"]
    here, there = ann.sit_at(table), phone.sit_at(table)
    assert ann.ask("DELETE", "/guests/me/devices").status_code == 200
    assert there.closed() == 4401
    assert phone.ask("GET", "/guests/me").json()["code"] == "no_token"
    here.say({"type": "ping", "at": 1})
    assert here.until(lambda said: said["type"] == "pong")


def test_a_change_of_setup_on_one_server_is_broadcast_on_the_other(servers: TwoServers) -> None:
    ann, bo = servers.person("Ann", 0), servers.person("Bo", 1)
    table = ann.post("/tables", {"game": "extreme", "seats": 2, "public": True})["table"]
    assert table in [one["table"] for one in bo.get("/tables")]
    one = ann.sit_at(table)
    watching = bo.sit_at(table)
    one.see(lambda seen: seen["seats"][0]["present"])
    bo.post(f"/tables/{table}/join")
    welcomes = [watching.heard[0]["seat"], watching.until(lambda said: said["type"] == "welcome")["seat"]]
    assert welcomes == [None, 1]
    # The other server shows a moment later who is connected.
    one.see(lambda seen: seen["seats"][1]["name"] == "Bo" and seen["seats"][1]["present"])
    watching.see(lambda seen: seen["seats"][0]["present"])
    changed = servers.at(ann, 1).ask("PATCH", f"/tables/{table}", {"options": {"hourglass_s": 90}, "seats": 3})
    assert changed.status_code == 200, changed.text
    one.see(lambda seen: seen["options"]["hourglass_s"] == 90 and len(seen["seats"]) == 3)
    others = [servers.person("Cy", server) for server in (0, 1)]
    full = at_once(*[partial(other.ask, "POST", f"/tables/{table}/join") for other in others])
    assert sorted(answer.status_code for answer in full) == [200, 409], "one seat, two servers"
    assert servers.at(ann, 1).ask("DELETE", f"/tables/{table}").status_code == 200
    assert one.closed() == 4404
    assert ann.ask("GET", f"/tables/{table}").status_code == 404


def test_a_reaction_reaches_clients_of_another_server_and_no_log(servers: TwoServers) -> None:
    ann, bo, cy = servers.person("Ann", 0), servers.person("Bo", 1), servers.person("Cy", 1)
    table = ann.post("/tables", {"game": "extreme", "seats": 2})["table"]
    bo.post(f"/tables/{table}/join")
    one, other = ann.sit_at(table), bo.sit_at(table)
    watching = cy.sit_at(table)
    # Before the start they see each other only if both servers know that the table is open in both.
    for device in (one, other):
        device.see(lambda seen: all(seat["present"] for seat in seen["seats"]))
    ann.post(f"/tables/{table}/start")
    for device in (one, other, watching):
        device.see(lambda seen: seen["phase"] == "ready")
    one.say({"type": "react", "n": 1, "what": "wow"})
    for device in (one, other, watching):
        assert device.until(lambda said: said["type"] == "reaction") == {"type": "reaction", "seat": 0, "what": "wow"}
    other.say({"type": "react", "n": 1, "what": "heart"})
    assert [device.until(lambda said: said["type"] == "reaction")["seat"] for device in (one, other)] == [1, 1]
    assert servers.at(ann, 1).ask("PUT", f"/tables/{table}/reactions", {"muted": True}).status_code == 200
    for device in (one, other):
        device.see(lambda seen: seen["muted"])
        device.say({"type": "react", "n": 2, "what": "star"})
        assert device.until(lambda said: said.get("n") == 2)["code"] == "muted"
    assert "reaction" not in {event["type"] for event in servers.log(table)}


def test_a_player_connected_to_two_servers_is_away_only_without_both(servers: TwoServers) -> None:
    ann, bo = servers.person("Ann", 0), servers.person("Bo", 0)
    table = table_for(ann, bo)
    other = bo.sit_at(table)
    desk, phone = ann.sit_at(table), servers.at(ann, 1).sit_at(table)
    other.see(lambda seen: seen["seats"][0]["present"])
    known = f"select count(*) from serving where table_key = '{table}' and here like '%{ann.player}%'"

    def hangs_up(device: Device, left: int) -> None:
        device.hang_up()
        wait_for(lambda: asyncio.run(fetch(servers.url, known)) == [(left,)], "one after the other")
        other.ask(type="lift", piece=99)
        other.see(lambda seen: seen["seats"][0]["present"] == bool(left))

    hangs_up(desk, left=1)
    hangs_up(phone, left=0)
    # Meanwhile the timer may have started the round.
    came_and_went = [event for event in servers.log(table) if event["type"] in ("away", "back") and event["seat"] == 0]
    assert came_and_went[-1]["type"] == "away"


def test_a_table_stays_open_on_the_server_of_its_players(servers: TwoServers) -> None:
    ann, bo = servers.person("Ann", 0), servers.person("Bo", 0)
    # A server without their connections opens the room to start it.
    table = ann.post("/tables", {"game": "extreme", "seats": 2})["table"]
    bo.post(f"/tables/{table}/join")
    servers.at(ann, 1).post(f"/tables/{table}/start")
    devices = [person.sit_at(table) for person in (ann, bo)]
    serving = f"select here from serving where table_key = '{table}'"
    here = " ".join(sorted([ann.player, bo.player]))
    wait_for(lambda: asyncio.run(fetch(servers.url, serving)) == [(here,)], "the other has let go of it")
    devices[0].ask(type="ready")
    devices[1].see(lambda seen: seen["seats"][0]["ready"])


def test_a_guest_deleted_on_one_server_becomes_somebody_on_the_other(servers: TwoServers) -> None:
    ann, bo = servers.person("Ann", 0), servers.person("Bo", 1)
    table = table_for(ann, bo)
    device = ann.sit_at(table)
    assert bo.ask("DELETE", "/guests/me").status_code == 200
    device.see(lambda seen: seen["seats"][1]["name"] == "Somebody" and seen["seats"][1]["gone"])
    assert [seat["name"] for seat in ann.get(f"/tables/{table}")["seats"]] == ["Ann", "Somebody"]
    assert servers.at(bo, 0).ask("GET", "/guests/me").status_code == 401


def test_a_code_works_once_on_any_server(servers: TwoServers) -> None:
    ann = servers.person("Ann", 0)
    code = ann.post("/guests/me/codes")["code"]
    places = [f"{server.address}api/guests/redeem" for server in servers.running * 3]
    answers = [
        one.status_code
        for one in at_once(*[partial(httpx.post, one, json={"code": code}, timeout=PATIENCE_S) for one in places])
    ]
    assert sorted(answers) == [201, *[404] * 5]


def counted(person: Person) -> bool:
    return bool(person.get("/guests/me/profile")["matches"])


def test_records_are_equal_on_every_server_and_tallied_once(servers: TwoServers) -> None:
    ann, bo = servers.person("Ann", 0), servers.person("Bo", 1)
    table = table_for(ann, bo)
    device = ann.sit_at(table)
    servers.at(bo, 0).post(f"/tables/{table}/leave")
    device.see(lambda seen: seen["phase"] == "over")
    for server in (0, 1):
        there = servers.at(ann, server)
        wait_for(partial(counted, there), "the match is counted")
        assert there.get("/guests/me/profile")["matches"] == [{"game": "extreme", "matches": 1, "wins": 1}]


def test_false_news_change_nothing(servers: TwoServers) -> None:
    ann = servers.person("Ann", 0)
    table = table_for(ann, servers.person("Bo", 1))
    device = ann.sit_at(table)
    wait_for(partial(hears, servers.running[0]), "a server that was started just now may not hear yet")

    async def lie() -> None:
        line = await nats_py.connect(nats.shared().url)
        for word in (b"999999", b"0", b"-1", b"", b"\xff", b"9" * 5000, b"[]"):
            await line.publish(f"ubongo.table.{table}", word)
        await line.publish("ubongo.table.nothing", b"7")
        await line.close()

    asyncio.run(lie())
    assert device.ask(type="ready")["type"] == "update"
    assert hears(servers.running[0])
    assert servers.log(table)[-1]["type"] == "readied"


def test_without_nats_news_only_arrive_later() -> None:
    url, late = postgres.shared().database(), nats.Nats()
    late.stop()
    with start_two_servers(late.url, url) as servers:
        assert not hears(servers.running[0])
        ann, bo = servers.person("Ann", 0), servers.person("Bo", 1)
        table = table_for(ann, bo)
        first, second = ann.sit_at(table), bo.sit_at(table)
        first.ask(type="ready")
        second.see(lambda seen: seen["seats"][0]["ready"])
        second.ask(type="ready")
        first.see(lambda seen: seen["phase"] == "play")
        late.start()
        for server in servers.running:
            wait_for(partial(hears, server), "news come when somebody brings them")
        first.ask(**first.solution()[0])
        second.see(lambda seen: len(seen["seats"][0]["laid"]) == 1)
        late.stop()
        second.ask(**second.solution()[0])
        first.see(lambda seen: len(seen["seats"][1]["laid"]) == 1)
        for server in servers.running:
            assert health(server)["status"] == "ok", "nothing is wrong with the log"
        assert [event["type"] for event in servers.log(table)].count("placed") == 2


def test_a_dead_server_is_replaced_by_its_peers() -> None:
    """Its players are away until they reconnect, its bots think elsewhere, and unserved tables get extra time."""
    url = postgres.shared().database()
    # A server that was late itself cannot know which peers died, and gives no extra time.
    with start_two_servers(nats.shared().url, url, module="tests.server.patient") as servers:
        one, other = servers.running
        ann, bo, cy = servers.person("Ann", 1), servers.person("Bo", 0), servers.person("Cy", 0)
        # The first server opened all the tables, so it thinks for the bots.
        wanted = {"game": "dice", "seats": 3, "bots": ["expert"], "options": {"grab_s": 600}}
        both = bo.post("/tables", wanted)["table"]
        ann.post(f"/tables/{both}/join")
        theirs = bo.sit_at(both)
        mine = ann.sit_at(both)
        bo.post(f"/tables/{both}/start")
        alone, left = (cy.post("/tables", {"game": "extreme", "seats": 2, "bots": ["easy"]})["table"] for _ in range(2))
        devices = [cy.sit_at(table) for table in (alone, left)]
        for table in (alone, left):
            cy.post(f"/tables/{table}/start")
        for device in (theirs, mine, *devices):
            device.see(lambda seen: seen["phase"] != "gather")
        one.process.kill()
        one.process.wait()
        wait_for(lambda: asyncio.run(fetch(url, "select count(*) from living")) == [(1,)], "its line is gone with it")
        assert servers.at(cy, 1).sit_at(alone).seat == 0
        mine.see(lambda seen: not seen["seats"][0]["present"])
        # Bo throws, or the timer does; then the bot grabs, which is now another server's. How long an expert
        # looks at an area before it places is random, up to a minute; with dice it is a few seconds at most.
        bo.address = other.address.rstrip("/")
        bo.sit_at(both).ask(type="throw")
        mine.see(lambda seen: 2 in [die["taken"] for die in seen["dice"]])

        def resumed(table: str) -> int:
            return [event["type"] for event in servers.log(table)].count("resumed")

        wait_for(lambda: resumed(left) > 0, "nobody has to ask for it")
        assert [resumed(table) for table in (both, alone, left)] == [0, 1, 1]

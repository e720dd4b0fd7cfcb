"""Several houses on one database: whoever is asked, it is the same table. Real processes, PostgreSQL and NATS.

One file, since all of it shares the one town that is built for it: two servers take as long to start as all else.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, cast
from urllib.request import urlopen

import httpx
import msgspec
import nats as nats_py
import pytest
from litestar.testing import TestClient

from tests import nats, postgres
from tests.conftest import Running, start
from tests.postgres import asked
from tests.program import ubongo
from tests.server.fakes import FakeMember, WrongClock
from tests.server.people import Device, Person, table_for
from ubongo.moves import Move, Ready
from ubongo.server.app import build
from ubongo.server.lobby import Lobby
from ubongo.server.neighbours import Neighbours
from ubongo.server.room import Room
from ubongo.server.settings import Settings
from ubongo.server.tidying import end_what_is_over
from ubongo.table import SeatNo

PATIENCE_S = 60


class Town:
    """Two houses that share a database and hear of each other."""

    def __init__(self, url: str, one: Running, other: Running) -> None:
        self.url = url
        self.houses = one, other

    def person(self, name: str, house: int) -> Person:
        return Person(self.houses[house].address, name)

    def at(self, person: Person, house: int) -> Person:
        """The same person, before another house."""
        there = object.__new__(Person)
        there.__dict__ = person.__dict__ | {"address": self.houses[house].address.rstrip("/")}
        return there

    def log(self, table: str) -> list[dict[str, Any]]:
        """All events of a match, as the database has them; every version is there once."""
        wanted = f"select version, at, events from log join matches using (match) where table_key = '{table}'"
        rows = asyncio.run(asked(self.url, f"{wanted} order by version"))
        events: list[dict[str, Any]] = []
        last = 0
        for version, at, body in rows:
            events += msgspec.json.decode(cast("bytes", body))
            assert version == len(events)
            assert cast("int", at) >= last, "time does not run back"
            last = cast("int", at)
        return events


@contextmanager
def two_houses(news: str, url: str) -> Iterator[Town]:
    with ExitStack() as stack:
        # Both at once: a server takes a moment to be there.
        one, other = at_once(*[partial(start, "--nats", news, db=url)] * 2)
        for house in (one, other):
            stack.enter_context(house)
        yield Town(url, one, other)


@pytest.fixture(scope="module")
def town() -> Iterator[Town]:
    with two_houses(nats.shared().url, postgres.shared().database()) as town:
        yield town


def wait_for(wanted: Callable[[], bool], why: str) -> None:
    until = time.monotonic() + PATIENCE_S
    while not wanted():
        assert time.monotonic() < until, why
        time.sleep(0.05)


def health(running: Running) -> dict[str, Any]:
    with urlopen(f"{running.address}healthz") as answer:
        return dict(json.load(answer))


def hears(running: Running) -> bool:
    """Whether there is anybody to bring it news."""
    return bool(health(running)["news"] == "ok")


def at_once(*deeds: Callable[[], Any]) -> list[Any]:
    with ThreadPoolExecutor(len(deeds)) as threads:
        return [one.result() for one in [threads.submit(deed) for deed in deeds]]


def test_two_at_one_table_may_be_in_two_houses(town: Town) -> None:
    ann, bo = town.person("Ann", 0), town.person("Bo", 1)
    table = ann.post("/tables", {"game": "extreme", "seats": 2})["table"]
    assert bo.post(f"/tables/{table}/join") == {"seat": 1}
    one, other = ann.sit_at(table), bo.sit_at(table)
    assert (one.seat, other.seat) == (0, 1)
    # By a house where nobody of them is: what is asked over HTTP goes anywhere.
    town.at(ann, 1).post(f"/tables/{table}/start")
    for device in (one, other):
        device.see(lambda seen: seen["phase"] == "ready")
        device.ask(type="ready")
    for device in (one, other):
        device.see(lambda seen: seen["phase"] == "play")
    first, last = one.solution(), other.solution()
    assert one.ask(**first[0])["type"] == other.ask(**last[0])["type"] == "update"
    for device in (one, other):
        device.see(lambda seen: [len(seat["laid"]) for seat in seen["seats"]] == [1, 1])
    # Both at once, again and again: one of them is late each time, and is answered all the same.
    for _ in range(5):
        answers = at_once(lambda: one.ask(type="lift", piece=first[0]["piece"]), lambda: other.ask(**last[0]))
        answers += at_once(lambda: one.ask(**first[0]), lambda: other.ask(type="lift", piece=last[0]["piece"]))
        assert {said["type"] for said in answers} == {"update"}
    bo.post(f"/tables/{table}/leave")
    one.see(lambda seen: seen["phase"] == "over")
    lines = [person.ask("GET", f"/tables/{table}/log").text for person in (ann, town.at(ann, 1))]
    assert lines[0] == lines[1]
    assert [json.loads(line)["event"] for line in lines[0].splitlines()[1:]] == town.log(table)
    assert [event["type"] for event in town.log(table)].count("placed") == 12
    rematches = at_once(
        lambda: ann.post(f"/tables/{table}/rematch")["table"], lambda: bo.post(f"/tables/{table}/rematch")["table"]
    )
    assert rematches[0] == rematches[1]
    for device in (one, other):
        device.see(lambda seen: seen["next"] == rematches[0])


def test_what_is_agreed_on_in_one_house_is_told_in_the_other(town: Town) -> None:
    ann, bo = town.person("Ann", 0), town.person("Bo", 1)
    table = ann.post("/tables", {"game": "extreme", "seats": 2, "public": True})["table"]
    assert table in [one["table"] for one in bo.get("/tables")]
    one = ann.sit_at(table)
    watching = bo.sit_at(table)
    one.see(lambda seen: seen["seats"][0]["present"])
    bo.post(f"/tables/{table}/join")
    welcomes = [watching.heard[0]["seat"], watching.until(lambda said: said["type"] == "welcome")["seat"]]
    assert welcomes == [None, 1]
    # Who is there is seen in the other house a moment later.
    one.see(lambda seen: seen["seats"][1]["name"] == "Bo" and seen["seats"][1]["present"])
    watching.see(lambda seen: seen["seats"][0]["present"])
    changed = town.at(ann, 1).ask("PATCH", f"/tables/{table}", {"options": {"hourglass_s": 90}, "seats": 3})
    assert changed.status_code == 200, changed.text
    one.see(lambda seen: seen["options"]["hourglass_s"] == 90 and len(seen["seats"]) == 3)
    others = [town.person("Cy", house) for house in (0, 1)]
    full = at_once(*[partial(other.ask, "POST", f"/tables/{table}/join") for other in others])
    assert sorted(answer.status_code for answer in full) == [200, 409], "one seat, two houses"
    assert town.at(ann, 1).ask("DELETE", f"/tables/{table}").status_code == 200
    assert one.closed() == 4404
    assert ann.ask("GET", f"/tables/{table}").status_code == 404


def test_who_is_in_two_houses_is_away_only_with_the_last_connection(town: Town) -> None:
    ann, bo = town.person("Ann", 0), town.person("Bo", 0)
    table = table_for(ann, bo)
    other = bo.sit_at(table)
    desk, phone = ann.sit_at(table), town.at(ann, 1).sit_at(table)
    other.see(lambda seen: seen["seats"][0]["present"])
    known = f"select count(*) from serving where table_key = '{table}' and here like '%{ann.player}%'"

    def hangs_up(device: Device, left: int) -> None:
        device.hang_up()
        wait_for(lambda: asyncio.run(asked(town.url, known)) == [(left,)], "one after the other")
        other.ask(type="lift", piece=99)
        other.see(lambda seen: seen["seats"][0]["present"] == bool(left))

    hangs_up(desk, left=1)
    hangs_up(phone, left=0)
    # Meanwhile time may have started the round.
    came_and_went = [event for event in town.log(table) if event["type"] in ("away", "back") and event["seat"] == 0]
    assert came_and_went[-1]["type"] == "away"


def test_a_table_is_kept_open_where_its_people_are(town: Town) -> None:
    ann, bo = town.person("Ann", 0), town.person("Bo", 0)
    # Where nobody of them is, it is started, and so opened first.
    table = ann.post("/tables", {"game": "extreme", "seats": 2})["table"]
    bo.post(f"/tables/{table}/join")
    town.at(ann, 1).post(f"/tables/{table}/start")
    devices = [person.sit_at(table) for person in (ann, bo)]
    serving = f"select here from serving where table_key = '{table}'"
    here = " ".join(sorted([ann.player, bo.player]))
    wait_for(lambda: asyncio.run(asked(town.url, serving)) == [(here,)], "the other has let go of it")
    devices[0].ask(type="ready")
    devices[1].see(lambda seen: seen["seats"][0]["ready"])


def test_who_is_forgotten_in_one_house_is_somebody_in_the_other(town: Town) -> None:
    ann, bo = town.person("Ann", 0), town.person("Bo", 1)
    table = table_for(ann, bo)
    device = ann.sit_at(table)
    assert bo.ask("DELETE", "/guests/me").status_code == 200
    device.see(lambda seen: seen["seats"][1]["name"] == "Somebody" and seen["seats"][1]["gone"])
    assert [seat["name"] for seat in ann.get(f"/tables/{table}")["seats"]] == ["Ann", "Somebody"]
    assert town.at(bo, 0).ask("GET", "/guests/me").status_code == 401


def test_a_code_works_once_whoever_is_asked(town: Town) -> None:
    ann = town.person("Ann", 0)
    code = ann.post("/guests/me/codes")["code"]
    places = [f"{house.address}api/guests/redeem" for house in town.houses * 3]
    answers = [
        one.status_code
        for one in at_once(*[partial(httpx.post, one, json={"code": code}, timeout=PATIENCE_S) for one in places])
    ]
    assert sorted(answers) == [201, *[404] * 5]


def counted(person: Person) -> bool:
    return bool(person.get("/guests/me/profile")["matches"])


def test_records_are_the_same_in_every_house_and_counted_once(town: Town) -> None:
    ann, bo = town.person("Ann", 0), town.person("Bo", 1)
    table = table_for(ann, bo)
    device = ann.sit_at(table)
    town.at(bo, 0).post(f"/tables/{table}/leave")
    device.see(lambda seen: seen["phase"] == "over")
    for house in (0, 1):
        there = town.at(ann, house)
        wait_for(partial(counted, there), "the match is counted")
        assert there.get("/guests/me/profile")["matches"] == [{"game": "extreme", "matches": 1, "wins": 1}]


def test_false_news_make_nobody_believe_anything(town: Town) -> None:
    ann = town.person("Ann", 0)
    table = table_for(ann, town.person("Bo", 1))
    device = ann.sit_at(table)

    async def lie() -> None:
        line = await nats_py.connect(nats.shared().url)
        for word in (b"999999", b"0", b"-1", b"", b"\xff", b"9" * 5000, b"[]"):
            await line.publish(f"ubongo.table.{table}", word)
        await line.publish("ubongo.table.nothing", b"7")
        await line.close()

    asyncio.run(lie())
    assert device.ask(type="ready")["type"] == "update"
    assert hears(town.houses[0])
    assert town.log(table)[-1]["type"] == "readied"


def test_without_news_it_only_takes_a_moment_longer() -> None:
    url, late = postgres.shared().database(), nats.Nats()
    late.stop()
    with two_houses(late.url, url) as town:
        assert not hears(town.houses[0])
        ann, bo = town.person("Ann", 0), town.person("Bo", 1)
        table = table_for(ann, bo)
        first, second = ann.sit_at(table), bo.sit_at(table)
        first.ask(type="ready")
        second.see(lambda seen: seen["seats"][0]["ready"])
        second.ask(type="ready")
        first.see(lambda seen: seen["phase"] == "play")
        late.start()
        for house in town.houses:
            wait_for(partial(hears, house), "news come when somebody brings them")
        first.ask(**first.solution()[0])
        second.see(lambda seen: len(seen["seats"][0]["laid"]) == 1)
        late.stop()
        second.ask(**second.solution()[0])
        first.see(lambda seen: len(seen["seats"][1]["laid"]) == 1)
        for house in town.houses:
            assert health(house)["status"] == "ok", "nothing is wrong with the log"
        assert [event["type"] for event in town.log(table)].count("placed") == 2


def test_a_house_that_dies_is_replaced_by_whoever_is_there() -> None:
    """Its people are away until they come back, its bots think on elsewhere, and time is given where nobody served."""
    url = postgres.shared().database()
    with two_houses(nats.shared().url, url) as town:
        one, other = town.houses
        ann, bo, cy = town.person("Ann", 1), town.person("Bo", 0), town.person("Cy", 0)
        # The first house has opened all of them, and so thinks for the bots.
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
        wait_for(lambda: asyncio.run(asked(url, "select count(*) from living")) == [(1,)], "its line is gone with it")
        assert town.at(cy, 1).sit_at(alone).seat == 0
        mine.see(lambda seen: not seen["seats"][0]["present"])
        # Bo throws, or time does for who is away; then the bot grabs, and it is another house's now. How long an expert
        # looks at an area before it lays is luck, up to a minute; at dice it looks for some seconds at most.
        bo.address = other.address.rstrip("/")
        bo.sit_at(both).ask(type="throw")
        mine.see(lambda seen: 2 in [die["taken"] for die in seen["dice"]])

        def resumed(table: str) -> int:
            return [event["type"] for event in town.log(table)].count("resumed")

        wait_for(lambda: resumed(left) > 0, "nobody has to ask for it")
        assert [resumed(table) for table in (both, alone, left)] == [0, 1, 1]


def test_a_machine_whose_clock_is_wrong_neither_shortens_a_glass_nor_lets_time_run_back(tmp_path: Path) -> None:
    """Two houses an hour wrong in either direction, at one table at once."""
    settings = Settings(db=postgres.shared().database())
    with ExitStack() as stack:
        houses = [
            stack.enter_context(TestClient(build(tmp_path, settings, WrongClock(off))))
            for off in (-3_600_000, 3_600_000)
        ]
        tokens = [one.post("/api/guests", json={"name": "Ann"}).json()["token"] for one in houses]
        known = [{"authorization": f"Bearer {token}"} for token in tokens]
        key = houses[0].post("/api/tables", json={"game": "extreme", "seats": 2}, headers=known[0]).json()["table"]
        assert houses[1].post(f"/api/tables/{key}/join", headers=known[1]).json() == {"seat": 1}
        assert houses[1].post(f"/api/tables/{key}/start", headers=known[0]).status_code == 200
        rooms: list[Room] = [one.blocking_portal.call(one.app.state.lobby.room, key) for one in houses]
        for seat, (house, room) in enumerate(zip(houses, rooms, strict=True)):
            house.blocking_portal.call(said, room, seat, Ready())
        for house in houses:
            house.blocking_portal.call(house.app.state.lobby.room, key)
        glasses = [room.told.glass for room in rooms]
        assert glasses[0] == glasses[1] is not None
        for room, glass in zip(rooms, glasses, strict=True):
            assert glass is not None
            assert 0 <= glass.ends - room.now() <= 60_000
        town = Town(str(settings.postgres), *cast("Any", houses))
        assert "glass_turned" in [event["type"] for event in town.log(key)]


@pytest.mark.parametrize("seen", [True, False], ids=["seen", "unseen"])
def test_what_is_given_up_in_one_house_goes_on_in_no_other(seen: bool, tmp_path: Path) -> None:
    """Whether the other has seen the match, or hears of it only when it is over: nothing more is written there."""
    settings = Settings(db=postgres.shared().database())
    with ExitStack() as stack:
        one, other = (stack.enter_context(TestClient(build(tmp_path, settings))) for _ in range(2))
        here, there = (house.app.state.lobby for house in (one, other))
        token = one.post("/api/guests", json={"name": "Ann"}).json()["token"]
        known = {"authorization": f"Bearer {token}"}
        wanted = {"game": "extreme", "seats": 2, "bots": ["easy"]}
        key = one.post("/api/tables", json=wanted, headers=known).json()["table"]
        room = one.blocking_portal.call(watched, here, key)
        same = other.blocking_portal.call(watched, there, key)
        door = there.sittings[key].door
        # What somebody is about to change is not looked at meanwhile.
        other.blocking_portal.call(door.acquire)
        assert one.post(f"/api/tables/{key}/start", headers=known).status_code == 200
        if seen:
            other.blocking_portal.call(door.release)
            other.blocking_portal.call(there.current, key)
            assert same.playing
        assert seen == (same.match is not None)
        # Ann has not come for ten minutes.
        room.alone_since = 0
        one.blocking_portal.call(end_what_is_over, here)
        assert here.sittings[key].state == "abandoned"
        if not seen:
            other.blocking_portal.call(door.release)
        other.blocking_portal.call(there.current, key)
        assert same.version > 0, "what was played is shown"
        assert not same.playing
        assert same._alarm is None, "nobody waits for the sand any more"


def test_a_match_that_no_house_can_read_is_complained_of_once_in_each_and_left_alone(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = Settings(db=postgres.shared().database())
    url = str(settings.postgres)
    with TestClient(build(tmp_path, settings)) as client:
        client.post("/api/guests", json={"name": "Ann"})
        tables = [client.post("/api/tables", json={"game": "dice", "bots": ["easy"]}).json()["table"] for _ in "abc"]
        for table in tables:
            client.post(f"/api/tables/{table}/start")
    gone = """convert_to(replace(convert_from(opening, 'utf8'), '"edition":"', '"edition":"no-'), 'utf8')"""
    for damage in (
        # A disk does not ask.
        "drop trigger log_stays on log",
        r"update log set events = '\x5b7b' where match = 1",
        f"update matches set opening = {gone} where match = 2",
    ):
        asyncio.run(asked(url, damage))

    def complaints() -> list[int]:
        return [sum(f"match {match} cannot" in text for text in caplog.messages) for match in (1, 2, 3)]

    with ExitStack() as stack:
        houses = [stack.enter_context(TestClient(build(tmp_path, settings))) for _ in range(2)]

        def a_minute_passes() -> None:
            for _ in range(2):
                for house in houses:
                    neighbours: Neighbours = house.app.state.house.neighbours
                    for deed in (neighbours.look_around, neighbours._tidy, neighbours.hall.adopt):
                        house.blocking_portal.call(deed)

        a_minute_passes()
        assert complaints() == [2, 2, 0]
        for house in houses:
            answers = [house.get(f"/api/tables/{table}") for table in tables]
            assert [answer.json().get("code") for answer in answers] == ["damaged", "no_edition", None]
        a_minute_passes()
        assert complaints() == [2, 2, 0]
        serving = "select distinct table_key from serving"
        assert asyncio.run(asked(url, serving)) == [(tables[2],)], "nobody takes in what cannot be had"
        # Something else is agreed on there: who knows what else has changed?
        asyncio.run(asked(url, f"update tables set changed = changed + 1 where key = '{tables[0]}'"))
        for house in houses:
            assert house.get(f"/api/tables/{tables[0]}").json()["code"] == "damaged"
        a_minute_passes()
        assert complaints() == [4, 2, 0]


async def watched(lobby: Lobby, key: str) -> Room:
    """Somebody looks on: it stays open."""
    room = await lobby.room(key)
    room.enter(FakeMember(room, None))
    return room


async def said(room: Room, seat: SeatNo, move: Move) -> None:
    done = room.say(seat, move)
    assert done is not None
    await done


def metrics(running: Running) -> str:
    return httpx.get(f"{running.address}metrics", timeout=PATIENCE_S).text


def connections(running: Running, processes: set[int]) -> dict[int, int]:
    """How many each process has: one of them answers."""
    found: dict[int, int] = {}

    def asked_all() -> bool:
        for process, number in re.findall(r'ubongo_connections\{process="(\d+)"\} (\d+)', metrics(running)):
            found[int(process)] = int(number)
        return found.keys() == processes

    wait_for(asked_all, "all have answered")
    return found


def test_workers_share_a_port_and_one_that_dies_is_started_again() -> None:
    url = postgres.shared().database()
    # Of a cluster's addresses one is enough that answers.
    with start("--workers", "2", "--nats", f"nats://127.0.0.1:1,{nats.shared().url}", db=url) as running:
        known: set[int] = set()

        def answered(number: int) -> bool:
            # Who is killed takes those along who have just asked it.
            with suppress(OSError):
                known.add(health(running)["process"])
            return len(known) == number

        wait_for(partial(answered, 2), "both answer")
        ann, bo = Person(running.address, "Ann"), Person(running.address, "Bo")
        table = table_for(ann, bo)
        devices = [person.sit_at(table) for person in (ann, bo, ann, bo, ann, bo)]
        assert [device.seat for device in devices] == [0, 1] * 3
        assert sorted(connections(running, known).values()) == [0, 6], "whoever heard them, one serves the table"
        devices[0].ask(type="ready")
        for device in devices:
            device.see(lambda seen: seen["seats"][0]["ready"])
        os.kill(min(known), signal.SIGKILL)
        wait_for(partial(answered, 3), "there are two again")
        again = ann.sit_at(table)
        assert again.table["seats"][0]["ready"]
        assert 'ubongo_moves_total{process="' in metrics(running)
        running.process.send_signal(signal.SIGTERM)
        assert again.until(lambda said: said["type"] == "bye")["retry_ms"] >= 1500
        out, errors = running.process.communicate(timeout=PATIENCE_S)
        assert (running.process.returncode, out) == (0, "")
        assert "Traceback" not in errors
    # Who was killed could not, and is forgotten after a minute.
    assert asyncio.run(asked(url, "select count(*) <= 1 from houses")) == [(True,)], "the others have said goodbye"


@pytest.mark.parametrize(
    ("flags", "why"),
    [
        (("--workers", "2"), "--workers: a file is for one; several need --db postgresql://"),
        (("--workers", "0", "--db", "postgresql://x/y"), "at least one has to serve"),
        (("--nats", "nats://127.0.0.1:4222"), "--nats is for servers that share a database"),
        (("--nats", "here", "--db", "postgresql://x/y"), "--nats names no address"),
        (("--proxy", "localhost"), "--proxy is a machine's own address"),
        (("--nats", "nats://h:4222,nats://ann:secret@h:port", "--db", "postgresql://x/y"), "no address"),
        (("--workers", "2", "--db", "postgresql://127.0.0.1:1/y"), "cannot be used"),
        (("--public-url", "play.example.org"), "--public-url is what people type"),
        (("--keep-days", "-1"), "not less than 0"),
        (("--keep-days", "inf"), "are numbers"),
        (("--requests-rate", "nan"), "are numbers"),
    ],
)
def test_what_cannot_be_had_together_is_said_once(flags: tuple[str, ...], why: str, tmp_path: Path) -> None:
    db = () if "--db" in flags else ("--db", str(tmp_path / "log.db"))
    ran = ubongo("serve", "--port", "0", *flags, *db)
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (2, "", 1), ran.stderr
    assert why in ran.stderr
    assert "secret" not in ran.stderr
    assert not (tmp_path / "log.db").exists()

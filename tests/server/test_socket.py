"""The game socket, in a real server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tests.conftest import start
from tests.server.people import Device, Message, Person, playing, table_for


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with start() as running:
        yield running.address


def test_before_the_start_everybody_sees_who_comes(ann: Person, bo: Person) -> None:
    table = table_for(ann, start=False, seats=3)
    one = ann.sit_at(table)
    first = one.heard[0]
    assert (first["type"], first["version"], first["seat"]) == ("welcome", 0, 0)
    assert first["table"]["phase"] == "gather"
    other = bo.sit_at(table)
    assert other.heard[0]["seat"] is None, "a spectator until they join"
    assert bo.post(f"/tables/{table}/join") == {"seat": 1}
    other.until(lambda said: said["type"] == "welcome")
    assert other.seat == 1
    one.see(lambda table: table["seats"][1]["name"] == "Bo" and table["seats"][1]["present"])
    assert one.table["host"] == 0
    ann.post(f"/tables/{table}/start")
    one.until(lambda said: said["type"] == "welcome")
    other.until(lambda said: said["type"] == "welcome")
    assert (one.table["phase"], len(one.table["seats"])) == ("ready", 2), "the free seat went"


def test_a_signed_out_device_receives_nothing_more(ann: Person, bo: Person) -> None:
    table = table_for(ann, bo)
    phone = Person(ann.address, "Ann")
    phone.token = phone.post("/guests/redeem", {"code": ann.post("/guests/me/codes")["code"]})["token"]
    here, there, other = ann.sit_at(table), phone.sit_at(table), bo.sit_at(table)
    assert (here.seat, there.seat) == (0, 0)
    [_, signed_in] = ann.get("/guests/me/devices")
    assert ann.ask("DELETE", f"/guests/me/devices/{signed_in['device']}").status_code == 200
    assert there.closed() == 4401
    # A client with its old token is a spectator, and the other device plays on.
    assert phone.sit_at(table).seat is None
    assert here.ask(type="ready")["type"] == other.ask(type="ready")["type"] == "update"


def test_T2a_no_board_is_sent_before_the_count_in_is_over(ann: Person, bo: Person) -> None:
    table = table_for(ann, bo, options={"count_in_s": 1})
    devices = [ann.sit_at(table), bo.sit_at(table), Device(ann.address, table)]
    assert [seat["task"] for device in devices for seat in device.table["seats"]] == [None] * 6
    for device in devices[:2]:
        device.ask(type="ready")
    for device in devices:
        device.see(lambda table: table["phase"] == "play")
        told = [said for said in device.heard if said["type"] == "update"]
        [counted] = [event for said in told for event in said["events"] if event["type"] == "opened"]
        assert (counted["phase"], counted["limit"]) == ("count", device.table["started"])
        [start] = [said for said in told if "started" in [event["type"] for event in said["events"]]]
        assert '"region": [' not in json.dumps(told[: told.index(start)])
        assert None not in [seat["task"] for seat in device.table["seats"]]


def test_a_move_is_acked_to_its_asker_and_broadcast_to_all(ann: Person, bo: Person) -> None:
    _, one, other = playing(ann, bo)
    move = one.solution()[0]
    said = one.ask(**move)
    assert said["acked"] == one.n
    assert said["events"] == [{"type": "placed", "seat": 0} | {name: move[name] for name in ("piece", "turn")} | {
        "at": list(move["at"])
    }]  # fmt: skip
    assert list(said["table"]) == ["seats"]
    seen = other.until(lambda said: said["version"] == one.version)
    assert seen["acked"] is None
    assert seen["table"] == said["table"]


def in_round(number: int) -> Callable[[Message], bool]:
    return lambda table: bool(table["round"] == number)


def test_a_whole_match_is_played(ann: Person, bo: Person) -> None:
    table, one, other = playing(ann, bo)
    for number in range(1, 10):
        for device in (one, other):
            device.see(in_round(number))
            if device.table["phase"] == "ready":
                device.ask(type="ready")
        for device in (one, other):
            device.see(lambda table: table["phase"] == "play")
            device.solve()
    for device in (one, other):
        device.see(lambda table: table["phase"] == "over" or table["playoff"])
    if one.table["playoff"]:
        for device in (one, other):
            device.ask(type="ready")
        one.see(lambda table: table["phase"] == "play")
        one.solve()
    one.see(lambda table: table["phase"] == "over")
    assert one.table["seed"]
    assert one.ask(type="ready")["code"] == "over"
    lines = [json.loads(line) for line in ann.ask("GET", f"/tables/{table}/log").text.splitlines()]
    assert lines[0]["seats"] == ["Ann", "Bo"]
    assert lines[0]["seed"] == one.table["seed"]
    assert [line["version"] for line in lines[1:]] == list(range(1, len(lines)))
    assert lines[-1]["event"]["type"] == "match_closed"
    following = ann.post(f"/tables/{table}/rematch")
    assert bo.post(f"/tables/{table}/rematch")["table"] == following["table"]
    other.see(lambda table: table["next"] == following["table"])


def test_of_two_racing_calls_one_is_first(ann: Person, bo: Person) -> None:
    _, one, other = playing(ann, bo)
    for device in (one, other):
        for move in device.solution()[:-1]:
            device.ask(**move)
    last = [device.solution()[-1] for device in (one, other)]
    for device, move in zip((one, other), last, strict=True):
        device.n += 1
        device.say({"n": device.n, "move": move})
    for device in (one, other):
        device.see(lambda table: table["round"] == 2)
    assert one.table["seats"] == other.table["seats"], "all see the same order"
    gems = [seat["gems"] for seat in one.table["seats"]]
    assert sorted(map(len, gems)) == [2, 2]
    assert len(one.table["display"]) == 16


def test_every_ask_is_answered_once(ann: Person, bo: Person) -> None:
    _, one, _ = playing(ann, bo)
    first, second = one.solution()[:2]
    asked: list[Any] = [
        first,
        {"type": "call"},
        second,
        {"type": "lift", "piece": 99},
        {"type": "dance"},
        {},
        [],
        None,
        7,
    ]
    first_n = one.n + 1
    for n, move in enumerate(asked, first_n):
        one.say({"type": "ask", "n": n, "move": move})
    one.n += len(asked)
    refused: list[tuple[int, str]] = []
    acked = 0
    while acked < first_n + 2 or len(refused) < 7:
        said = one.hear()
        if said["type"] == "refused":
            refused.append((said["n"], said["code"]))
            assert said["why"].endswith(".")
        elif said["acked"] is not None:
            acked = said["acked"]
    codes = ["not_filled", "no_such_piece", *["unreadable_move"] * 5]
    assert (
        refused == list(zip([3, 5, 6, 7, 8, 9, 10], codes, strict=True))[:7] or [code for _, code in refused] == codes
    )


@pytest.mark.parametrize(
    "frame",
    [
        "", "x", "{", "[]", "null", "7", '{"type": "dance"}', '{"type": "ask"}', '{"n": 0, "move": {}}',
        '{"n": "1", "move": {}}', '{"type": 5}', '{"type": "ping"}', "[" * 2000,
        '{"type":"ask","n":1,"move":' + "[" * 2000,
        '{"type": "hello"}', '{"n": 1e99, "move": {}}', '{"type": "ping", "at": "now"}',
    ],
)  # fmt: skip
def test_meaningless_messages_are_answered_and_change_nothing(ann: Person, bo: Person, frame: str) -> None:
    one = ann.sit_at(table_for(ann, bo))
    one.say(frame)
    assert one.hear_error()
    one.say(b"\x00\xff")
    assert one.hear_error()
    assert one.ask(type="ready")["type"] == "update", "and the connection goes on"


def test_an_oversized_message_closes_only_its_own_connection(ann: Person, bo: Person) -> None:
    _, one, other = playing(ann, bo)
    one.say('{"type": "ping", "at": "' + "x" * 100_000 + '"}')
    assert one.closed() in (1009, 1002, 1006)
    other.see(lambda table: not table["seats"][0]["present"])
    assert other.ask(**other.solution()[0])["type"] == "update"


def test_a_message_can_be_fragmented(ann: Person, bo: Person) -> None:
    _, one, _ = playing(ann, bo)
    one.socket.send(['{"type": "pi', 'ng", "at"', ": 41}"])
    assert one.until(lambda said: said["type"] == "pong")["at"] == 41


def test_ping_returns_the_server_time(ann: Person, bo: Person) -> None:
    _, one, _ = playing(ann, bo)
    times = []
    for at in (1, 2.5):
        one.say({"type": "ping", "at": at})
        said = one.until(lambda said: said["type"] == "pong")
        assert said["at"] == at
        times.append(said["now"])
    assert times == sorted(times)


def test_ask_numbers_must_increase(ann: Person, bo: Person) -> None:
    one = ann.sit_at(table_for(ann, bo))
    one.ask(type="ready")
    one.say({"n": 1, "move": {"type": "ready"}})
    assert "count up" in one.hear_error()


def test_hello_comes_first(address: str) -> None:
    silent = Device(address, "nowhere", greet=False)
    silent.say({"n": 1, "move": {"type": "ready"}})
    assert "hello" in silent.hear_error()
    silent.say({"type": "hello"})
    assert "no such table" in silent.hear_error()
    assert silent.closed() == 4404


def test_a_message_right_after_hello_is_handled(ann: Person, bo: Person) -> None:
    hasty = Device(ann.address, table_for(ann, bo), greet=False)
    hasty.say({"type": "hello", "token": ann.token})
    hasty.say({"n": 1, "move": {"type": "ready"}})
    hasty.until(lambda said: said.get("acked") == 1)
    kinds = [said["type"] for said in hasty.heard]
    assert (kinds[0], "error" in kinds) == ("welcome", False)
    assert hasty.table["seats"][0]["ready"]


def test_reconnecting_mid_round_gets_one_welcome(ann: Person, bo: Person) -> None:
    table, one, other = playing(ann, bo)
    one.ask(**one.solution()[0])
    laid = one.table["seats"][0]["laid"]
    one.hang_up()
    other.see(lambda table: not table["seats"][0]["present"])
    again = ann.sit_at(table)
    assert [said["type"] for said in again.heard] == ["welcome"]
    assert (again.seat, again.table["seats"][0]["laid"]) == (0, laid)
    other.see(lambda table: table["seats"][0]["present"])
    again.see(lambda table: table["seats"][0]["present"])
    assert again.table == other.table


def test_two_devices_at_one_seat_show_the_same(ann: Person, bo: Person) -> None:
    table, desk, other = playing(ann, bo)
    phone = ann.sit_at(table)
    phone.ask(**phone.solution()[0])
    desk.see(lambda table: table["seats"][0]["laid"])
    assert desk.table == phone.table
    desk.hang_up()
    other.say({"type": "ping", "at": 1})
    other.until(lambda said: said["type"] == "pong")
    assert other.table["seats"][0]["present"]


def test_a_spectator_is_sent_only_public_information(ann: Person, bo: Person, address: str) -> None:
    table, one, _ = playing(ann, bo, game="cards", options={"reveal": "deal"})
    watching = Device(address, table)
    assert watching.seat is None
    assert watching.ask(type="ready")["code"] == "watching"
    mine = one.table["seats"][0]["task"]["pieces"]
    one.ask(type="place", piece=4, turn=0, at=[0, 0])
    watching.see(lambda table: table["seats"][0]["laid"])
    shown = watching.table["seats"][0]["task"]["pieces"]
    assert shown == [name if number == 4 else None for number, name in enumerate(mine)]
    told = json.dumps(watching.heard)
    assert [name for name in mine if name in told] == [mine[4]]


def test_a_cookie_is_as_good_as_a_token(ann: Person, bo: Person, address: str) -> None:
    table = table_for(ann, bo)
    by_cookie = Device(address, table, headers={"cookie": f"theme=dark; ubongo={bo.token}"})
    assert by_cookie.seat == 1
    assert Device(address, table, headers={"cookie": "ubongo=nobody"}).seat is None
    assert Device(address, table, token="nobody").seat is None


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null", "http://127.0.0.1", "http://[::1"])
def test_a_page_of_another_site_cannot_connect(ann: Person, bo: Person, address: str, origin: str) -> None:
    table = table_for(ann, bo)
    with pytest.raises(InvalidStatus) as refused:
        Device(address, table, headers={"origin": origin, "cookie": f"ubongo={bo.token}"})
    assert refused.value.response.status_code == 403
    assert Device(address, table, headers={"origin": address.rstrip("/")}, token=bo.token).seat == 1


@pytest.mark.parametrize("noise", ["{", b"{"])
def test_only_a_flooding_client_is_disconnected(ann: Person, bo: Person, noise: str | bytes) -> None:
    _, one, other = playing(ann, bo)
    try:
        for _ in range(20):
            one.socket.send(json.dumps({"type": "ping", "at": 1}))
            for _ in range(500):
                one.socket.send(noise)
    except ConnectionClosed:
        pass
    assert one.closed() in (4429, 1006)
    assert other.ask(**other.solution()[0])["type"] == "update"


def test_closing_a_table_disconnects_everybody(ann: Person, bo: Person) -> None:
    table, one, other = playing(ann, bo)
    assert bo.ask("DELETE", f"/tables/{table}").status_code == 403
    assert ann.ask("DELETE", f"/tables/{table}").status_code == 200
    assert (one.closed(), other.closed()) == (4404, 4404)
    assert ann.ask("GET", f"/tables/{table}").status_code == 404


def test_leaving_ends_a_match_of_two(ann: Person, bo: Person) -> None:
    table, one, _ = playing(ann, bo)
    assert bo.post(f"/tables/{table}/leave") == {}
    one.see(lambda table: table["phase"] == "over")
    assert one.table["seats"][1]["gone"]

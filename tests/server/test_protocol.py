"""docs/protocol.md is correct: its requests and messages are tried on a real server."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from litestar.testing import TestClient

from tests.play import Match
from tests.server.document import DOCUMENT, fences, messages
from tests.server.people import Person, table_for
from ubongo.moves import Stop, snake
from ubongo.server.app import build
from ubongo.server.protocol import LONGEST, Ask, AskedMove, move_of, read
from ubongo.server.records.solutions import solutions
from ubongo.server.settings import Settings
from ubongo.table import SeatNo
from ubongo.veil import veil


def like(shown: Any, found: Any) -> bool:
    """Whether the sample has exactly the fields of the message; '…' matches anything, a list shows one element."""
    match shown:
        case "…":
            return True
        case dict():
            return isinstance(found, dict) and set(shown) == set(found) and all(like(shown[k], found[k]) for k in shown)
        case list():
            return isinstance(found, list | tuple) and all(map(like, shown[:1], found[:1] or ["nothing"]))
        case bool() | None:
            return shown is found
        case int():
            return isinstance(found, int)
    return bool(shown == found)


def test_requests_are_answered_as_documented(tmp_path: Path) -> None:
    known: dict[str, str] = {}
    with TestClient(build(tmp_path, Settings(db=tmp_path / "log.db"))) as client:
        for fence in fences("http"):
            asked, *body, status, shown = fence.splitlines()
            method, path = re.sub(r"\{(\w+)\}", lambda name: known[name[1]], asked).split()
            content = re.sub(r"\{(code|table)\}", lambda name: known[name[1]], "".join(body))
            answer = client.request(method, path, content=content, headers={"content-type": "application/json"})
            found = answer.json()
            assert answer.status_code == int(status), (asked, found)
            assert like(json.loads(shown), found), (asked, found)
            if isinstance(found, dict):
                known.update({name: value for name, value in found.items() if name in ("table", "code")})


def test_every_move_is_documented_and_accepted() -> None:
    asked = [read(json.dumps(message)) for message in messages("client")]
    moves = [move_of(ask) for ask in asked if isinstance(ask, Ask)]
    known = {snake(kind.__name__) for kind in AskedMove.__args__}
    assert {snake(type(move).__name__) for move in moves} == known


def test_every_message_is_documented_as_it_is_sent(address: str) -> None:
    ann, bo = Person(address, "Ann"), Person(address, "Bo")
    one, other = (person.sit_at(table_for(ann, bo)) for person in (ann, bo))
    other.hang_up()
    one.ask(type="ready")
    one.ask(type="call")
    one.say({"type": "react", "n": 3, "what": "wow"})
    one.say({"type": "ping", "at": 5})
    one.say("?")
    one.until(lambda said: said["type"] == "error")
    spoken = {said["type"]: set(said) for said in one.heard}
    shown = {said["type"]: set(said) for said in messages("server")}
    assert shown.pop("bye") == {"type", "retry_ms"}, "heard when the server goes down: test_shutdown"
    assert spoken == shown


def test_the_table_has_the_documented_fields() -> None:
    match = Match("extreme", 2)
    match.begin()
    match.solve(0)
    match.sand()
    table = msgspec.to_builtins(match.table)
    for shown in messages("table"):
        assert like(shown, {name: table[name] for name in shown}), shown


def test_solutions_are_as_documented() -> None:
    match = Match("cards", 2)
    match.begin()
    for seat in range(2):
        match.ask(seat, Stop())
    assert like(messages("solutions")[0], msgspec.to_builtins(solutions(veil(match.table, SeatNo(0)))))


@pytest.mark.parametrize("code", ["4404", "4408", "4429"])
def test_close_codes_are_documented(code: str) -> None:
    assert code in DOCUMENT


def test_the_longest_message_is_documented() -> None:
    assert f"{LONGEST} bytes" in DOCUMENT

"""Replay of a finished match: applying its changes gives the unveiled table at every step."""

from __future__ import annotations

import gzip
import json
from typing import Any

import httpx
import msgspec
import pytest

from tests.play import NAMES, Match
from tests.server.document import messages
from tests.server.fakes import patch
from tests.server.people import PATIENCE, Person, table_for
from ubongo.evolve import evolve
from ubongo.game import opened
from ubongo.games import GAMES
from ubongo.server.records.replay_stream import CHUNK, gzipped, in_chunks, replay_lines
from ubongo.server.store import Row


def plain(one: Any) -> Any:
    """Converts to plain JSON values."""
    return msgspec.json.decode(msgspec.json.encode(one))


@pytest.mark.parametrize("game", ["cards", "cubes", "dice", "extreme"])
def test_every_step_of_the_replay_equals_the_original_table(game: str) -> None:
    match = Match(game)
    match.begin()
    if game == "cards":
        match.solve(0, after=3000)
    else:
        match.until()
    opening = opened(GAMES[game], NAMES[:2], match.table.options, "abc")
    rows = [Row(1, line.version, line.at, msgspec.json.encode([line.event])) for line in match.log]
    first, *others = [json.loads(line) for line in replay_lines(opening, rows)]
    table, shown = opening, first["table"]
    assert shown == plain(table)
    assert len(others) == len(match.log) > 3
    for line, happened in zip(others, match.log, strict=True):
        table = evolve(table, happened.event)
        patch(shown, line["table"])
        assert shown == plain(table)
        assert (line["at"], line["events"]) == (happened.at, [plain(happened.event)])
    assert plain(match.table) == shown


def test_a_finished_match_is_served_as_documented(address: str) -> None:
    ann, bo = Person(address, "Ann"), Person(address, "Bo")
    key = table_for(ann, bo)
    one, other = (person.sit_at(key) for person in (ann, bo))
    one.ask(type="ready")
    other.ask(type="ready")
    one.see(lambda table: table["phase"] == "play")
    one.solve()
    refused = httpx.get(f"{ann.address}/api/tables/{key}/replay", timeout=PATIENCE)
    assert (refused.status_code, refused.json()["code"]) == (409, "not_over")
    bo.post(f"/tables/{key}/leave")
    one.see(lambda table: table["phase"] == "over")
    for encoding in ("gzip", "identity"):
        answer = httpx.get(
            f"{ann.address}/api/tables/{key}/replay", headers={"accept-encoding": encoding}, timeout=PATIENCE
        )
        assert answer.headers.get("content-encoding", "identity") == encoding
        assert answer.headers["content-type"].startswith("application/jsonl")
        lines: list[dict[str, Any]] = [json.loads(line) for line in answer.text.splitlines()]
        assert [set(line) for line in lines[:2]] == [set(shown) for shown in messages("replay")]
        table = lines[0]["table"]
        for line in lines[1:]:
            patch(table, line["table"])
        told = {name: value for name, value in one.table.items() if name in table}
        assert table == told
        assert table["seats"][0]["gems"]


def test_a_long_match_is_served_in_chunks() -> None:
    lines = [b'{"at":%d}\n' % at for at in range(CHUNK // 4)]
    pieces = list(in_chunks(lines))
    assert 1 < len(pieces) < 10
    assert gzip.decompress(b"".join(gzipped(pieces))) == b"".join(lines)

"""Closing a table: the table itself, the people at it, and requests that were waiting for it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from tests.server.fakes import FakeClock
from tests.server.guests import Client, Guest, over
from ubongo.server.app import build
from ubongo.server.clock import Timestamp
from ubongo.server.errors import Denied
from ubongo.server.lobby import hosting
from ubongo.server.lobby.lobby import Lobby
from ubongo.server.lobby.rematch import open_rematch
from ubongo.server.lobby.upkeep import CLOSED_FOR, archive_old_tables, end_finished_tables
from ubongo.server.settings import Settings
from ubongo.server.store.entities import Guest as Known
from ubongo.table import Millis, SeatNo

MONTH = Millis(30 * 24 * 3600 * 1000)


def written(client: Client, statement: str) -> list[Any]:
    found: list[Any] = client.blocking_portal.call(client.app.state.lobby.log.read, statement)
    return found


def closed(ann: Guest, bo: Guest) -> None:
    """Two tables with both guests: one with a finished match, and one without any."""
    keys = over(ann, bo), ann.open(seats=2)
    bo.post(f"/tables/{keys[1]}/join")
    for key in keys:
        assert ann.ask("DELETE", f"/tables/{key}") == (200, {})


@pytest.mark.parametrize("restarted", [False, True])
def test_a_deleted_guest_becomes_somebody_at_closed_tables_too(tmp_path: Path, restarted: bool) -> None:
    settings = Settings(db=tmp_path / "log.db")
    with TestClient(build(tmp_path, settings)) as client:
        ann, bo = Guest(client, "Ann"), Guest(client, "Bo")
        closed(ann, bo)
        if not restarted:
            bo.ask("DELETE", "/guests/me")
    with TestClient(build(tmp_path, settings)) as client:
        bo.client = client
        if restarted:
            bo.ask("DELETE", "/guests/me")
        kept = [body for (body,) in written(client, "select body from tables union all select opening from matches")]
        assert len(kept) == 3
        assert not [body for body in kept if b'"Bo"' in body or bo.known["player"].encode() in body]


def test_a_closed_table_is_archived_once_it_is_tallied(tmp_path: Path) -> None:
    clock = FakeClock()
    with TestClient(build(tmp_path, Settings(db=tmp_path / "log.db"), clock)) as client:
        ann, bo = Guest(client, "Ann"), Guest(client, "Bo")
        lobby, records = client.app.state.lobby, client.app.state.services.records
        closed(ann, bo)
        # Every change of a table is later than the one before, if only by a millisecond.
        clock.time += CLOSED_FOR + 10
        client.blocking_portal.call(archive_old_tables, lobby, MONTH)
        assert written(client, "select count(*) from tables") == [(1,)], "what it came to is not known yet"
        client.blocking_portal.call(records.catch_up)
        client.blocking_portal.call(archive_old_tables, lobby, MONTH)
        assert written(client, "select count(*) from tables union all select count(*) from matches") == [(0,), (0,)]
        assert written(client, "select count(*) from archive") == [(1,)]
        assert written(client, "select count(*) from log") == [(1,)], "the last row stays"
        assert not lobby.registry.unavailable
        assert ann.get("/guests/me/profile")["matches"][0]["matches"] == 1


def test_bots_of_a_closed_table_stop_thinking(client: Client, ann: Guest) -> None:
    key = ann.open(seats=2, bots=["easy"])
    ann.post(f"/tables/{key}/start")
    bot_seats = client.app.state.services.bot_seats
    assert bot_seats.bots
    assert ann.ask("DELETE", f"/tables/{key}") == (200, {})
    assert not bot_seats.bots
    assert not bot_seats._takeovers


def test_a_closed_rematch_does_not_count_as_one(ann: Guest, bo: Guest) -> None:
    key = over(ann, bo)
    first = ann.post(f"/tables/{key}/rematch")["table"]
    ann.ask("DELETE", f"/tables/{first}")
    again = bo.post(f"/tables/{key}/rematch")["table"]
    assert again != first
    assert ann.post(f"/tables/{key}/rematch")["table"] == again


@pytest.mark.parametrize("what", ["close", "start"])
def test_a_request_of_a_former_host_is_refused_when_its_turn_comes(
    client: Client, ann: Guest, bo: Guest, what: str
) -> None:
    """A request that waits for a table's lock sees the changes of the request before it."""
    key = ann.open(seats=3)
    bo.post(f"/tables/{key}/join")
    lobby: Lobby = client.app.state.lobby
    late = Known(ann.known["player"], "Ann", Timestamp(0))

    async def both() -> str:
        async with lobby.registry.get(key).lock:
            asked = asyncio.create_task(getattr(hosting, what)(lobby, key, late))
            await asyncio.sleep(0)
            await lobby.vacate(lobby.registry.get(key), SeatNo(0))
        with pytest.raises(Denied) as no:
            await asked
        return no.value.code

    assert client.blocking_portal.call(both) == "not_host"
    assert bo.get(f"/tables/{key}")["host"] == 1


def test_a_closed_table_is_not_ended_again(client: Client, ann: Guest) -> None:
    key = ann.open(seats=2, bots=["easy"])
    ann.post(f"/tables/{key}/start")
    lobby: Lobby = client.app.state.lobby
    lobby_table = lobby.registry.get(key)
    assert lobby_table.room is not None
    lobby_table.room.attendance.alone_since = Timestamp(0)

    async def both() -> None:
        async with lobby_table.lock:
            tidied = asyncio.create_task(end_finished_tables(lobby))
            await asyncio.sleep(0)
            await lobby.close(lobby_table)
        await tidied

    client.blocking_portal.call(both)
    assert written(client, "select state from tables") == [("closed",)]


@pytest.mark.parametrize("request_to", [Lobby.join, Lobby.leave, open_rematch])
def test_a_request_waiting_for_a_table_that_is_closed_gets_gone(
    client: Client, ann: Guest, bo: Guest, request_to: Callable[[Lobby, str, Known], Coroutine[Any, Any, Any]]
) -> None:
    key = ann.open(seats=2)
    lobby: Lobby = client.app.state.lobby
    late = Known(bo.known["player"], "Bo", Timestamp(0))

    async def both() -> str:
        lobby_table = lobby.registry.get(key)
        async with lobby_table.lock:
            asked = asyncio.create_task(request_to(lobby, key, late))
            await asyncio.sleep(0)
            await lobby.close(lobby_table)
        with pytest.raises(Denied) as no:
            await asked
        return no.value.code

    assert client.blocking_portal.call(both) == "no_such_table"

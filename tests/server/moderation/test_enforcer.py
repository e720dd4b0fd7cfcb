"""How a server enforces operators' decisions, on a fake clock."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar.testing import TestClient

from tests.server.fakes import FakeClock
from tests.server.guests import Client, Guest
from ubongo.server.app import build
from ubongo.server.clock import Timestamp
from ubongo.server.lobby.lobby import Lobby
from ubongo.server.lobby.upkeep import archive_old_tables
from ubongo.server.moderation.decisions import Moderation
from ubongo.server.settings import Settings
from ubongo.server.store import StoreError
from ubongo.table import Millis

DAY = 24 * 3600 * 1000
KEEP = Millis(1000)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def client(tmp_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    # The test calls it.
    monkeypatch.setattr("ubongo.server.moderation.enforcer.POLL_EVERY_S", 3600)
    with TestClient(build(tmp_path, Settings(db=tmp_path / "log.db"), clock)) as client:
        yield client


def lobby_of(client: Client) -> Lobby:
    lobby: Lobby = client.app.state.lobby
    return lobby


def ban(client: Client, who: str, until: Timestamp | None) -> None:
    async def decided() -> None:
        lobby = lobby_of(client)
        moderation = Moderation(lobby.log, "operator")
        await moderation.ban(await moderation.target(who), "insults", until, lobby.clock.now())
        await client.app.state.services.enforcer.look()

    client.blocking_portal.call(decided)


def test_a_banned_guest_does_not_expire_before_the_ban_ends(client: Client, clock: FakeClock) -> None:
    """Otherwise the device would have no guest, and could register a new one."""
    bo, other = Guest(client, "Bo"), Guest(client, "Other")
    ban(client, "Bo", until=Timestamp(clock.now() + 60 * DAY))
    clock.time += 40 * DAY
    client.blocking_portal.call(archive_old_tables, lobby_of(client), KEEP)
    assert other.refused("GET", "/guests/me") == (401, "no_token")
    assert bo.refused("GET", "/guests/me") == (403, "banned")
    clock.time += 20 * DAY
    assert bo.get("/guests/me")["name"] == "Bo", "it has ended"
    clock.time += KEEP
    client.blocking_portal.call(archive_old_tables, lobby_of(client), KEEP)
    assert client.blocking_portal.call(lobby_of(client).moderation.bans) == []


def test_a_failed_write_is_retried(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = Guest(client, "Ann")
    table = ann.open(seats=2)
    lobby = lobby_of(client)
    write = lobby.log.write

    async def full(*_: object, **__: object) -> None:
        raise StoreError("the disk is full")

    async def decided() -> None:
        await Moderation(lobby.log, "operator").close_table(table, "", lobby.clock.now())
        monkeypatch.setattr(lobby.log, "write", full)
        with pytest.raises(StoreError):
            await client.app.state.services.enforcer.look()
        monkeypatch.setattr(lobby.log, "write", write)
        assert table in lobby.registry.lobby_tables
        await client.app.state.services.enforcer.look()
        assert await lobby.moderation.pending() == []

    client.blocking_portal.call(decided)
    assert ann.refused("GET", f"/tables/{table}") == (404, "no_such_table")


def test_a_decision_is_an_audit_line_without_names(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    bo = Guest(client, "Bo")
    ban(client, "Bo", until=None)
    [line] = [record for record in caplog.records if record.name == "ubongo.server.moderation.decisions"]
    assert (line.message, line.__dict__["action"], line.__dict__["decision"]) == ("moderation", "ban", 1)
    assert bo.known["player"] not in str(line.__dict__)
    kept = client.blocking_portal.call(lobby_of(client).moderation.decision, 1)
    assert (kept.operator, kept.target, kept.reason) == ("operator", bo.known["player"], "insults")

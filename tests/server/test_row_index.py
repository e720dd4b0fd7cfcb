"""The row index of an SQLite file: reading a match does not scan the rows of all others."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from tests.server.logs import Opened, Written, started_log
from ubongo.server.clock import Timestamp
from ubongo.server.settings import Settings
from ubongo.server.store import Row, StoreError, row_index
from ubongo.server.store.entities import StoredMatch
from ubongo.server.store.lobby_store import LobbyStore
from ubongo.server.store.sqlite import READERS, SqliteLog
from ubongo.table import Instant

pytestmark = pytest.mark.anyio


@pytest.fixture
async def filed(tmp_path: Path) -> AsyncIterator[tuple[Opened, SqliteLog]]:
    opened = await started_log(Settings(db=tmp_path / "log.db"))
    assert isinstance(opened.log, SqliteLog)
    yield opened, opened.log
    await opened.log.close()


def connections(log: SqliteLog) -> list[sqlite3.Connection]:
    """The connections that read match histories."""
    found = [log._history_connections.get() for _ in range(READERS)]
    for connection in found:
        log._history_connections.put(connection)
    return found


async def append_interleaved(opened: Opened, played: StoredMatch, upto: int, since: int = 0) -> None:
    """Appends rows to a match, each after a row of another match."""
    for version in range(since + 1, upto + 1):
        opened.log.append(Written(Row(played.match + 1000, version, Instant(0), b"[]")))
        opened.log.append(Written(Row(played.match, version, Instant(version), b"[%d]" % version)))
        await opened.settled()


async def searches(log: SqliteLog, played: StoredMatch) -> tuple[list[int], bool]:
    """The versions of a match as read, and whether that needed a scan of the log."""
    asked: list[str] = []
    for connection in connections(log):
        connection.set_trace_callback(asked.append)
    rows = (await log.histories([played]))[played.match]
    return [row.version for row in rows], any("id > " in one for one in asked)


async def test_scanning_the_log_does_not_block_the_event_loop(filed: tuple[Opened, SqliteLog]) -> None:
    """Rows of other matches lie between those of one match: scanning them may take seconds."""
    opened, log = filed
    played = await opened.match()
    await append_interleaved(opened, played, 2)
    where: list[int] = []
    for connection in connections(log):
        connection.set_trace_callback(lambda _: where.append(threading.get_ident()))
    assert [row.match for row in (await log.histories([played]))[played.match]] == [played.match] * 2
    assert where
    assert threading.get_ident() not in where


@pytest.mark.parametrize("restarted", [False, True])
async def test_a_finished_match_is_read_without_scanning_others(tmp_path: Path, restarted: bool) -> None:
    kept = Settings(db=tmp_path / "log.db")
    opened = await started_log(kept)
    played = await opened.match()
    await append_interleaved(opened, played, 3)
    if restarted:
        await opened.log.close()
        opened = await started_log(kept)
    register, log = LobbyStore(opened.log), opened.log
    assert isinstance(log, SqliteLog)
    assert await searches(log, played) == ([1, 2, 3], True), "of a running match nobody asks but at the start"
    await append_interleaved(opened, played, 5, since=3)
    await log.write(*register.end_match_statements(played.match, Timestamp(9)))
    over = await register.match(played.match)
    assert await searches(log, over) == ([1, 2, 3, 4, 5], False)
    assert not log._writer.row_index._ids.keys() & {played.match}, "the writer has forgotten it"
    await register.archive(over, ["p1", None], b"lines", Timestamp(10))
    left = await log.read("select version from log where match = ?", (played.match,))
    assert left == [(5,)], "the last row of all stays"
    assert await log.read("select * from places") == []
    await log.close()


async def test_rows_found_by_a_scan_are_indexed_for_the_next_read(filed: tuple[Opened, SqliteLog]) -> None:
    opened, log = filed
    register, played = LobbyStore(log), await opened.match()
    await append_interleaved(opened, played, 3)
    await log.write(*register.end_match_statements(played.match, Timestamp(9)), ("delete from places", ()))
    over = await register.match(played.match)
    await append_interleaved(opened, replace(played, match=played.match + 1), 2)
    assert await searches(log, over) == ([1, 2, 3], True)
    assert await searches(log, over) == ([1, 2, 3], False)


async def test_a_failed_write_does_not_index_a_match_as_finished(filed: tuple[Opened, SqliteLog]) -> None:
    opened, log = filed
    register, played = LobbyStore(log), await opened.match()
    await append_interleaved(opened, played, 2)
    with pytest.raises(StoreError):
        await log.write(
            *register.end_match_statements(played.match, Timestamp(9)), ("insert into nowhere values (1)", ())
        )
    await append_interleaved(opened, played, 4, since=2)
    await log.write(*register.end_match_statements(played.match, Timestamp(9)))
    assert await searches(log, await register.match(played.match)) == ([1, 2, 3, 4], False)


async def test_concurrent_reads(filed: tuple[Opened, SqliteLog], monkeypatch: pytest.MonkeyPatch) -> None:
    opened, log = filed
    played = await opened.match()
    together, read = threading.Barrier(READERS, timeout=60), row_index.read

    def all_there(*asked: Any) -> Any:
        together.wait()
        return read(*asked)

    monkeypatch.setattr(row_index, "read", all_there)
    found = await asyncio.gather(*(log.histories([played]) for _ in range(READERS)))
    assert found == [{played.match: []}] * READERS

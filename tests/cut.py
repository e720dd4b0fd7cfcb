"""A line to PostgreSQL that is cut when it hurts most: what was asked is done, but the answer never comes."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path
from typing import Self

SOCKET = ".s.PGSQL.5432"


class Line:
    """Stands in another folder as the database's socket. Cut once, at the first frame that holds `at`, then whole."""

    def __init__(self, folder: Path, behind: Path) -> None:
        self.folder = folder
        self.at: bytes | None = None
        self.cuts = 0
        self._behind = behind / SOCKET
        self._open: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_unix_server(self._carry, self.folder / SOCKET)
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in list(self._open):
            task.cancel()
        await asyncio.gather(*self._open, return_exceptions=True)

    def url(self, database: str) -> str:
        return f"postgresql://ubongo@/{database}?host={self.folder}"

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        task.add_done_callback(self._open.discard)
        answers, asks = await asyncio.open_unix_connection(self._behind)
        deaf = asyncio.Event()

        async def back() -> None:
            while said := await answers.read(1 << 16):
                if deaf.is_set():
                    return
                writer.write(said)

        async def forth() -> None:
            while said := await reader.read(1 << 16):
                if self.at is not None and self.at in said:
                    self.at = None
                    self.cuts += 1
                    deaf.set()
                asks.write(said)

        ways = [asyncio.create_task(back()), asyncio.create_task(forth())]
        try:
            await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            for end in (writer, asks):
                end.close()
                with contextlib.suppress(OSError):
                    await end.wait_closed()

"""Lines to PostgreSQL and NATS that can be cut, held and mended, also when it hurts most."""

from __future__ import annotations

import asyncio
import contextlib
from abc import abstractmethod
from pathlib import Path
from typing import Self

SOCKET = ".s.PGSQL.5432"
Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Line:
    """Carries what is said to a server and back. Where it begins and ends is for those below to say.

    With `at` it is cut once, at the first frame that holds that: what was asked is done, but the answer never comes.
    """

    def __init__(self) -> None:
        self.at: bytes | None = None
        self.cuts = 0
        self._severed = asyncio.Event()
        self._flows = asyncio.Event()
        self._flows.set()
        self._open: set[asyncio.Task[None]] = set()

    @abstractmethod
    async def _listen(self) -> asyncio.Server:
        """Where who comes is let in."""

    @abstractmethod
    async def _reach(self) -> Ends:
        """A line to the server itself."""

    async def __aenter__(self) -> Self:
        self._server = await self._listen()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self.cut()

    async def cut(self) -> None:
        """Everybody is thrown out, and whoever comes too."""
        self._severed.set()
        await asyncio.gather(*self._open)

    def hold(self) -> None:
        """As a network does that loses everything: nobody is thrown out, and nobody hears anything."""
        self._flows.clear()

    def mend(self) -> None:
        """What was held comes through now."""
        self._severed.clear()
        self._flows.set()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        task.add_done_callback(self._open.discard)
        ends, ways = [writer], list[asyncio.Task[None]]()
        try:
            if not self._severed.is_set():
                answers, asks = await self._reach()
                ends.append(asks)
                deaf = asyncio.Event()
                ways += [
                    asyncio.create_task(self._back(answers, writer, deaf)),
                    asyncio.create_task(self._forth(reader, asks, deaf)),
                    asyncio.create_task(self._until_severed()),
                ]
                await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        except OSError:
            # There is nobody behind it.
            pass
        finally:
            for way in ways:
                way.cancel()
            await asyncio.gather(*ways, return_exceptions=True)
            for end in ends:
                end.close()
                with contextlib.suppress(OSError):
                    await end.wait_closed()

    async def _until_severed(self) -> None:
        await self._severed.wait()

    async def _back(self, answers: asyncio.StreamReader, writer: asyncio.StreamWriter, deaf: asyncio.Event) -> None:
        while said := await answers.read(1 << 16):
            if deaf.is_set():
                return
            await self._flows.wait()
            writer.write(said)

    async def _forth(self, reader: asyncio.StreamReader, asks: asyncio.StreamWriter, deaf: asyncio.Event) -> None:
        while said := await reader.read(1 << 16):
            if self.at is not None and self.at in said:
                self.at = None
                self.cuts += 1
                deaf.set()
            await self._flows.wait()
            asks.write(said)


class PostgresLine(Line):
    """Stands in another folder as the database's socket."""

    def __init__(self, folder: Path, behind: Path) -> None:
        super().__init__()
        self.folder = folder
        self._behind = behind / SOCKET

    def url(self, database: str) -> str:
        return f"postgresql://ubongo@/{database}?host={self.folder}"

    async def _listen(self) -> asyncio.Server:
        return await asyncio.start_unix_server(self._carry, self.folder / SOCKET)

    async def _reach(self) -> Ends:
        return await asyncio.open_unix_connection(self._behind)


class NatsLine(Line):
    """Listens at another port; the news' own may change while it stands there."""

    def __init__(self, behind: int) -> None:
        super().__init__()
        self.behind = behind

    @property
    def url(self) -> str:
        port: int = self._server.sockets[0].getsockname()[1]
        return f"nats://127.0.0.1:{port}"

    async def _listen(self) -> asyncio.Server:
        return await asyncio.start_server(self._carry, "127.0.0.1", 0)

    async def _reach(self) -> Ends:
        return await asyncio.open_connection("127.0.0.1", self.behind)

"""Proxies in front of PostgreSQL and NATS that can cut, hold and restore connections at chosen moments."""

from __future__ import annotations

import asyncio
import contextlib
from abc import abstractmethod
from pathlib import Path
from typing import Self

SOCKET = ".s.PGSQL.5432"
Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class CuttableProxy:
    """Forwards data to a server and back. Subclasses decide where it listens and where it connects to.

    With `at`, a connection is cut once, at the first chunk that contains these bytes: the request is executed, but the
    response never arrives.
    """

    def __init__(self) -> None:
        self.at: bytes | None = None
        self.cuts = 0
        self._severed = asyncio.Event()
        self._flowing = asyncio.Event()
        self._flowing.set()
        self._open: set[asyncio.Task[None]] = set()

    @abstractmethod
    async def _listen(self) -> asyncio.Server:
        """The socket that clients connect to."""

    @abstractmethod
    async def _connect(self) -> Ends:
        """A connection to the server itself."""

    async def __aenter__(self) -> Self:
        self._server = await self._listen()
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self.cut()

    async def cut(self) -> None:
        """Closes all connections, and new ones at once."""
        self._severed.set()
        await asyncio.gather(*self._open)

    def hold(self) -> None:
        """Delays all data, like a network that loses everything: connections stay open and stay silent."""
        self._flowing.clear()

    def mend(self) -> None:
        """Forwards the delayed data and accepts connections."""
        self._severed.clear()
        self._flowing.set()

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._open.add(task)
        task.add_done_callback(self._open.discard)
        ends, tasks = [writer], list[asyncio.Task[None]]()
        try:
            if not self._severed.is_set():
                responses, requests = await self._connect()
                ends.append(requests)
                muted = asyncio.Event()
                tasks += [
                    asyncio.create_task(self._forward_responses(responses, writer, muted)),
                    asyncio.create_task(self._forward_requests(reader, requests, muted)),
                    asyncio.create_task(self._until_severed()),
                ]
                await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        except OSError:
            # The server is not running.
            pass
        finally:
            for each in tasks:
                each.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            for end in ends:
                end.close()
                with contextlib.suppress(OSError):
                    await end.wait_closed()

    async def _until_severed(self) -> None:
        await self._severed.wait()

    async def _forward_responses(
        self, responses: asyncio.StreamReader, writer: asyncio.StreamWriter, muted: asyncio.Event
    ) -> None:
        while data := await responses.read(1 << 16):
            if muted.is_set():
                return
            await self._flowing.wait()
            writer.write(data)

    async def _forward_requests(
        self, reader: asyncio.StreamReader, requests: asyncio.StreamWriter, muted: asyncio.Event
    ) -> None:
        while data := await reader.read(1 << 16):
            if self.at is not None and self.at in data:
                self.at = None
                self.cuts += 1
                muted.set()
            await self._flowing.wait()
            requests.write(data)


class CuttablePostgres(CuttableProxy):
    """Listens on the database's socket name in another folder."""

    def __init__(self, folder: Path, behind: Path) -> None:
        super().__init__()
        self.folder = folder
        self._behind = behind / SOCKET

    def url(self, database: str) -> str:
        return f"postgresql://ubongo@/{database}?host={self.folder}"

    async def _listen(self) -> asyncio.Server:
        return await asyncio.start_unix_server(self._forward, self.folder / SOCKET)

    async def _connect(self) -> Ends:
        return await asyncio.open_unix_connection(self._behind)


class CuttableNats(CuttableProxy):
    """Listens on a port of its own; the port of NATS (`behind`) may change meanwhile."""

    def __init__(self, behind: int) -> None:
        super().__init__()
        self.behind = behind

    @property
    def url(self) -> str:
        port: int = self._server.sockets[0].getsockname()[1]
        return f"nats://127.0.0.1:{port}"

    async def _listen(self) -> asyncio.Server:
        return await asyncio.start_server(self._forward, "127.0.0.1", 0)

    async def _connect(self) -> Ends:
        return await asyncio.open_connection("127.0.0.1", self.behind)

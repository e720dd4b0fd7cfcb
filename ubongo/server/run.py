"""Runs the server: in this process, or in several worker processes at one port."""

import asyncio
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from functools import partial
from tempfile import TemporaryDirectory

import uvicorn

from ubongo.material import BadEdition
from ubongo.server.app import COMPILED_GAMES, STATIC, build
from ubongo.server.cluster.workers import watch
from ubongo.server.http.fair_queue import FairQueue
from ubongo.server.http.long_answers import LongAnswers
from ubongo.server.logging_setup import configure
from ubongo.server.precompiler import looks_compiled
from ubongo.server.services import Services
from ubongo.server.settings import Settings
from ubongo.server.store.schema import BadLog
from ubongo.server.wire.handoff import WorkerPlace
from ubongo.server.wire.listener import address, listen, reserve

GOODBYE_S = 5
# The bots' code is loaded so long after the start, when clients that waited for the server have been answered.
LOAD_BOTS_AFTER_S = 2


class Server(uvicorn.Server):
    """uvicorn that calls `ready` after the start, and says goodbye to clients before it stops."""

    def __init__(self, config: uvicorn.Config, services: Services, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._services = services
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        # Now a signal stops the server cleanly, and every running match has been resumed.
        self._ready()
        # Loaded now, so that the first bot is as quick as any later one.
        after = LOAD_BOTS_AFTER_S if looks_compiled() else 0
        for game in COMPILED_GAMES:
            asyncio.get_running_loop().call_later(after, self._services.bot_seats.expect, game)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._services.connections.goodbye()
        await super().shutdown(sockets)


def serve(host: str, port: int, open_browser: bool, settings: Settings) -> None:
    """Serves until SIGINT or SIGTERM. Port 0 takes any free one. Prints the address to open."""
    if settings.workers == 1:
        listener = listen(host, port)
        run(listener, settings, partial(greet, address(host, listener.getsockname()[1]), open_browser))
        return
    with reserve(host, port) as reserved, TemporaryDirectory(prefix="ubongo-") as folder:
        ip, free = reserved.getsockname()[:2]
        job = partial(run_worker, ip, free, settings, folder)
        watch(job, settings.workers, partial(greet, address(host, free), open_browser))


def run_worker(host: str, port: int, settings: Settings, folder: str, number: int, ready: Callable[[], None]) -> None:
    """One of several worker processes at the same port. Their sockets are in `folder`."""
    run(listen(host, port, shared=True), settings, ready, WorkerPlace(folder, number, settings.workers))


def run(
    listener: socket.socket, settings: Settings, ready: Callable[[], None], place: WorkerPlace | None = None
) -> None:
    # uvicorn shuts down first and then raises the signal again: by then there is nothing left to do.
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, lambda *_: sys.exit(0))
    configure(settings.log_level)
    try:
        app = build(settings=settings, place=place)
    except (BadLog, BadEdition) as problem:
        print(f"ubongo serve: {problem}", file=sys.stderr)
        raise SystemExit(2) from None
    services: Services = app.state.services
    config = uvicorn.Config(
        FairQueue(LongAnswers(app, settings), settings),
        log_config=None,
        access_log=False,
        server_header=False,
        interface="asgi3",
        http=services.http_limits.protocol(),
        # Settings.address decides which proxies are trusted.
        proxy_headers=False,
        ws=services.sockets.protocol(),
        # A slow client does not delay the end by more than this.
        timeout_graceful_shutdown=GOODBYE_S,
    )
    Server(config, services, ready).run(sockets=[listener])


def greet(here: str, open_browser: bool) -> None:
    print(f"Ubongo is at {here} (Ctrl-C ends it)", flush=True)
    if not (STATIC / "index.html").is_file():
        print("The page is not built in, so only the API is served; `make setup` builds it.", file=sys.stderr)
    if open_browser:
        # In a thread: a browser in a terminal returns only when it is closed.
        threading.Thread(target=webbrowser.open, args=(here,), daemon=True).start()

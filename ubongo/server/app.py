"""Routes and wiring: the only place that builds the server's objects."""

import asyncio
import logging
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from functools import partial
from http import HTTPStatus
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import uvicorn
from litestar import Litestar, MediaType, Request, Response, get
from litestar.datastructures import MutableScopeHeaders, State
from litestar.exceptions import HTTPException, InternalServerException, ValidationException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import Message, Scope

from ubongo import __version__
from ubongo.bots.characters import CHARACTERS
from ubongo.bots.least import least
from ubongo.bots.pace import Level
from ubongo.bots.player import COMPILED, next_move, prepare
from ubongo.bots.typical import board_seconds
from ubongo.material import BadEdition
from ubongo.server.clock import Clock, MachineClock
from ubongo.server.cluster.workers import watch
from ubongo.server.errors import Denied
from ubongo.server.http.bounded_http import LONGEST_BODY
from ubongo.server.http.fair_queue import Turns
from ubongo.server.http.guests import AnyRequest, address_of, guessing_of, token_in
from ubongo.server.http.long_answers import LongAnswers
from ubongo.server.http.printing import paper
from ubongo.server.http.static_files import page
from ubongo.server.http.tables import api
from ubongo.server.lobby.bot_seats import BotSeats, TimedMove
from ubongo.server.lobby.table_keys import read_key
from ubongo.server.logging_setup import configure
from ubongo.server.precompiler import looks_compiled, precompiler
from ubongo.server.services import Services
from ubongo.server.settings import Settings
from ubongo.server.store import StoreError, Unreadable
from ubongo.server.store.schema import BadLog
from ubongo.server.wire.handoff import WorkerPlace
from ubongo.server.wire.listener import address, listen, reserve
from ubongo.table import Instant, SeatNo, Table

STATIC = Path(__file__).parent / "static"
GOODBYE_S = 5
# By then whoever has waited for the server has been answered.
SETTLED_S = 2

# The page may load what we serve and nothing else: no inline script or style, no frame around it, no foreign host.
SECURITY_HEADERS: Mapping[str, str] = {
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
        "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}

# Where people come by https, for a year: no browser asks by anything less then.
HSTS = "max-age=31536000"

# Whoever is banned still gets the page, which says so in their language.
CLOSED_TO_BANNED = ("/api/", "/print/")

# What Litestar says in its own words is for developers; these are for whoever asked.
SENTENCES: Mapping[HTTPStatus, str] = {
    HTTPStatus.BAD_REQUEST: "This could not be read.",
    HTTPStatus.NOT_FOUND: "There is nothing at this address.",
    HTTPStatus.METHOD_NOT_ALLOWED: "This cannot be done at this address.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: f"This is too long; {LONGEST_BODY} bytes are the most.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "Something broke on our side; it has been noted.",
}

log = logging.getLogger("ubongo.server")


class Health(msgspec.Struct, frozen=True):
    """`log`: what the disk says, if it does not take what it should. `news`: why nothing is heard of other servers.

    `damage`: what to do, if part of the file is damaged; the rest is served.

    `process` is who answers, where several do at one address.
    """

    status: str
    version: str
    log: str
    damage: str
    news: str
    process: int


class Refusal(msgspec.Struct, frozen=True, omit_defaults=True):
    """`edition`: the one that is missing, where it is for want of one."""

    error: str
    code: str
    edition: str = ""


@get("/healthz", tags=["operating"], sync_to_thread=False)
def healthz(state: State) -> Response[Health]:
    """Whether the server is alive, and whether the log takes what is written."""
    services: Services = state.services
    problem, damage, news = services.log.problem, services.log.damage, services.news.problem
    health = Health(
        status="failing" if problem else "ok",
        version=__version__,
        log=problem or "ok",
        damage=damage or "ok",
        news=news or "ok",
        process=os.getpid(),
    )
    return Response(health, status_code=503 if problem else 200)


@get("/metrics", tags=["operating"], media_type="text/plain; version=0.0.4")
async def metrics(state: State) -> bytes:
    """Prometheus text: tables, seats, moves, refusals, and how long commits and tellings take."""
    found: bytes = await state.services.metrics()
    return found


def denied(problem: Exception) -> Denied | None:  # noqa: PLR0911 - a case each
    """What is no fault of ours but has no sentence yet."""
    match problem:
        case Denied():
            return problem
        case Unreadable():
            return Denied("damaged_file")
        case StoreError():
            return Denied("not_recorded")
        case RecursionError():
            return Denied("unreadable", why="it is nested too deep")
        case InternalServerException(detail="client disconnected prematurely"):
            # So Litestar calls it, though it is no fault of ours, and nobody is there to be told.
            return Denied("unreadable", why="it broke off")
        case UnicodeDecodeError():
            return Denied("unreadable", why="it is not UTF-8")
        case ValidationException(extra=[{"message": why, "key": key}, *_]):
            return Denied("unreadable", why=f"{key}: {why}")
        case ValidationException(extra=[{"message": why}, *_]):
            return Denied("unreadable", why=why)
    return None


def refuse(request: Request[Any, Any, Any], problem: Exception) -> Response[Refusal]:
    """Every refusal has one shape, and none of them shows how the server is made."""
    no = denied(problem)
    if no is not None:
        if no.code == "no_such_table" and "table" in request.path_params:
            guessing_of(request.app.state).missed(read_key(request.path_params["table"]), address_of(request))
        return Response(Refusal(no.sentence, no.code, no.edition), status_code=no.status, media_type=MediaType.JSON)
    status = HTTPStatus(problem.status_code if isinstance(problem, HTTPException) else 500)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        # The address that was asked for may be a table's link; that of the route is nobody's.
        log.error("%s %s failed", request.method, request.scope.get("path_template", ""), exc_info=problem)
    refusal = Refusal(error=SENTENCES.get(status, f"{status.phrase}."), code=status.name.lower())
    return Response(refusal, status_code=status, media_type=MediaType.JSON)


async def let_in(request: AnyRequest) -> None:
    """By a name of ours, not too often from one address, and what changes something only from our own pages.

    Nobody who is banned.
    """
    services: Services = request.app.state.services
    peer = request.client.host if request.client is not None else ""

    def header(name: str) -> str | None:
        return ", ".join(request.headers.getall(name, [])) or None

    services.admission.check(peer, header, changes=request.method not in ("GET", "HEAD", "OPTIONS"))
    if request.url.path.startswith(CLOSED_TO_BANNED):
        services.lobby.bans.refuse(address_of(request), token_in(request))


async def secure(message: Message, scope: Scope) -> None:
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders.from_message(message)
        for name, value in SECURITY_HEADERS.items():
            headers[name] = value
        settings: Settings = scope["litestar_app"].state.settings
        if settings.secure:
            headers["strict-transport-security"] = HSTS
        if scope["path"].startswith("/api/"):
            # What one person is told is nobody else's, on no shared computer and in no proxy.
            headers["cache-control"] = "no-store"


def think(table: Table, seat: SeatNo, level: str, luck: str, now: Instant) -> TimedMove | None:
    return next_move(table, seat, msgspec.convert(level, Level), luck, now)


def build(
    static: Path = STATIC,
    settings: Settings | None = None,
    clock: Clock | None = None,
    place: WorkerPlace | None = None,
) -> Litestar:
    """The application, with the built page in `static`. Opens the log: BadLog, BadEdition."""
    precompile = precompiler(COMPILED, "from ubongo.bots.player import prepare; prepare({game!r})")
    company = BotSeats(think, least, prepare, precompile)
    services = Services(settings or Settings(), CHARACTERS, company, clock or MachineClock(), place)

    @asynccontextmanager
    async def lived_in(_: Litestar) -> AsyncIterator[None]:
        await services.open()
        try:
            yield
        finally:
            await services.close()

    return Litestar(
        [healthz, metrics, api(), paper, page(static)],
        state=State(
            {
                "services": services,
                "lobby": services.lobby,
                "connections": services.connections,
                "settings": services.settings,
                "press": services.press,
                "board_s": board_seconds,
            }
        ),
        lifespan=[lived_in],
        before_request=let_in,
        before_send=[secure],
        exception_handlers={Exception: refuse},
        request_max_body_size=LONGEST_BODY,
        # The description alone: the pages that show it load scripts from other hosts.
        openapi_config=OpenAPIConfig(
            title="Ubongo", version=__version__, path="/schema", render_plugins=[JsonRenderPlugin()]
        ),
        logging_config=None,
    )


class Server(uvicorn.Server):
    """uvicorn, which says when it is there, and goodbye before it hangs up."""

    def __init__(self, config: uvicorn.Config, services: Services, ready: Callable[[], None]) -> None:
        super().__init__(config)
        self._house = services
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        # By now a signal ends it cleanly, and every running match goes on.
        self._ready()
        # The first bot is to be as quick as any later one: what it counts with is not left until somebody gathers.
        after = SETTLED_S if looks_compiled() else 0
        for game in COMPILED:
            asyncio.get_running_loop().call_later(after, self._house.company.expect, game)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._house.connections.goodbye()
        await super().shutdown(sockets)


def serve(host: str, port: int, open_browser: bool, settings: Settings) -> None:
    """Serve until told to stop (SIGINT, SIGTERM); 0 as port takes any free one. Prints the address to open."""
    if settings.workers == 1:
        listener = listen(host, port)
        run(listener, settings, partial(greet, address(host, listener.getsockname()[1]), open_browser))
        return
    with reserve(host, port) as held, TemporaryDirectory(prefix="ubongo-") as folder:
        at, free = held.getsockname()[:2]
        job = partial(work, at, free, settings, folder)
        watch(job, settings.workers, partial(greet, address(host, free), open_browser))


def work(host: str, port: int, settings: Settings, folder: str, number: int, ready: Callable[[], None]) -> None:
    """One of several at the same port, who meet in a folder."""
    run(listen(host, port, shared=True), settings, ready, WorkerPlace(folder, number, settings.workers))


def run(
    listener: socket.socket, settings: Settings, ready: Callable[[], None], place: WorkerPlace | None = None
) -> None:
    # uvicorn shuts down first and then raises the signal once more: by then there is nothing left to do.
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
        Turns(LongAnswers(app, settings), settings),
        log_config=None,
        access_log=False,
        server_header=False,
        interface="asgi3",
        http=services.guard.protocol(),
        # Whose word is taken for who asks: Settings.address.
        proxy_headers=False,
        ws=services.sockets.protocol(),
        # Whoever has not said what they want by then, or taken what they asked for, keeps nobody from going home.
        timeout_graceful_shutdown=GOODBYE_S,
    )
    Server(config, services, ready).run(sockets=[listener])


def greet(here: str, open_browser: bool) -> None:
    print(f"Ubongo is at {here} (Ctrl-C ends it)", flush=True)
    if not (STATIC / "index.html").is_file():
        print("The page is not built in, so only the API is served; `make setup` builds it.", file=sys.stderr)
    if open_browser:
        # A browser in a terminal stays until it is closed: we cannot wait for it.
        threading.Thread(target=webbrowser.open, args=(here,), daemon=True).start()

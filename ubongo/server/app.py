"""The application: its routes, and what is checked before and after each request."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
from litestar import Litestar
from litestar.datastructures import State
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from ubongo import __version__
from ubongo.bots.characters import CHARACTERS
from ubongo.bots.least import least
from ubongo.bots.pace import Level
from ubongo.bots.player import COMPILED, next_move, prepare
from ubongo.bots.typical import board_seconds
from ubongo.server.clock import Clock, MachineClock
from ubongo.server.health import healthz, metrics
from ubongo.server.http.api import api
from ubongo.server.http.bounded_http import LONGEST_BODY
from ubongo.server.http.error_responses import answer_error
from ubongo.server.http.guests import AnyRequest, address_of, token_in
from ubongo.server.http.printing import paper
from ubongo.server.http.security_headers import add_security_headers
from ubongo.server.http.static_files import page
from ubongo.server.lobby.bot_minds import BotMinds, TimedMove
from ubongo.server.lobby.bot_seats import BotSeats
from ubongo.server.precompiler import precompiler
from ubongo.server.services import Services
from ubongo.server.settings import Settings
from ubongo.server.wire.handoff import WorkerPlace
from ubongo.table import Instant, SeatNo, Table

STATIC = Path(__file__).parent / "static"
# Games whose bots have compiled code.
COMPILED_GAMES = COMPILED
# Banned clients still get the page, which tells them so in their language.
CLOSED_TO_BANNED = ("/api/", "/print/")


async def admit(request: AnyRequest) -> None:
    """Refuses requests for other hosts, too many from one address, changes from foreign pages, and banned clients."""
    services: Services = request.app.state.services
    peer = request.client.host if request.client is not None else ""

    def header(name: str) -> str | None:
        return ", ".join(request.headers.getall(name, [])) or None

    services.admission.check(peer, header, changes=request.method not in ("GET", "HEAD", "OPTIONS"))
    if request.url.path.startswith(CLOSED_TO_BANNED):
        services.bans.refuse(address_of(request), token_in(request))


def think(table: Table, seat: SeatNo, level: str, luck: str, now: Instant) -> TimedMove | None:
    return next_move(table, seat, msgspec.convert(level, Level), luck, now)


def build(
    static: Path = STATIC,
    settings: Settings | None = None,
    clock: Clock | None = None,
    place: WorkerPlace | None = None,
) -> Litestar:
    """The application, with the built page in `static`. Opens the log; raises BadLog, BadEdition."""
    precompile = precompiler(COMPILED_GAMES, "from ubongo.bots.player import prepare; prepare({game!r})")
    bot_seats = BotSeats(BotMinds(think, least, prepare, precompile))
    services = Services(settings or Settings(), CHARACTERS, bot_seats, clock or MachineClock(), place)

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncIterator[None]:
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
                "print_cache": services.print_cache,
                "board_s": board_seconds,
            }
        ),
        lifespan=[lifespan],
        before_request=admit,
        before_send=[add_security_headers],
        exception_handlers={Exception: answer_error},
        request_max_body_size=LONGEST_BODY,
        # Only the description: Litestar's pages that show it load scripts from other hosts.
        openapi_config=OpenAPIConfig(
            title="Ubongo", version=__version__, path="/schema", render_plugins=[JsonRenderPlugin()]
        ),
        logging_config=None,
    )

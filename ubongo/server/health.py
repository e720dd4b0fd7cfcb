"""What monitoring reads: `/healthz` and `/metrics`."""

import os

import msgspec
from litestar import Response, get
from litestar.datastructures import State

from ubongo import __version__
from ubongo.server.services import Services


class Health(msgspec.Struct, frozen=True):
    """`log` is the database's error while it cannot be written, `news` why there is no news of other servers.

    `damage` says what to do if part of the database is damaged; the rest is served. `process` is the one that answers:
    there may be several at one address.
    """

    status: str
    version: str
    log: str
    damage: str
    news: str
    process: int


@get("/healthz", tags=["operating"], sync_to_thread=False)
def healthz(state: State) -> Response[Health]:
    """Whether the server is alive, and whether the log can be written."""
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
    """Prometheus text: tables, seats, moves, refusals, and the time that commits and broadcasts take."""
    services: Services = state.services
    return await services.metrics_page()

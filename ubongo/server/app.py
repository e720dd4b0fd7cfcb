"""Routes and wiring: the only place that builds the server's objects."""

import logging
import signal
import sys
import threading
import webbrowser
from collections.abc import Mapping
from http import HTTPStatus
from pathlib import Path
from typing import Any

import msgspec
import uvicorn
from litestar import Litestar, MediaType, Request, Response, get
from litestar.datastructures import MutableScopeHeaders
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import Message, Scope

from ubongo import __version__
from ubongo.server.listen import address, listen
from ubongo.server.page import page

STATIC = Path(__file__).parent / "static"

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

# What Litestar says in its own words is for developers; these are for whoever asked.
SENTENCES: Mapping[HTTPStatus, str] = {
    HTTPStatus.BAD_REQUEST: "This could not be read.",
    HTTPStatus.NOT_FOUND: "There is nothing at this address.",
    HTTPStatus.METHOD_NOT_ALLOWED: "This cannot be done at this address.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "Something broke on our side; it has been noted.",
}

log = logging.getLogger("ubongo.server")


class Health(msgspec.Struct, frozen=True):
    status: str
    version: str


class Refusal(msgspec.Struct, frozen=True):
    error: str
    code: str


@get("/healthz", tags=["operating"], sync_to_thread=False)
def healthz() -> Health:
    """Whether the server is alive."""
    return Health(status="ok", version=__version__)


def refuse(request: Request[Any, Any, Any], problem: Exception) -> Response[Refusal]:
    """Every refusal has one shape, and none of them shows how the server is made."""
    status = HTTPStatus(problem.status_code if isinstance(problem, HTTPException) else 500)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        log.error("%s %s failed", request.method, request.url.path, exc_info=problem)
    refusal = Refusal(error=SENTENCES.get(status, f"{status.phrase}."), code=status.name.lower())
    return Response(refusal, status_code=status, media_type=MediaType.JSON)


async def secure(message: Message, scope: Scope) -> None:  # noqa: ARG001  (Litestar's signature)
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders.from_message(message)
        for name, value in SECURITY_HEADERS.items():
            headers[name] = value


def build(static: Path = STATIC) -> Litestar:
    """The application, with the built page in `static`."""
    return Litestar(
        [healthz, page(static)],
        before_send=[secure],
        exception_handlers={Exception: refuse},
        # The description alone: the pages that show it load scripts from other hosts.
        openapi_config=OpenAPIConfig(
            title="Ubongo", version=__version__, path="/schema", render_plugins=[JsonRenderPlugin()]
        ),
        logging_config=None,
    )


def serve(host: str, port: int, open_browser: bool) -> None:
    """Serve until told to stop (SIGINT, SIGTERM); 0 as port takes any free one. Prints the address to open."""
    # uvicorn shuts down first and then raises the signal once more: by then there is nothing left to do.
    for stop in (signal.SIGINT, signal.SIGTERM):
        signal.signal(stop, lambda *_: sys.exit(0))
    listener = listen(host, port)
    here = address(host, listener.getsockname()[1])
    print(f"Ubongo is at {here} (Ctrl-C ends it)", flush=True)
    if not (STATIC / "index.html").is_file():
        print("The page is not built in, so only the API is served; `make setup` builds it.", file=sys.stderr)
    if open_browser:
        # A browser in a terminal stays until it is closed: we cannot wait for it.
        threading.Thread(target=webbrowser.open, args=(here,), daemon=True).start()
    config = uvicorn.Config(build(), log_level="warning", access_log=False, server_header=False, ws="none")
    uvicorn.Server(config).run(sockets=[listener])

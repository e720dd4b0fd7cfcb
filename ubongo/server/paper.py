"""An edition on paper, over HTTP."""

from __future__ import annotations

import asyncio
import socket
from typing import Literal
from urllib.parse import urlsplit

from litestar import Response, get
from litestar.datastructures import State
from litestar.params import FromPath, FromQuery
from litestar.response import File

from ubongo.material import GAMES, shipped
from ubongo.server.callers import AnyRequest, address_of
from ubongo.server.denied import Denied
from ubongo.server.press import Press, Wanted
from ubongo.server.settings import Settings, is_address

Part = Literal["all", "starter", "boards", "pieces", "cards", "sheets", "dice", "gems", "booklet", "rules"]


def printed_base(request: AnyRequest) -> str:
    """Where the codes on printed boards lead: to a name that is known to be ours, since each has files of its own.

    A machine may have more addresses than it knows, as in a container: a plain one is believed.
    """
    settings: Settings = request.app.state.settings
    host = request.headers.get("host", "")
    try:
        name = urlsplit(f"//{host}").hostname or ""
    except ValueError:
        name = ""
    own = socket.gethostname().lower()
    if settings.public_url is None and name not in ("localhost", own, f"{own}.local") and not is_address(name):
        raise Denied("unknown_host")
    return settings.base(request.url.scheme, host)


@get("/print/{file:str}", include_in_schema=False)
async def paper(
    request: AnyRequest,
    state: State,
    file: FromPath[str],
    edition: FromQuery[str] = "",
    part: FromQuery[Part] = "all",
    paper: FromQuery[Literal["a4", "letter"]] = "a4",
    duplex: FromQuery[Literal["long", "short", "none"]] = "long",
    lang: FromQuery[Literal["en", "de", "pl"]] = "en",
) -> Response[bytes] | File:
    """A part of an edition as a PDF, or all; the codes on its boards lead back here. Or the pages of each, as JSON."""
    game, _, kind = file.partition(".")
    if game not in GAMES or kind not in {"pdf", "json"}:
        raise Denied("not_found")
    press: Press = state.press
    address, headers = address_of(request), {"cache-control": "no-cache"}
    chosen = edition or shipped(game).id
    if kind == "json":
        # The same whatever part is asked for, and whoever asks.
        wanted = Wanted(game, chosen, "all", paper, duplex, lang, "http://localhost", count=True)
        counts = await asyncio.to_thread((await press.file(wanted, address)).read_bytes)
        return Response(counts, media_type="application/json", headers=headers)
    made = await press.file(Wanted(game, chosen, part, paper, duplex, lang, printed_base(request)), address)
    return File(
        made,
        filename=f"ubongo-{game}.pdf",
        media_type="application/pdf",
        content_disposition_type="inline",
        headers=headers,
    )

"""An edition on paper, over HTTP."""

from __future__ import annotations

import asyncio
from typing import Literal

from litestar import Response, get
from litestar.datastructures import State
from litestar.params import FromPath, FromQuery
from litestar.response import File

from ubongo.material import GAMES, shipped
from ubongo.server.errors import Denied
from ubongo.server.http.guests import AnyRequest, address_of
from ubongo.server.http.print_cache import PrintCache, PrintRequest
from ubongo.server.http.table_entries import base_of

# Of each response one chunk is in memory while the client reads; Litestar's default is a megabyte.
CHUNK = 64 * 1024
PrintablePart = Literal["all", "starter", "boards", "pieces", "cards", "sheets", "dice", "gems", "booklet", "rules"]


@get("/print/{file:str}", include_in_schema=False)
async def paper(
    request: AnyRequest,
    state: State,
    file: FromPath[str],
    edition: FromQuery[str] = "",
    part: FromQuery[PrintablePart] = "all",
    paper: FromQuery[Literal["a4", "letter"]] = "a4",
    duplex: FromQuery[Literal["long", "short", "none"]] = "long",
    lang: FromQuery[Literal["en", "de", "pl"]] = "en",
) -> Response[bytes] | File:
    """An edition, or a part, as a PDF whose QR codes link to this server. `.json`: the number of pages per part."""
    game, _, kind = file.partition(".")
    if game not in GAMES or kind not in {"pdf", "json"}:
        raise Denied("not_found")
    print_cache: PrintCache = state.print_cache
    address, headers = address_of(request), {"cache-control": "no-cache"}
    chosen = edition or shipped(game).id
    if kind == "json":
        # The same for every part and every base URL.
        count = PrintRequest(game, chosen, "all", paper, duplex, lang, "http://localhost", count=True)
        counts = await asyncio.to_thread((await print_cache.file(count, address)).read_bytes)
        return Response(counts, media_type="application/json", headers=headers)
    pdf = await print_cache.file(PrintRequest(game, chosen, part, paper, duplex, lang, base_of(request)), address)
    return File(
        pdf,
        filename=f"ubongo-{game}.pdf",
        media_type="application/pdf",
        chunk_size=CHUNK,
        content_disposition_type="inline",
        headers=headers,
    )

"""An edition on paper, over HTTP: the program's own `print`, in a process of its own, so that no move waits for it."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

from litestar import Response, get
from litestar.datastructures import State
from litestar.params import FromPath, FromQuery
from msgspec import Struct
from msgspec.structs import replace

from ubongo.game import BadOptions
from ubongo.games.editions import chosen
from ubongo.material import GAMES, encode, shipped
from ubongo.server.callers import AnyRequest
from ubongo.server.denied import Denied
from ubongo.server.settings import Settings

# So many may wait for the one that is being printed, and so many are kept: an edition never changes.
LONGEST_QUEUE, KEPT = 8, 8
PATIENCE_S = 120
# How many pages there are is a few numbers: those of many orders are kept.
COUNTS_KEPT = 64
Part = Literal["all", "starter", "boards", "pieces", "cards", "sheets", "dice", "gems", "booklet", "rules"]


class Wanted(Struct, frozen=True):
    game: str
    edition: str
    part: str
    paper: str
    duplex: str
    lang: str
    url: str

    def words(self) -> list[str]:
        """As one would type them."""
        flags = ("part", "paper", "duplex", "lang", "url")
        return ["print", self.game, *(f"--{flag}={getattr(self, flag)}" for flag in flags)]


class Press:
    """Prints one at a time, and keeps what was asked for last."""

    def __init__(self) -> None:
        self._one = asyncio.Lock()
        self._waiting = 0
        self._kept: dict[Wanted, bytes] = {}
        self._counts: dict[Wanted, bytes] = {}

    async def pdf(self, wanted: Wanted) -> bytes:
        return await self._asked(wanted, self._kept, KEPT)

    async def page_counts(self, wanted: Wanted) -> bytes:
        """By part, as JSON: drawn to be counted, as they would be to be printed."""
        return await self._asked(wanted, self._counts, COUNTS_KEPT, "--pages")

    async def _asked(self, wanted: Wanted, kept: dict[Wanted, bytes], most: int, *flags: str) -> bytes:
        if wanted not in kept:
            if self._waiting >= LONGEST_QUEUE:
                raise Denied("too_fast")
            self._waiting += 1
            try:
                async with self._one:
                    if wanted not in kept:
                        kept[wanted] = await _printed(wanted, *flags)
            finally:
                self._waiting -= 1
        # The one that was asked for longest ago goes.
        found = kept[wanted] = kept.pop(wanted)
        while len(kept) > most:
            del kept[next(iter(kept))]
        return found


async def _printed(wanted: Wanted, *flags: str) -> bytes:
    try:
        edition = chosen(type(shipped(wanted.game)), wanted.edition)
    except BadOptions as problem:
        raise Denied("bad_options", why=str(problem)) from None
    with TemporaryDirectory(prefix="ubongo-") as folder:
        file, out = Path(folder, "edition.json"), Path(folder, "out")
        await asyncio.to_thread(file.write_bytes, encode(edition))
        command = (sys.executable, "-m", "ubongo", *wanted.words(), *flags, f"--edition={file}", f"--out={out}")
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
        )
        try:
            async with asyncio.timeout(PATIENCE_S):
                _, said = await process.communicate()
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        if process.returncode == 2:
            raise Denied("unreadable", why=said.decode().strip().removeprefix("ubongo: "))
        return await asyncio.to_thread(out.read_bytes)


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
) -> Response[bytes]:
    """A part of an edition as a PDF, or all; the codes on its boards lead back here. Or the pages of each, as JSON."""
    game, _, kind = file.partition(".")
    if game not in GAMES or kind not in {"pdf", "json"}:
        raise Denied("not_found")
    settings: Settings = state.settings
    here = settings.base(request.url.scheme, request.headers.get("host", "localhost"))
    press: Press = state.press
    wanted = Wanted(game, edition or shipped(game).id, part, paper, duplex, lang, here)
    if kind == "json":
        # The same whatever part is asked for, and whoever asks.
        counts = await press.page_counts(replace(wanted, part="all", url="http://localhost"))
        return Response(counts, media_type="application/json", headers={"cache-control": "no-cache"})
    made = await press.pdf(wanted)
    headers = {"content-disposition": f'inline; filename="ubongo-{game}.pdf"', "cache-control": "no-cache"}
    return Response(made, media_type="application/pdf", headers=headers)

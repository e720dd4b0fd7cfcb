"""The built page, read once when the server starts: what was not there then does not exist."""

import gzip
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from litestar import Request, Response, get
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler

# Not the system's own table: on some machines it calls a script plain text, and browsers then refuse to run it.
KINDS: Mapping[str, str] = {
    ".css": "text/css",
    ".html": "text/html",
    ".js": "text/javascript",
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".woff2": "font/woff2",
}
# To compress these again saves nothing.
COMPRESSED = {".png", ".woff2"}
# Addresses of the page's own views: those with one more part, and those without.
VIEWS = ("/t/", "/replay/", "/rules/", "/learn/", "/play/", "/ghost/", "/day/", "/companion/")
PLACES = ("/records", "/me", "/learn", "/editions")
# What people do not type: there a refusal is said as to a program.
FOR_PROGRAMS = ("/api/", "/assets/", "/ws/")


class Leaf(msgspec.Struct, frozen=True):
    """One file of the page, ready to send."""

    kind: str
    kept: str
    tag: str
    plain: bytes
    packed: bytes | None


def read(static: Path) -> dict[str, Leaf]:
    """Everything below a folder, by the path it is asked for."""
    files = [file for file in static.rglob("*") if file.is_file()]
    leaves = {f"/{file.relative_to(static).as_posix()}": leaf(file, static) for file in files}
    if "/index.html" in leaves:
        leaves["/"] = leaves["/index.html"]
    return leaves


def leaf(file: Path, static: Path) -> Leaf:
    # A file in assets/ has its hash in its name, so it can be kept for ever; the page itself names the newest ones.
    lasting = file.is_relative_to(static / "assets")
    plain = file.read_bytes()
    return Leaf(
        kind=KINDS.get(file.suffix, "application/octet-stream"),
        kept="public, max-age=31536000, immutable" if lasting else "no-cache",
        tag=f'"{hashlib.sha256(plain).hexdigest()[:20]}"',
        plain=plain,
        packed=None if file.suffix in COMPRESSED else gzip.compress(plain, mtime=0),
    )


def page(static: Path) -> HTTPRouteHandler:
    leaves = read(static)

    @get(["/", "/{_:path}"], name="page", include_in_schema=False, sync_to_thread=False)
    def asked(request: Request[Any, Any, Any]) -> Response[bytes]:
        path = request.url.path
        # A table's link leads to the page, which then asks for the table; so do the other views.
        parts = path.count("/")
        # A printed board is an edition's: its address has one part more.
        ours = path in PLACES or (path.startswith(VIEWS) and parts == 2) or (path.startswith("/b/") and parts == 3)
        found = leaves.get("/" if ours else path)
        if found is None:
            home = leaves.get("/")
            if home is None or path.startswith(FOR_PROGRAMS) or "text/html" not in request.headers.get("accept", ""):
                raise NotFoundException
            # Somebody has mistyped an address, and reads in the page itself that it leads nowhere.
            return Response(home.plain, status_code=404, media_type=home.kind, headers={"cache-control": "no-store"})
        headers = {"cache-control": found.kept, "etag": found.tag, "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == found.tag:
            return Response(b"", status_code=304, headers=headers)
        if found.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(found.packed, media_type=found.kind, headers={**headers, "content-encoding": "gzip"})
        return Response(found.plain, media_type=found.kind, headers=headers)

    return asked

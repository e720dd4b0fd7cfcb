"""The built page, read once when the server starts; later changes of the files have no effect."""

import gzip
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from litestar import Request, Response, get
from litestar.exceptions import NotFoundException
from litestar.handlers import HTTPRouteHandler

# Not the system's own table: on some machines it says that a script is plain text, and browsers refuse to run it.
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
# Compressed already.
COMPRESSED = {".png", ".woff2"}
# Paths of the page's own views: with one more segment, and without.
VIEWS = ("/t/", "/replay/", "/rules/", "/learn/", "/play/", "/ghost/", "/day/", "/companion/")
PLACES = ("/records", "/me", "/learn", "/editions")
# Paths that people do not type: errors there are JSON.
FOR_PROGRAMS = ("/api/", "/assets/", "/ws/")


class StaticFile(msgspec.Struct, frozen=True):
    """One file of the page, ready to send."""

    kind: str
    cache_control: str
    tag: str
    plain: bytes
    compressed: bytes | None


def read(static: Path) -> dict[str, StaticFile]:
    """Every file below a folder, by its URL path."""
    files = [file for file in static.rglob("*") if file.is_file()]
    by_path = {f"/{file.relative_to(static).as_posix()}": static_file(file, static) for file in files}
    if "/index.html" in by_path:
        by_path["/"] = by_path["/index.html"]
    return by_path


def static_file(file: Path, static: Path) -> StaticFile:
    # A file in assets/ has its hash in its name, so browsers may cache it for ever.
    immutable = file.is_relative_to(static / "assets")
    plain = file.read_bytes()
    return StaticFile(
        kind=KINDS.get(file.suffix, "application/octet-stream"),
        cache_control="public, max-age=31536000, immutable" if immutable else "no-cache",
        tag=f'"{hashlib.sha256(plain).hexdigest()[:20]}"',
        plain=plain,
        compressed=None if file.suffix in COMPRESSED else gzip.compress(plain, mtime=0),
    )


def page(static: Path) -> HTTPRouteHandler:
    by_path = read(static)

    @get(["/", "/{_:path}"], name="page", include_in_schema=False, sync_to_thread=False)
    def serve(request: Request[Any, Any, Any]) -> Response[bytes]:
        path = request.url.path
        # All views are the same page, which then fetches their data.
        parts = path.count("/")
        # The path of a printed board has the edition too.
        ours = path in PLACES or (path.startswith(VIEWS) and parts == 2) or (path.startswith("/b/") and parts == 3)
        found = by_path.get("/" if ours else path)
        if found is None:
            home = by_path.get("/")
            if home is None or path.startswith(FOR_PROGRAMS) or "text/html" not in request.headers.get("accept", ""):
                raise NotFoundException
            # For a mistyped address the page itself says that there is nothing.
            return Response(home.plain, status_code=404, media_type=home.kind, headers={"cache-control": "no-store"})
        headers = {"cache-control": found.cache_control, "etag": found.tag, "vary": "accept-encoding"}
        if request.headers.get("if-none-match") == found.tag:
            return Response(b"", status_code=304, headers=headers)
        if found.compressed is not None and "gzip" in request.headers.get("accept-encoding", ""):
            return Response(found.compressed, media_type=found.kind, headers={**headers, "content-encoding": "gzip"})
        return Response(found.plain, media_type=found.kind, headers=headers)

    return serve

"""The headers that every answer carries: what browsers may load, keep and show."""

from __future__ import annotations

from collections.abc import Mapping

from litestar.datastructures import MutableScopeHeaders
from litestar.types import Message, Scope

from ubongo.server.settings import Settings

# The page may load our own files and nothing else: no inline script or style, no frame around it, no other host.
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

# Over https, for a year: browsers then refuse plain http.
HSTS = "max-age=31536000"


async def add_security_headers(message: Message, scope: Scope) -> None:
    if message["type"] == "http.response.start":
        headers = MutableScopeHeaders.from_message(message)
        for name, value in SECURITY_HEADERS.items():
            headers[name] = value
        settings: Settings = scope["litestar_app"].state.settings
        if settings.secure:
            headers["strict-transport-security"] = HSTS
        if scope["path"].startswith("/api/"):
            # Answers may be personal: neither a shared computer nor a proxy may keep them.
            headers["cache-control"] = "no-store"

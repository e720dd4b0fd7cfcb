from __future__ import annotations

from typing import Annotated

from cyclopts import Parameter


def serve(
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    open_browser: Annotated[bool, Parameter(name="--open", show_default=False)] = False,
) -> None:
    """
    Parameters
    ----------
    host
        The address to listen at; 0.0.0.0 lets other machines in.
    port
        The port to listen at.
    open_browser
        Open the page in a browser.
    """
    from ubongo.server.app import serve as serve_app  # noqa: PLC0415 - Litestar is for servers alone

    serve_app(host, port, open_browser)

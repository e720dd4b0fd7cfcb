"""`ubongo serve`: the games on this machine, for browsers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from ubongo.commands import Complaint


def _setting(name: str) -> Parameter:
    return Parameter(env_var=f"UBONGO_{name}")


def serve(
    *,
    host: Annotated[str, _setting("HOST")] = "127.0.0.1",
    port: Annotated[int, _setting("PORT")] = 8000,
    db: Annotated[str | None, _setting("DB")] = None,
    nats: Annotated[str | None, _setting("NATS")] = None,
    workers: Annotated[int, _setting("WORKERS")] = 1,
    public_url: Annotated[str | None, _setting("PUBLIC_URL")] = None,
    editions: Annotated[Path | None, _setting("EDITIONS")] = None,
    proxy: Annotated[tuple[str, ...], _setting("PROXY")] = (),
    moves_rate: Annotated[float, _setting("MOVES_RATE")] = 200,
    requests_rate: Annotated[float, _setting("REQUESTS_RATE")] = 200,
    tables: Annotated[int, _setting("TABLES")] = 20_000,
    tables_per_address: Annotated[int, _setting("TABLES_PER_ADDRESS")] = 500,
    tables_per_guest: Annotated[int, _setting("TABLES_PER_GUEST")] = 100,
    max_disk: Annotated[str, _setting("MAX_DISK")] = "0",
    connections: Annotated[int, _setting("CONNECTIONS")] = 1000,
    keep_days: Annotated[float, _setting("KEEP_DAYS")] = 30,
    log_level: Annotated[Literal["error", "warning", "info"], _setting("LOG_LEVEL")] = "warning",
    open_browser: Annotated[bool, Parameter(name="--open", show_default=False)] = False,
) -> None:
    """
    Parameters
    ----------
    host
        The address to listen on; 0.0.0.0 lets other machines connect.
    port
        The port to listen on.
    db
        The database, a file or postgresql://…; by default a file in your data folder.
    nats
        The NATS server through which servers that share a database notify each other, nats://…; without it they poll.
    workers
        How many processes serve on this port; more than one need a postgresql://… database.
    public_url
        The public address of this server, if it is not this machine's own; links begin with it.
    editions
        A folder with your own editions, chosen by the option `edition`.
    proxy
        The address of a proxy whose X-Forwarded-For is trusted; may be given several times.
    moves_rate
        Moves per second on one connection, 0 for no limit.
    requests_rate
        Requests per second from one address, 0 for no limit.
    tables
        Tables that may be open at once, 0 for any number; finished ones do not count.
    tables_per_address
        How many of them may be opened from one address, 0 for any number.
    tables_per_guest
        How many of them one guest may have, 0 for any number.
    max_disk
        How much disk space the log may use, such as 20GB; beyond it no new tables are opened. 0 for any size.
    connections
        Connections that may be open from one address, 0 for no limit.
    keep_days
        How long finished tables and guests who have not come back are kept; matches stay, as compact logs.
    log_level
        The log level; log entries go to standard error, one JSON object per line.
    open_browser
        Open the page in a browser.
    """
    from ubongo.server.settings import Settings  # a server's
    from ubongo.server.store.disk_usage import bytes_of  # a server's

    room = bytes_of(max_disk)
    if room is None:
        raise Complaint("--max-disk is a size, such as 500MB or 20GB; 0 is no limit.")
    settings = Settings(
        host=host,
        db=db,
        nats=nats,
        workers=workers,
        public_url=public_url,
        editions=editions,
        proxies=proxy,
        moves_rate=moves_rate,
        moves_burst=5 * moves_rate,
        requests_rate=requests_rate,
        requests_burst=10 * requests_rate,
        tables=tables,
        tables_per_address=tables_per_address,
        tables_per_guest=tables_per_guest,
        max_disk=room,
        connections=connections,
        keep_days=keep_days,
        log_level=log_level,
    )
    if why := settings.contradiction():
        raise Complaint(why)
    from ubongo.server.run import serve as serve_app  # Litestar is for servers alone

    serve_app(host, port, open_browser, settings)

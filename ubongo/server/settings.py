"""The server's settings; docs/operating.md describes each."""

from __future__ import annotations

import os
import re
import socket
import sys
from ipaddress import ip_address
from math import isfinite
from pathlib import Path
from urllib.parse import urlsplit

from msgspec import Struct

# Names without a dot, and names under domains that do not exist on the internet.
LOCAL_NAME = r"([a-z\d_-]{1,63}\.){0,9}(local|localhost|internal|lan|home\.arpa)|[a-z\d_-]{1,63}"


def data_folder() -> Path:
    """The system's folder for the data of the user's programs."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", "~")).expanduser() / "ubongo"
    if sys.platform == "darwin":
        return Path("~/Library/Application Support/ubongo").expanduser()
    return Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser() / "ubongo"


class Settings(Struct, frozen=True, kw_only=True):
    """Rates are per second; a rate of 0 is no limit. `proxies` are trusted to name the client's address.

    `db` is a file, or `postgresql://…`, which several servers may share. `nats` is where they exchange news: one
    `nats://…` or several, separated by commas.
    """

    host: str = "127.0.0.1"
    db: Path | str | None = None
    nats: str | None = None
    workers: int = 1
    public_url: str | None = None
    editions: Path | None = None
    proxies: tuple[str, ...] = ()
    moves_rate: float = 200
    moves_burst: float = 1000
    requests_rate: float = 200
    requests_burst: float = 2000
    # From one address, 0 for no limit. A school shares one address, and a browser opens several for a moment.
    connections: int = 1000
    # A whole school may come at once from one address; but none may add more in a day than are erased in one.
    guests_rate: float = 2
    guests_burst: float = 300
    # The same for tables: everybody at a school may start a solo run at once.
    openings_rate: float = 2
    openings_burst: float = 600
    # How many tables may be open at once, 0 for any number.
    tables_per_guest: int = 100
    tables_per_address: int = 500
    tables: int = 20_000
    # How many bytes the log may take before no more tables are opened, 0 for any number.
    max_disk: int = 0
    keep_days: float = 30
    log_level: str = "warning"
    # How many bytes may wait for a slow client before it is disconnected.
    slow: int = 1 << 16

    @property
    def file(self) -> Path:
        return data_folder() / "ubongo.db" if self.db is None else Path(self.db)

    @property
    def print_folder(self) -> Path:
        """The folder of the print cache."""
        return (data_folder() if self.postgres is not None else self.file.parent) / "print"

    @property
    def postgres(self) -> str | None:
        """The address of the database, if the log is not in a file."""
        schemes = ("postgresql://", "postgres://")
        return self.db if isinstance(self.db, str) and self.db.startswith(schemes) else None

    def contradiction(self) -> str | None:
        """Why the settings cannot be used, with advice; None if they can."""
        several = self.workers > 1
        numbers = (self.moves_rate, self.requests_rate, self.connections, self.keep_days)
        tables = (self.tables_per_guest, self.tables_per_address, self.tables)
        wrong = {
            f"--workers {self.workers}: at least one has to serve.": self.workers < 1,
            "--workers: a file is for one; several need --db postgresql://…": several and self.postgres is None,
            "--workers: this system lets only one listen at a port.": several and not hasattr(socket, "SO_REUSEPORT"),
            "--nats is for servers that share a database: --db postgresql://…": self.nats and self.postgres is None,
            "--nats names no address; nats://127.0.0.1:4222 is one.": self.nats and not _is_nats(self.nats),
            "--public-url is what people type, such as https://play.example.org": not _is_page(self.public_url),
            "--proxy is a machine's own address, such as 127.0.0.1": not all(map(is_address, self.proxies)),
            "--tables, --tables-per-address and --tables-per-guest are not less than 0.": min(tables) < 0,
            "--moves-rate, --requests-rate, --connections and --keep-days are numbers, and not less than 0.": not all(
                isfinite(one) and one >= 0 for one in numbers
            ),
        }
        return next((why for why, so in wrong.items() if so), None)

    @property
    def secure(self) -> bool:
        """Whether clients use https, so that cookies need never be sent without it."""
        return self.public_url is not None and self.public_url.startswith("https:")

    def base(self, scheme: str, host: str) -> str:
        """The beginning of all links."""
        return (self.public_url or f"{scheme}://{host}").rstrip("/")

    def ours(self, origin: str | None, host: str) -> bool:
        """Whether a page of that origin may send requests. A script has no origin."""
        if origin is None:
            return True
        # Without a public URL we do not know whether a proxy adds https: both schemes are allowed.
        here = [self.public_url] if self.public_url is not None else [f"http://{host}", f"https://{host}"]
        # A page that hides its origin (`null`) is never ours.
        return (there := origin_of(origin)) is not None and there in map(origin_of, here)

    def serves(self, host: str | None) -> bool:
        """Whether the host in a request is ours. An attacker can make a name of theirs point here (DNS rebinding).

        That is impossible with an address, and with a name that only a machine or a local network knows.
        """
        if not host:
            # Only programs leave it out, not browsers.
            return True
        name = _hostname(f"//{host}")
        if name is None or any(sign in host for sign in "/@?#"):
            return False
        if is_address(name) or name in (_hostname(f"//{self.host}"), _hostname(self.public_url or "")):
            return True
        return re.fullmatch(LOCAL_NAME, name) is not None

    def address(self, peer: str, forwarded: str | None) -> str:
        """The client's address: the last one in the chain that is not one of our proxies."""
        if peer not in self.proxies or not forwarded:
            return peer
        chain = [part.strip() for part in forwarded.split(",")]
        return next((one for one in reversed(chain) if one not in self.proxies), peer)


def origin_of(address: str) -> tuple[str, str, int | None] | None:
    """Scheme, host and port, as browsers compare them."""
    try:
        parts = urlsplit(address)
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port) if parts.scheme and parts.hostname else None


def _hostname(address: str) -> str | None:
    try:
        return (urlsplit(address).hostname or "").rstrip(".") or None
    except ValueError:
        return None


def _is_page(address: str | None) -> bool:
    try:
        parts = urlsplit(address or "http://localhost")
        return parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return False


def is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _is_nats(addresses: str) -> bool:
    try:
        parts = [urlsplit(one) for one in addresses.split(",")]
        return all(one.scheme in ("nats", "tls") and one.hostname and one.port != 0 for one in parts)
    except ValueError:
        return False

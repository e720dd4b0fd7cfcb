"""What whoever runs the server can choose; docs/operating.md has one line for each."""

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

# Names without a dot, and under domains that are nobody's on the internet.
LOCAL_NAME = r"([a-z\d_-]{1,63}\.){0,9}(local|localhost|internal|lan|home\.arpa)|[a-z\d_-]{1,63}"


def data_folder() -> Path:
    """Where this machine keeps what programs write for their user."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", "~")).expanduser() / "ubongo"
    if sys.platform == "darwin":
        return Path("~/Library/Application Support/ubongo").expanduser()
    return Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser() / "ubongo"


class Settings(Struct, frozen=True, kw_only=True):
    """Rates are a second's, a rate of 0 is no limit; `proxies` are the addresses whose word we take for who asks.

    `db` is a file, or `postgresql://…`, which several houses may share; `nats://…` is where these hear of each other,
    with commas between where there are several.
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
    # From one address, 0 for no limit: a school has one, and a browser opens several for a moment.
    connections: int = 1000
    # A school comes at once by one address; but no address may make more in a day than are forgotten in one.
    guests_rate: float = 2
    guests_burst: float = 300
    # The same holds for tables: everybody at a school may begin a run alone at once.
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
    # How many bytes may wait for a reader before it is given up.
    slow: int = 1 << 16

    @property
    def file(self) -> Path:
        return data_folder() / "ubongo.db" if self.db is None else Path(self.db)

    @property
    def print_folder(self) -> Path:
        """Where what was printed is kept."""
        return (data_folder() if self.postgres is not None else self.file.parent) / "print"

    @property
    def postgres(self) -> str | None:
        """The database's address, if what is kept is not kept in a file."""
        schemes = ("postgresql://", "postgres://")
        return self.db if isinstance(self.db, str) and self.db.startswith(schemes) else None

    def contradiction(self) -> str | None:
        """What cannot be had together, and what would be right."""
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
        """Whether people come by https, so that a cookie need never go by anything less."""
        return self.public_url is not None and self.public_url.startswith("https:")

    def base(self, scheme: str, host: str) -> str:
        """What links begin with."""
        return (self.public_url or f"{scheme}://{host}").rstrip("/")

    def ours(self, origin: str | None, host: str) -> bool:
        """Whether a page of that origin may speak to us; a script has none."""
        if origin is None:
            return True
        # Without a public URL nobody has told us who has a certificate: a page of the same host may have come by it.
        here = [self.public_url] if self.public_url is not None else [f"http://{host}", f"https://{host}"]
        # A page that hides where it is from (`null`) is not ours, however we are called.
        return (there := origin_of(origin)) is not None and there in map(origin_of, here)

    def serves(self, host: str | None) -> bool:
        """Whether we are asked for by a name of ours. Another site's name can be made to lead here (DNS rebinding).

        Nobody can do that with an address, nor with a name that only a machine or a local network knows.
        """
        if not host:
            # Only programs leave it out.
            return True
        name = _hostname(f"//{host}")
        if name is None or any(sign in host for sign in "/@?#"):
            return False
        if is_address(name) or name in (_hostname(f"//{self.host}"), _hostname(self.public_url or "")):
            return True
        return re.fullmatch(LOCAL_NAME, name) is not None

    def address(self, peer: str, forwarded: str | None) -> str:
        """Who asks: the last one in the chain that no proxy of ours has added."""
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

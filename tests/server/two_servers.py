"""Two servers that share a database and NATS, as real processes, and helpers to wait for them."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import Any, cast
from urllib.request import urlopen

import msgspec

from tests.conftest import Running, start
from tests.postgres import fetch
from tests.server.people import Person

PATIENCE_S = 60


class TwoServers:
    """Two servers that share a database and NATS."""

    def __init__(self, url: str, one: Running, other: Running) -> None:
        self.url = url
        self.running = one, other

    def person(self, name: str, server: int) -> Person:
        return Person(self.running[server].address, name)

    def at(self, person: Person, server: int) -> Person:
        """The same person at another server."""
        there = object.__new__(Person)
        there.__dict__ = person.__dict__ | {"address": self.running[server].address.rstrip("/")}
        return there

    def log(self, table: str) -> list[dict[str, Any]]:
        """All events of a match in the database; asserts that every version is there once."""
        wanted = f"select version, at, events from log join matches using (match) where table_key = '{table}'"
        rows = asyncio.run(fetch(self.url, f"{wanted} order by version"))
        events: list[dict[str, Any]] = []
        last = 0
        for version, at, body in rows:
            events += msgspec.json.decode(cast("bytes", body))
            assert version == len(events)
            assert cast("int", at) >= last, "time does not run back"
            last = cast("int", at)
        return events


@contextmanager
def start_two_servers(news: str, url: str, module: str = "ubongo") -> Iterator[TwoServers]:
    with ExitStack() as stack:
        # Both at once, since a server takes a moment to start.
        one, other = at_once(*[partial(start, "--nats", news, db=url, module=module)] * 2)
        for server in (one, other):
            stack.enter_context(server)
        yield TwoServers(url, one, other)


def wait_for(wanted: Callable[[], bool], why: str) -> None:
    until = time.monotonic() + PATIENCE_S
    while not wanted():
        assert time.monotonic() < until, why
        time.sleep(0.05)


def health(running: Running) -> dict[str, Any]:
    with urlopen(f"{running.address}healthz") as answer:
        return dict(json.load(answer))


def hears(running: Running) -> bool:
    """Whether its connection to NATS works."""
    return bool(health(running)["news"] == "ok")


def at_once(*deeds: Callable[[], Any]) -> list[Any]:
    with ThreadPoolExecutor(len(deeds)) as threads:
        return [one.result() for one in [threads.submit(deed) for deed in deeds]]

"""A flood beside an honest player: measures the server's memory, and whether the player is answered."""

from __future__ import annotations

import socket
import subprocess
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from urllib.parse import urlsplit

import httpx

from tests.conftest import Running
from tests.server.people import PATIENCE, TRUST, Device, Person, table_for

# An attack lasts for this many answers to the honest player, and this many bytes or disconnections.
ANSWERS = 20
ENOUGH = 40 << 20
TIMES = 20
LOOK_EVERY = 4 << 20
# The memory that one attacker may use.
MOST_GROWTH = 64 << 20


def memory(running: Running) -> int:
    """The resident memory of the server's process, in bytes."""
    return int(subprocess.check_output(["ps", "-o", "rss=", "-p", str(running.process.pid)])) * 1024


class Honest:
    """A player who sits at a table and polls the lobby, one request at a time, during an attack."""

    def __init__(self, running: Running) -> None:
        self._address = running.address
        person = Person(running.address, "Ann")
        self._device: Device = person.sit_at(table_for(person, start=False, seats=2))
        self.answered = 0
        self.problem: Exception | None = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._go_on)

    def __enter__(self) -> Honest:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _go_on(self) -> None:
        try:
            # Paced: without a pause it would exceed the rate limit.
            while not self._over.wait(0.01):
                self._device.say({"type": "ping", "at": 1})
                self._device.until(lambda said: said["type"] == "pong")
                httpx.get(f"{self._address}healthz", timeout=PATIENCE, verify=TRUST).raise_for_status()
                self.answered += 1
        except Exception as problem:  # noqa: BLE001 - the waiting test has to see any error
            self.problem = problem


def connect(running: Running) -> socket.socket:
    place = urlsplit(running.address)
    assert place.hostname is not None
    return socket.create_connection((place.hostname, place.port or 80), timeout=PATIENCE)


def flood(running: Running, before: int, attack: Callable[[], Iterable[int]]) -> None:
    """Repeats an attack beside an honest player; an attack returns how many bytes it sent.

    It may raise when it is cut off. `before` is the server's memory before the attack.
    """
    sent = looked = times = most = 0
    with Honest(running) as honest:

        def harmed() -> bool:
            return honest.problem is not None or most - before > MOST_GROWTH

        while not harmed() and (honest.answered < ANSWERS or (sent < ENOUGH and times < TIMES)):
            times += 1
            with suppress(OSError):
                for more in attack():
                    sent += more
                    if sent - looked > LOOK_EVERY:
                        looked, most = sent, max(most, memory(running))
                    if harmed() or (sent >= ENOUGH and honest.answered >= ANSWERS):
                        break
            most = max(most, memory(running))
    print(f"{(most - before) >> 20} MB more after {sent >> 20} MB in {times} times, {honest.answered} answers")
    assert honest.problem is None, honest.problem
    assert most - before < MOST_GROWTH, f"{(most - before) >> 20} MB more after {sent >> 20} MB"

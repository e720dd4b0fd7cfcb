"""Very many messages of one address at one moment wait for each other, and no other client waits for them."""

from __future__ import annotations

import asyncio

import pytest

from tests.conftest import start
from tests.server.people import Device, Person
from ubongo.server.clock import Timestamp
from ubongo.server.wire.fair_messages import AT_ONCE, FairMessages

pytestmark = pytest.mark.anyio


class Client:
    """Sends messages as a connection does; `handled` is shared, so that it shows the order."""

    def __init__(self, messages: FairMessages, address: str, handled: list[str]) -> None:
        self._messages = messages
        self._address = address
        self._handled = handled
        self.waiting: list[str] = []

    def send(self, message: str, now: int = 1) -> None:
        if self.waiting:
            self.waiting.append(message)
        elif self._messages.take(self._address, Timestamp(now)):
            self._handled.append(message)
        else:
            self.waiting.append(message)
            self._messages.wait(self._address, self)

    def handle_next(self) -> bool:
        self._handled.append(self.waiting.pop(0))
        return bool(self.waiting)


async def test_up_to_the_limit_messages_are_handled_at_once() -> None:
    messages, handled = FairMessages(), list[str]()
    client = Client(messages, "a", handled)
    for now in (1, 2, 3):
        for _ in range(AT_ONCE):
            client.send("m", now)
    assert len(handled) == 3 * AT_ONCE


async def test_above_it_connections_take_turns_and_every_message_keeps_its_order() -> None:
    messages, handled = FairMessages(), list[str]()
    one, other = Client(messages, "a", handled), Client(messages, "a", handled)
    for number in range(AT_ONCE + 3):
        one.send(f"one {number}")
    for number in range(3):
        other.send(f"other {number}", now=2)
    assert len(handled) == AT_ONCE, "not even in the next millisecond, as long as some wait"
    await asyncio.sleep(0)
    turns = [(f"one {AT_ONCE + number}", f"other {number}") for number in range(3)]
    assert handled[AT_ONCE:] == [message for turn in turns for message in turn]
    one.send("later", now=3)
    assert handled[-1] == "later"


async def test_another_address_does_not_wait_and_the_loop_goes_on_between_turns() -> None:
    messages, handled = FairMessages(), list[str]()
    flood, other = Client(messages, "a", handled), Client(messages, "b", handled)
    for _ in range(5 * AT_ONCE):
        flood.send("m")
    other.send("hello")
    assert handled[-1] == "hello"
    iterations = 0
    while flood.waiting:
        before = len(handled)
        await asyncio.sleep(0)
        assert len(handled) - before <= AT_ONCE
        iterations += 1
    assert iterations >= 4
    assert len(handled) == 5 * AT_ONCE + 1


def test_a_burst_on_real_connections_is_answered_whole_and_in_order() -> None:
    with start("--proxy", "127.0.0.1") as server:
        table = Person(server.address, "Ann").post("/tables", {"game": "extreme", "seats": 2})["table"]
        somewhere = {"x-forwarded-for": "203.0.113.9"}
        devices = [Device(server.address, table, headers=somewhere) for _ in range(3)]
        pings = [{"type": "ping", "at": number} for number in range(30 * AT_ONCE)]
        for ping in pings:
            for device in devices:
                device.say(ping)
        for device in devices:
            answers = [device.until(lambda said: said["type"] == "pong")["at"] for _ in pings]
            assert answers == [ping["at"] for ping in pings]

"""Welcome and update are spliced from bytes for speed: what is sent is exactly what their structs would be."""

from __future__ import annotations

import msgspec
import pytest

from tests.server.playing import House
from ubongo.server.protocol import TableFacts, Update, Welcome, encode
from ubongo.table import SeatNo, Table

Message = dict[str, object]


class Wiretap:
    """A member who keeps the very bytes."""

    def __init__(self, player: str | None) -> None:
        self.player = player
        self.seat: SeatNo | None = None
        self.messages: list[bytes] = []

    def send(self, message: bytes) -> None:
        self.messages.append(message)

    def close(self, code: int, why: str) -> None: ...


@pytest.mark.anyio
@pytest.mark.parametrize("game", ["extreme", "cards", "dice", "cubes"])
async def test_every_message_is_its_struct_to_the_byte(game: str) -> None:
    house = House(game)
    taps = [Wiretap("ann"), Wiretap(None)]
    for tap in taps:
        house.room.enter(tap)
    await (house.playing() if game in ("extreme", "cards") else house.begin())
    house.room.send_facts(TableFacts(host=SeatNo(1), voiced=(SeatNo(0),), muted=True, next="x", speed=8))
    late = Wiretap("bo")
    house.room.enter(late)
    kinds = set()
    for message in [message for tap in (*taps, late) for message in tap.messages]:
        said: Welcome | Update = msgspec.json.decode(message, type=Welcome | Update)
        assert encode(said) == message
        kinds.add(type(said))
        if isinstance(said, Welcome):
            # No field is lost, and none is unknown.
            assert set(said.table) == {*Table.__struct_fields__, *TableFacts.__struct_fields__}
            msgspec.convert(said.table, TableFacts)
        else:
            assert set(said.table) <= {*Table.__struct_fields__, *TableFacts.__struct_fields__}
    assert kinds == {Welcome, Update}
    last: Welcome = msgspec.json.decode(late.messages[0], type=Welcome)
    assert (last.table["host"], last.table["voiced"], last.table["speed"]) == (1, [0], 8)

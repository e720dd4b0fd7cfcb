"""Welcome and update are spliced from bytes for speed: the bytes equal the encoding of their structs."""

from __future__ import annotations

import msgspec
import pytest

from tests.server.fakes import patch
from tests.server.room_harness import RoomHarness
from ubongo.games import GAMES
from ubongo.server.protocol import TableFacts, Update, Welcome, encode
from ubongo.table import SeatNo, Table
from ubongo.veil import veil

FIELDS = {*Table.__struct_fields__, *TableFacts.__struct_fields__}
# No field has its default.
FACTS = TableFacts(
    host=SeatNo(0),
    voiced=(SeatNo(0),),
    public=True,
    muted=True,
    next="amber-heron-1",
    next_by=SeatNo(0),
    rematch_of="amber-heron-2",
    stand_ins=(SeatNo(0),),
    only_bots=True,
    speed=8,
)
# A game, its options, and whether a piece is placed.
CASES: list[tuple[str, dict[str, object], bool]] = [
    ("cards", {}, False),
    ("dice", {}, False),
    ("extreme", {}, True),
    ("extreme", {"companion": True}, False),
    ("cubes", {}, False),
    ("cubes", {"die": "off"}, True),
    ("solo", {"of": "extreme"}, False),
]


class Wiretap:
    """A member that records the bytes it is sent."""

    def __init__(self, player: str | None) -> None:
        self.player = player
        self.seat: SeatNo | None = None
        self.messages: list[bytes] = []

    def send(self, message: bytes) -> None:
        self.messages.append(message)

    def close(self, code: int, why: str) -> None: ...


def seen(tap: Wiretap) -> tuple[dict[str, object], set[type]]:
    """This member's table, and the kinds of its messages. Compares every message with its struct."""
    table, kinds = {}, set()
    for message in tap.messages:
        decoded: Welcome | Update = msgspec.json.decode(message, type=Welcome | Update)
        assert encode(decoded) == message
        kinds.add(type(decoded))
        if isinstance(decoded, Welcome):
            assert set(decoded.table) == FIELDS
            table = decoded.table
        else:
            assert set(decoded.table) <= FIELDS
            patch(table, decoded.table)
    return table, kinds


def test_every_game_is_compared() -> None:
    assert {game for game, *_ in CASES} == set(GAMES)


def test_no_field_of_the_facts_has_its_default() -> None:
    for name in TableFacts.__struct_fields__:
        assert getattr(FACTS, name) != getattr(TableFacts(), name), name


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("game", "options", "places"),
    CASES,
)
async def test_every_message_is_its_struct_to_the_byte(game: str, options: dict[str, object], places: bool) -> None:
    harness = RoomHarness(game, 1 if game == "solo" else 2, **options)
    early = [Wiretap("ann"), Wiretap(None)]
    for tap in early:
        harness.room.enter(tap)
    await harness.begin()
    for member in harness.members:
        member.ask(type="ready")
    harness.log.commit()
    if places:
        harness.members[0].ask(**harness.solution(SeatNo(0))[0])
    harness.log.commit()
    harness.room.send_facts(FACTS)
    late = Wiretap(harness.people[-1])
    harness.room.enter(late)
    harness.log.commit()
    for tap in (*early, late):
        table, kinds = seen(tap)
        # By value and field by field: what was sent piece by piece is what the structs hold at the end.
        expected = msgspec.to_builtins(veil(harness.room.shown, tap.seat)) | msgspec.to_builtins(FACTS)
        assert table == msgspec.json.decode(encode(expected))
        assert Welcome in kinds
        assert (Update in kinds) or tap is late

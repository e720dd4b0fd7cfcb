"""A standard solo run, a match against a bot, and upkeep to tally them."""

from __future__ import annotations

from typing import Any

from tests.server.alone import SoloPlayer
from tests.server.guests import Client
from ubongo.moves import Leave, Ready
from ubongo.server.lobby.upkeep import end_finished_tables

DAY = 24 * 3600 * 1000
COUNT: dict[str, Any] = {"of": "extreme", "mode": "count"}
BOARD = "/records?of=extreme&mode=count"


def run_upkeep(client: Client) -> None:
    client.blocking_portal.call(end_finished_tables, client.app.state.lobby)
    client.blocking_portal.call(client.app.state.services.records.catch_up)


def with_bots(ann: SoloPlayer) -> str:
    """A match against a bot that Ann wins, since it leaves (T11)."""
    wanted = {"game": "extreme", "seats": 2, "bots": ["easy"], "options": {"ready_s": 0}}
    key: str = ann.ask("POST", "/tables", wanted)[1]["table"]
    room = ann.start(key)
    ann.move(room, Ready())
    ann.lay(room)
    ann.move(room, Leave(), seat=1)
    return key

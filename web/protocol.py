"""Writes src/protocol.ts: the types of Python's messages, for the page. A test compares the file with the structs.

.venv/bin/python -m web.protocol
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from ubongo.events import AnyEvent
from ubongo.games import cubes, extreme, gem_race
from ubongo.games.cards import CardsOptions
from ubongo.games.cubes import CubesOptions
from ubongo.games.dice import DiceOptions
from ubongo.games.solo.options import SoloOptions
from ubongo.server.http.boards import BoardEntry
from ubongo.server.http.daily import DailySolution, DayResult, Today
from ubongo.server.http.devices import DeviceEntry
from ubongo.server.http.games import TaskEntry
from ubongo.server.http.guests import Who
from ubongo.server.http.history import PastGames
from ubongo.server.http.profile import Own, Profile
from ubongo.server.http.records import Ranking, RunOutcome
from ubongo.server.http.table_entries import TableEntry
from ubongo.server.protocol import (
    AskedMove,
    Bye,
    Fault,
    Hello,
    MoveRefused,
    Ping,
    Pong,
    React,
    Reaction,
    TableFacts,
    Update,
    Waiting,
    Welcome,
)
from ubongo.server.records.summary import Summary
from ubongo.table import Table

TARGET = Path(__file__).parent / "src" / "protocol.ts"
HEAD = """// Made by web/protocol.py from the structs in Python; do not edit.

/** Each field that is there replaces the old one whole; only seats come by number and field. */
export type PartOf<T extends { readonly seats: readonly unknown[] }> = Partial<Omit<T, "seats">> & {
  readonly seats?: Record<string, Partial<T["seats"][number]>>;
};
"""
ROOTS = (
    Table,
    CardsOptions,
    CubesOptions,
    DiceOptions,
    SoloOptions,
    TableEntry,
    Hello,
    Ping,
    MoveRefused,
    Pong,
    React,
    Reaction,
    Fault,
    Waiting,
    Bye,
    Ranking,
    Own,
    RunOutcome,
    Profile,
    Today,
    DayResult,
    DailySolution,
    PastGames,
    TaskEntry,
    BoardEntry,
    Summary,
    Who,
    DeviceEntry,
    TableFacts,
    Welcome,
    Update,
)
# Facts of the rules that the page needs before it asks the server.
FIRST_ENDS = [game.NAME for game in (extreme, cubes) if game.RACE.second_chance == "one"]
FACTS = f"""/** In a second chance of these games the first who finishes ends the round. */
export const FIRST_ENDS: readonly string[] = {msgspec.json.encode(FIRST_ENDS).decode()};

/** What a gem is worth. */
export const GEM_VALUES: Readonly<Record<GemMoved["gem"], number>> = {msgspec.json.encode(gem_race.VALUE).decode()};
"""
REF = "#/$defs/"
NAMES = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}


def typescript() -> str:
    shapes, found = msgspec.json.schema_components((*ROOTS, AnyEvent, AskedMove), ref_template=REF + "{name}")
    types = [f"export type {name} = {_written(schema)};\n" for name, schema in sorted(found.items())]
    types += [
        f"export type {name} = {_written(shape)};\n"
        for name, shape in zip(("AnyEvent", "AnyMove"), shapes[-2:], strict=True)
    ]
    return "\n".join([HEAD, *types, FACTS])


def _written(schema: dict[str, Any]) -> str:  # noqa: PLR0911 - a case each
    match schema:
        case {"allOf": names}:
            return " & ".join(names)
        case {"partOf": names}:
            return f"PartOf<{' & '.join(names)}>"
        case {"$ref": name}:
            return str(name).removeprefix(REF)
        case {"anyOf": several}:
            return " | ".join(_written(one) for one in several)
        case {"enum": values}:
            return " | ".join(msgspec.json.encode(value).decode() for value in values)
        case {"type": "array", "prefixItems": items}:
            return f"readonly [{', '.join(_written(item) for item in items)}]"
        case {"type": "array", "items": item} if item is not False:
            return f"readonly ({_written(item)})[]"
        case {"type": "object", "properties": fields}:
            return _fields(fields)
        case {"type": "object"}:
            return "Record<string, unknown>"
        case {"type": name}:
            return NAMES[name]
    return "unknown"


def _fields(fields: dict[str, Any]) -> str:
    """Python sends every field, including those with a default."""
    lines = [f"  readonly {name}: {_written(schema)};" for name, schema in fields.items()]
    return "\n".join(["{", *lines, "}"])


if __name__ == "__main__":
    TARGET.write_text(typescript())

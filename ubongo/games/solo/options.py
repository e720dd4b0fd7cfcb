"""The options of solo play, and which of them go together."""

from __future__ import annotations

from calendar import monthrange
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from ubongo.game import BadOptions
from ubongo.material.cubes import LETTERS
from ubongo.table import Options, Table

SoloGameName = Literal["cubes", "extreme", "cards", "dice"]


class SoloOptions(Options, frozen=True, kw_only=True, gc=False):
    """`minutes` goes with mode `clock`, `tasks` with `count`, `day` with `day`.

    `board`, `number` and `grade` go with `practice`; `grade` 0 is any. `tasks` 6 is a sheet of the dice game. The
    server sets the day, whether a run counts (`scored`), and the table whose luck this one repeats (`ghost`).
    """

    of: SoloGameName = "cubes"
    side: Literal[3, 4] = 3
    die: Literal["on", "off"] = "on"
    mode: Literal["clock", "count", "day", "practice"] = "clock"
    minutes: Literal[5, 10, 20] = 5
    tasks: Literal[5, 6, 10, 20] = 5
    day: Annotated[str, Meta(pattern=r"^(\d{4}-\d{2}-\d{2})?$")] = ""
    board: Annotated[str, Meta(max_length=10)] = ""
    number: Annotated[str, Meta(max_length=10)] = ""
    grade: Annotated[int, Meta(ge=0, le=5)] = 0
    scored: bool = True
    ghost: Annotated[str, Meta(max_length=64)] = ""


def options_of(table: Table) -> SoloOptions:
    assert isinstance(table.options, SoloOptions)
    return table.options


def fitting(options: SoloOptions) -> SoloOptions:
    """The options, if they go together: an option of another mode or game is refused, not ignored."""
    if options.die == "off" and (options.of != "cubes" or options.side == 4 or options.mode in ("day", "practice")):
        raise BadOptions(
            "die is 'off'; playing without the die goes with cubes and side 3 only, by clock or count",
            code="die_needed",
        )
    # A day determines its side, and records it for all games.
    if options.side == 4 and options.of not in ("cubes", "extreme") and options.mode != "day":
        raise BadOptions(f"side is 4; {options.of} has no sides, only cubes and extreme have, so leave it out")
    if options.tasks == 6 and options.of != "dice":
        raise BadOptions("tasks is 6; a sheet has six areas in dice only, elsewhere it is 5, 10 or 20")
    if options.mode == "day":
        date_in(options.day)
    elif options.day:
        raise BadOptions(f"day is {options.day!r}; a day goes with mode 'day' only")
    if options.mode != "practice":
        for name in ("board", "number", "grade"):
            if getattr(options, name):
                raise BadOptions(f"{name} is {getattr(options, name)!r}; it goes with mode 'practice' only")
    return sided(options)


def date_in(day: str) -> tuple[int, int, int]:
    """Year, month and day; or BadOptions."""
    parts = [int(part) for part in day.split("-") if part]
    if len(parts) == 3:
        year, month, date = parts
        if year >= 1970 and 1 <= month <= 12 and 1 <= date <= monthrange(year, month)[1]:
            return year, month, date
    raise BadOptions(f"day is {day!r}; mode 'day' needs a date, such as '2026-11-15'")


def sided(options: SoloOptions) -> SoloOptions:
    """A board of 3-D is named with its side (Q25)."""
    letter = options.board[:1].upper()
    side = next((side for side, name in LETTERS.items() if name == letter), None)
    return options if options.of != "cubes" or side is None else replace(options, side=side)

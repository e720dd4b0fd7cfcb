"""Lists, one line per item: JSON for programs, plain text for people."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any

import msgspec

from ubongo.material import cards, cubes, dice, extreme

# A game's module knows its lines: dump_lines and piece_lines.
MODULES: Mapping[str, ModuleType] = {"cards": cards, "dice": dice, "extreme": extreme, "cubes": cubes}
ListedItem = dict[str, Any]


def listed(lines: Iterable[ListedItem], json: bool, told: Callable[[ListedItem], str]) -> None:
    for line in lines:
        sys.stdout.buffer.write((msgspec.json.encode(line) if json else told(line).encode()) + b"\n")

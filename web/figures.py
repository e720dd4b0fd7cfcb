"""Writes src/rules/figures.json: the boards, cards and sheets in the pictures of the rules.

.venv/bin/python -m web.figures
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from ubongo.printing.figures import hand, hexagons, sheet, solid

FILE = Path(__file__).parent / "src" / "rules" / "figures.json"


def figures() -> str:
    drawn = {"extreme": hexagons(), "cards": hand(), "dice": sheet(), "cubes": solid()}
    return msgspec.json.format(msgspec.json.encode(drawn), indent=0).decode() + "\n"


if __name__ == "__main__":
    FILE.write_text(figures())

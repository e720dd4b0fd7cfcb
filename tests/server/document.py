"""Parses docs/protocol.md: its code blocks of one kind, and the messages among them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

DOCUMENT = (Path(__file__).parent.parent.parent / "docs" / "protocol.md").read_text(encoding="utf-8")


def fences(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```$", DOCUMENT, re.MULTILINE | re.DOTALL)


def messages(by: str) -> list[dict[str, Any]]:
    return [json.loads(line) for fence in fences(f"json {by}") for line in fence.splitlines()]

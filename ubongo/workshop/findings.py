"""The result of checking an edition."""

from __future__ import annotations

from msgspec import Struct


class Findings(Struct):
    """`proved`: statements that hold. `failed`: those that do not, each with its card, area or task."""

    proved: list[str]
    failed: list[str]

"""What a check of an edition found."""

from __future__ import annotations

from msgspec import Struct


class Findings(Struct):
    """`proved`: sentences that hold. `failed`: what does not, each naming its card, area or task."""

    proved: list[str]
    failed: list[str]

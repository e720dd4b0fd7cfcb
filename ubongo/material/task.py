"""What a printed task of any game has: its difficulty and its solution."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from ubongo.lattice import Cell

Grade = Annotated[int, Meta(ge=1, le=5)]


class PrintedTask(Struct, frozen=True, kw_only=True):
    """`solution` has a (turn, at) for each piece of the task, in order: an entry of the booklet."""

    solution: tuple[tuple[int, Cell], ...]
    difficulty: float
    grade: Grade

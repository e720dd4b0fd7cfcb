"""Whole rounds of Extreme for racing players: the tasks dealt, and the moves that solve them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

import msgspec
from msgspec.structs import replace

from ubongo.chance import Chance
from ubongo.games import extreme
from ubongo.games.gem_race import ROUNDS, RaceOptions
from ubongo.lattice import Cell
from ubongo.material.extreme import BOARDS, COLOURS
from ubongo.table import SeatNo, Task
from ubongo.tiling import Puzzle, first

SEATS = 4
# With manual calls, so that placing and calling are separate moves on every server, and with ample time.
OPTIONS = RaceOptions(hourglass_s=3600, ready_s=0, auto_call=False)
MATCHES = 64  # that peers are dealt; tables beyond play them again
READY: dict[str, Any] = {"type": "ready"}

Move = Mapping[str, Any]


@cache
def edition() -> str:
    return extreme.opening(("Ann", "Bo", "Cy", "Di"), OPTIONS).options.edition


def dealt(match: int) -> list[list[Task]]:
    """By round and seat, as our own game deals them."""
    table = extreme.opening(("Ann", "Bo", "Cy", "Di"), OPTIONS)
    seats = [SeatNo(number) for number in range(SEATS)]
    rounds = [replace(table, round=number) for number in range(1, ROUNDS + 1)]
    return [[task for _, task in extreme.deal(one, seats, Chance(str(match)))] for one in rounds]


def deals() -> bytes:
    """For a peer that deals them itself: every turn of every piece, and the tasks by match, round and seat."""
    shapes = {name: piece.shapes for name, piece in extreme.pieces(OPTIONS).items()}
    return msgspec.json.encode({"shapes": shapes, "deals": [dealt(match) for match in range(MATCHES)]})


def all_moves() -> dict[tuple[str, ...], tuple[Move, ...]]:
    """The moves of every task, by its name, computed before anything is timed."""
    tasks = [
        extreme.task(edition(), number, OPTIONS.side, colour, "up")
        for number in range(BOARDS)
        for colour in range(len(COLOURS))
    ]
    return {called(task.board, task.pieces): tuple(moves(task)) for task in tasks}


def called(board: str, pieces: Sequence[str | None]) -> tuple[str, ...]:
    return (board, *(str(piece) for piece in pieces))


def moves(task: Task) -> Iterator[Move]:
    """Places and lifts every piece somewhere, the first again at its right place; then places all, and calls."""
    assert task.region is not None
    shapes = [extreme.pieces(OPTIONS)[str(name)].shapes for name in task.pieces]
    filling = first(Puzzle("hex", task.region, tuple(turns[0] for turns in shapes)))
    assert filling is not None
    right = [lying(laid.piece, shapes[laid.piece], laid.cells) for laid in filling]
    tried = [somewhere(piece, turns, task.region) for piece, turns in enumerate(shapes)]
    for lay in (*tried, right[0]):
        yield lay
        yield {"type": "lift", "piece": lay["piece"]}
    yield from right
    yield {"type": "call"}


def lying(piece: int, turns: Sequence[Sequence[Cell]], cells: Sequence[Cell]) -> Move:
    wanted = sorted(cells)
    for turn, shape in enumerate(turns):
        at = tuple(a - b for a, b in zip(wanted[0], min(shape), strict=True))
        if wanted == sorted(tuple(a + b for a, b in zip(at, cell, strict=True)) for cell in shape):
            return {"type": "place", "piece": piece, "turn": turn, "at": at}
    raise AssertionError("no turn of the piece lies like that")


def somewhere(piece: int, turns: Sequence[Sequence[Cell]], region: Sequence[Cell]) -> Move:
    ground = set(region)
    for turn, shape in reversed(list(enumerate(turns))):
        for cell in region:
            at = tuple(a - b for a, b in zip(cell, shape[0], strict=True))
            if all(tuple(a + b for a, b in zip(at, one, strict=True)) in ground for one in shape):
                return {"type": "place", "piece": piece, "turn": turn, "at": at}
    raise AssertionError("the piece fits nowhere")

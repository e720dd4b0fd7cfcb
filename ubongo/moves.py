"""The moves that players can ask for, and the refusals: both closed lists."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

from msgspec import DecodeError, Raw, Struct

from ubongo.lattice import Cell


def snake(name: str) -> str:
    return re.sub(r"(?<=.)(?=[A-Z])", "_", name).lower()


class Move(Struct, frozen=True, gc=False, tag=snake, tag_field="type"):
    pass


M = TypeVar("M", bound=Move)


class Ready(Move, frozen=True, gc=False):
    pass


class Place(Move, frozen=True, gc=False):
    """A piece that lies already is moved."""

    piece: int
    turn: int
    at: Cell


class Lift(Move, frozen=True, gc=False):
    piece: int


class Call(Move, frozen=True, gc=False):
    pass


class Throw(Move, frozen=True, gc=False):
    pass


class Grab(Move, frozen=True, gc=False):
    die: int


class Pass(Move, frozen=True, gc=False):
    """Done entering."""


class Stop(Move, frozen=True, gc=False):
    """Agree to end the round, the area or the play-off."""


class SetAside(Move, frozen=True, gc=False):
    """Solo: set this task aside and get another."""


class Hint(Move, frozen=True, gc=False):
    """Solo, practice: a hint."""


class Claim(Move, frozen=True, gc=False):
    """With `companion`: finished, said instead of laying. `cards`: how many of them lie right, when that is asked."""

    cards: int | None = None


class TakeBack(Move, frozen=True, gc=False):
    """With `companion`: the claim was wrong, or a slip."""


class TurnBack(Move, frozen=True, gc=False):
    """With `companion`: the glass should not have been turned for a second chance."""


class Skip(Move, frozen=True, gc=False):
    """To the result, when only bots are waited for (T7a)."""


class SpeedUp(Move, frozen=True, gc=False):
    """Eight times the speed, when only bots are waited for (T7a)."""


class Leave(Move, frozen=True, gc=False):
    """Leave for good."""


class GoAway(Move, frozen=True, gc=False, tag="away"):
    """Made by the server when a player's connection is lost."""


class ComeBack(Move, frozen=True, gc=False, tag="back"):
    """Made by the server when the player is connected again."""


AnyMove = (
    Ready | Place | Lift | Call | Throw | Grab | Pass | Stop | SetAside | Hint | Claim | TakeBack | TurnBack
    | Skip | SpeedUp | Leave | GoAway | ComeBack
)  # fmt: skip


def name_of(move: Move) -> str:
    return snake(type(move).__name__)


class Refused(Exception):
    """A move that the rules do not allow now. Nothing has happened; the sentence is made from `words`."""

    def __init__(self, code: str, **values: Any) -> None:
        super().__init__(code)
        self.code = code
        self.values = values


def read_move(decode: Callable[[Raw], M], body: Raw) -> M:
    """The move; raises Refused, so that the player who asked for it gets an answer."""
    try:
        return decode(body)
    except RecursionError:
        why = "it is nested too deep"
    except UnicodeDecodeError as problem:
        why = f"it is not UTF-8: {problem.reason}"
    except DecodeError as problem:
        why = str(problem)
    raise Refused("unreadable_move", why=why)

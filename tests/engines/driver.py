"""What a person does to a browser, whichever it is: opens a page, points, presses, turns the wheel, types, looks."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from time import monotonic, sleep
from typing import Any, Literal, TypeVar

Hand = Literal["mouse", "touch"]
# A desk and a phone, as people have them before them: width and height of what is seen of a page.
SIZES: dict[Hand, tuple[int, int]] = {"mouse": (1400, 900), "touch": (390, 664)}
# Seconds; only who waits in vain waits so long.
PATIENCE = 60
# Keys that type no character, as WebDriver counts them.
KEYS = {"Enter": "\ue007", "PageUp": "\ue00e", "PageDown": "\ue00f"}

Found = TypeVar("Found")
# Starts a browser for a hand; left in whatever way, it is gone.
Starts = Callable[[Hand], AbstractContextManager["Driver"]]


class Failed(Exception):
    """The browser, or what is seen in it, is not as it should be."""


def waited(look: Callable[[], Found | None], what: str, patience: float = PATIENCE) -> Found:
    """What `look` finds, once it finds something."""
    end = monotonic() + patience
    while not (found := look()):
        if monotonic() > end:
            raise Failed(f"waited {patience:.0f} s in vain for {what}")
        sleep(0.05)
    return found


class Driver(ABC):
    def __init__(self, hand: Hand) -> None:
        self.hand = hand

    @abstractmethod
    def open(self, address: str) -> None: ...

    @abstractmethod
    def evaluate(self, function: str, *arguments: Any) -> Any:
        """Calls a function of JavaScript in the page; a promise is waited for."""

    @abstractmethod
    def move(self, x: float, y: float) -> None:
        """The pointer goes there; a finger that does not touch will touch there."""

    @abstractmethod
    def press(self) -> None: ...

    @abstractmethod
    def release(self) -> None: ...

    @abstractmethod
    def wheel(self, down: int) -> None: ...

    @abstractmethod
    def key(self, key: str) -> None: ...

    @abstractmethod
    def picture(self) -> bytes:
        """What is seen, as PNG."""


class ActionsDriver(Driver):
    """One that takes actions as WebDriver has them: the classic one and BiDi write them alike."""

    def __init__(self, hand: Hand) -> None:
        super().__init__(hand)
        self.at = (0, 0)

    @abstractmethod
    def perform(self, source: dict[str, Any]) -> None:
        """One source's actions. What is pressed stays so until it is released."""

    def move(self, x: float, y: float) -> None:
        self.at = round(x), round(y)
        self._point({"type": "pointerMove", "x": self.at[0], "y": self.at[1]})

    def press(self) -> None:
        self._point({"type": "pointerDown", "button": 0})

    def release(self) -> None:
        self._point({"type": "pointerUp", "button": 0})

    def wheel(self, down: int) -> None:
        x, y = self.at
        scroll = {"type": "scroll", "x": x, "y": y, "deltaX": 0, "deltaY": down}
        self.perform({"type": "wheel", "id": "wheel", "actions": [scroll]})

    def key(self, key: str) -> None:
        value = KEYS.get(key, key)
        strokes = [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
        self.perform({"type": "key", "id": "keys", "actions": strokes})

    def _point(self, action: dict[str, Any]) -> None:
        parameters = {"pointerType": self.hand}
        self.perform({"type": "pointer", "id": self.hand, "parameters": parameters, "actions": [action]})


def called(function: str, arguments: tuple[Any, ...]) -> str:
    """A call in JavaScript, for browsers that would want each argument described."""
    return f"({function})({', '.join(map(json.dumps, arguments))})"

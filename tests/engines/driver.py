"""What a person does in any browser: open a page, point, press, turn the wheel, type, look."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from time import monotonic, sleep
from typing import Any, Literal, TypeVar

Hand = Literal["mouse", "touch"]
# A desktop and a phone: width and height of the viewport.
SIZES: dict[Hand, tuple[int, int]] = {"mouse": (1400, 900), "touch": (390, 664)}
# Seconds; reached only when something fails.
PATIENCE = 60
# Keys that type no character, with WebDriver's code points.
KEYS = {"Enter": "\ue007", "PageUp": "\ue00e", "PageDown": "\ue00f"}

Found = TypeVar("Found")
# A context manager that starts a browser for a kind of hand and always stops it.
Starts = Callable[[Hand], AbstractContextManager["Driver"]]


class Failed(Exception):
    """The browser, or what it shows, is not as expected."""


def waited(look: Callable[[], Found | None], what: str, patience: float = PATIENCE) -> Found:
    """Waits until `look` returns something, and returns that."""
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
        """Calls a JavaScript function in the page and awaits a promise."""

    @abstractmethod
    def move(self, x: float, y: float) -> None:
        """Moves the pointer there; a finger that is up will touch there next."""

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
        """A screenshot, as PNG."""


class ActionsDriver(Driver):
    """A driver that takes WebDriver actions, which are the same in the classic protocol and in BiDi."""

    def __init__(self, hand: Hand) -> None:
        super().__init__(hand)
        self.at = (0, 0)

    @abstractmethod
    def perform(self, source: dict[str, Any]) -> None:
        """Performs one source's actions. A pressed button stays down until it is released."""

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
    """A call in JavaScript, for browsers that would need a description of each argument."""
    return f"({function})({', '.join(map(json.dumps, arguments))})"

"""What a lesson asks for, as hands lay it."""

from __future__ import annotations

from typing import Any

import msgspec

from tests.browser import solid_hands
from tests.browser.hands import Answer, twists
from ubongo.pieces import Placement, fits
from web.lessons import lessons

LESSONS: dict[str, dict[str, Any]] = {file.stem: msgspec.json.decode(content) for file, content in lessons()}


def placements() -> list[Placement]:
    return [Placement(where["piece"], where["turn"], tuple(where["at"])) for where in placed(LESSONS["cards"])]


def placed(lesson: dict[str, Any]) -> list[dict[str, Any]]:
    return [move for move in lesson["moves"] if move["type"] == "place"]


def pieces_of(lesson: dict[str, Any]) -> list[dict[str, Any]]:
    """What is laid; with dice, what is taken."""
    if "table" not in lesson:
        return list(lesson["pieces"])
    known = {piece["name"]: piece for piece in lesson["pieces"]}
    return [known[name] for name in lesson["table"]["seats"][0]["task"]["pieces"]]


def solution(game: str) -> list[Answer]:
    lesson = LESSONS[game]
    found = []
    for where in placed(lesson):
        q, r = where["at"]
        piece = pieces_of(lesson)[where["piece"]]
        cells = tuple((q + dq, r + dr) for dq, dr in piece["shapes"][where["turn"]])
        found.append(Answer(where["piece"], twists(piece["after"], where["turn"]), (q, r), cells))
    return found


def in_space() -> list[solid_hands.Answer]:
    found = []
    for where in placed(LESSONS["cubes"]):
        piece = LESSONS["cubes"]["pieces"][where["piece"]]
        x, y, z = where["at"]
        cells = tuple((x + dx, y + dy, z + dz) for dx, dy, dz in piece["shapes"][where["turn"]])
        twists = solid_hands.twists(piece["after"], where["turn"])
        found.append(solid_hands.Answer(where["piece"], twists, (x, y, z), cells))
    return found


def elsewhere(game: str) -> Answer:
    """The first piece where it has room, but does not belong."""
    lesson = LESSONS[game]
    piece = lesson["pieces"][0]
    shapes = [tuple(tuple(cell) for cell in shape) for shape in piece["shapes"]]
    right = placed(lesson)[0]
    turn, (q, r) = next(
        (turn, at)
        for turn, at in fits(shapes, {tuple(cell) for cell in lesson["region"]})
        if [turn, list(at)] != [right["turn"], right["at"]]
    )
    return Answer(0, twists(piece["after"], turn), (q, r), ())

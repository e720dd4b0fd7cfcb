"""Solo players at a real server on a fake clock: every task takes as long as the test says."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.server.fakes import FakeClock
from tests.server.guests import Client
from ubongo.games import GAMES
from ubongo.moves import Grab, Move, Pass, Place, Ready, Throw
from ubongo.pieces import covered, fits
from ubongo.server.lobby.lobby import Lobby
from ubongo.server.tables.room import Room
from ubongo.table import SeatNo


class SoloPlayer:
    """A guest who opens tables for one, and plays them."""

    def __init__(self, client: Client, clock: FakeClock, name: str) -> None:
        self.client = client
        self.clock = clock
        self.known = client.post("/api/guests", json={"name": name}).json()
        client.cookies.clear()

    @property
    def player(self) -> str:
        player: str = self.known["player"]
        return player

    @property
    def lobby(self) -> Lobby:
        lobby: Lobby = self.client.app.state.lobby
        return lobby

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        headers = {"authorization": f"Bearer {self.known['token']}"}
        answer = self.client.request(method, f"/api{path}", json=body, headers=headers)
        return answer.status_code, answer.json()

    def get(self, path: str) -> Any:
        status, answer = self.ask("GET", path)
        assert status == 200, answer
        return answer

    def refused(self, method: str, path: str, body: Any = None) -> str:
        status, answer = self.ask(method, path, body)
        assert status >= 400, answer
        code: str = answer["code"]
        return code

    def open(self, **options: Any) -> str:
        status, answer = self.ask("POST", "/tables", {"game": "solo", "options": options})
        assert status == 201, answer
        key: str = answer["table"]
        return key

    def start(self, key: str) -> Room:
        status, answer = self.ask("POST", f"/tables/{key}/start")
        assert status == 200, answer
        return self.room(key)

    def room(self, key: str) -> Room:
        room: Room = self.client.blocking_portal.call(self.lobby.rooms.open, key)
        return room

    def run(self, pace: int = 1000, **options: Any) -> str:
        """Opens, starts and finishes a table, with `pace` milliseconds per task (dice: per round)."""
        key = self.open(**options)
        self.play(self.start(key), pace)
        return key

    def play(self, room: Room, pace: int = 1000, tasks: int = 500) -> None:
        if room.shown.phase == "ready":
            self.move(room, Ready())
            self.wait_for_start(room)
        for _ in range(tasks):
            if room.shown.phase == "over":
                return
            until = room.shown.until
            if until is not None and room.live_match.now() + pace >= until:
                self.pass_time(until - room.live_match.now())
                continue
            self.pass_time(pace)
            self.dice(room) if room.shown.area is not None else self.lay(room)

    def wait_for_start(self, room: Room) -> None:
        if room.shown.phase == "count":
            assert room.shown.until is not None
            self.pass_time(room.shown.until - room.live_match.now())

    def lay(self, room: Room) -> None:
        task = room.shown.seats[0].task
        assert task is not None
        laid = GAMES[room.shown.game].solution(room.shown.options, task)
        assert laid is not None
        self.move(room, *[Place(one.piece, one.turn, one.at) for one in laid])

    def dice(self, room: Room) -> None:
        if room.shown.phase != "grab":
            self.move(room, Throw())
            self.wait_for_start(room)
        self.move(room, Grab(0), Grab(4))
        known = GAMES["solo"].pieces(room.shown.options)
        task = room.shown.seats[0].task
        assert task is not None
        for piece in range(len(task.pieces) - 2, len(task.pieces)):
            me = room.shown.seats[0]
            taken = {cell for where in me.laid for cell in covered(known[str(task.pieces[where.piece])], where)}
            free = [cell for cell in task.region or () if cell not in taken]
            for turn, at in fits(known[str(task.pieces[piece])].shapes, free):
                self.move(room, Place(piece, turn, at))
                break
        self.move(room, Pass())

    def move(self, room: Room, *moves: Move, seat: int = 0) -> None:
        async def moved() -> None:
            done = [room.live_match.play_for(SeatNo(seat), move) for move in moves]
            assert None not in done, (moves, room.shown)
            await asyncio.gather(*[one for one in done if one is not None])

        self.client.blocking_portal.call(moved)

    def pass_time(self, time: int) -> None:
        async def passed() -> None:
            self.clock.pass_time(time)
            await self.lobby.log.write()

        self.client.blocking_portal.call(passed)

"""Players of whole rounds, on any of the servers: only the encoding of moves and answers differs.

Each is ready, places and lifts with several asks in flight, calls, and waits for the others before the next round.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import msgspec
from picows import WSFrame, WSListener, WSMsgType, WSTransport

from bench.rounds import MATCHES, READY, SEATS, Move, all_moves, called, dealt
from ubongo.games.gem_race import ROUNDS

DEEP = 4  # asks in flight per player, at saturation


class Tally:
    """Counters shared by all players of a heat."""

    def __init__(self) -> None:
        self.answered = self.refused = 0
        # Set when the first match is over: from then on the server has less to do.
        self.over = False


class Racer(WSListener):
    def __init__(self, tally: Tally, table: int, seat: int) -> None:
        super().__init__()
        self.tally, self.table, self.seat = tally, table, seat
        self.seated = False
        self.n = self.answered = 0
        self.round = 1
        self.moves: Sequence[Move] = ()
        self.next = 0
        self.transport: WSTransport | None = None

    def on_ws_connected(self, transport: WSTransport) -> None:
        self.transport = transport

    @abstractmethod
    def ask(self, move: Move) -> None:
        """Sends a move in this server's protocol."""

    def ready(self) -> None:
        self.ask(READY)

    def play(self, moves: Sequence[Move]) -> None:
        self.moves, self.next = moves, 0
        for _ in range(DEEP):
            self.go()

    def go(self) -> None:
        if self.next < len(self.moves):
            self.next += 1
            self.ask(self.moves[self.next - 1])

    def waits(self) -> bool:
        """Whether it waits for the others, or for the round to begin."""
        return self.next == len(self.moves)

    def was_answered(self) -> None:
        self.answered += 1
        self.tally.answered += 1
        self.go()

    def closed(self) -> None:
        """Called when the round is closed: goes on to the next, if any."""
        # Not every server reports a refusal; but by now it has answered every move it accepted.
        self.tally.refused += self.n - self.answered
        self.answered = self.n
        self.round += 1
        if self.round > ROUNDS:
            self.tally.over = True
        else:
            self.ready()

    def say(self, kind: WSMsgType, message: bytes) -> None:
        assert self.transport is not None
        self.transport.send(kind, message)


@cache
def moves_by_task() -> dict[tuple[str, ...], tuple[Move, ...]]:
    return all_moves()


@cache
def moves_by_match() -> list[list[list[tuple[Move, ...]]]]:
    """For a peer that deals itself, or has no rules: by match, round and seat."""
    known = moves_by_task()
    return [
        [[known[called(task.board, task.pieces)] for task in tasks] for tasks in dealt(match)]
        for match in range(MATCHES)
    ]


class Written:
    """Caches encoded moves, so that the player is not the bottleneck. Tasks have only a few moves."""

    def __init__(self, form: Callable[[Move], bytes]) -> None:
        self.form = form
        self.known: dict[int, tuple[Move, bytes]] = {}

    def __call__(self, move: Move) -> bytes:
        found = self.known.get(id(move))
        # Keeps a reference to the move, so that its id is not reused.
        if found is None:
            found = self.known[id(move)] = (move, self.form(move))
        return found[1]


class UbongoRacer(Racer):
    written = Written(msgspec.json.encode)

    def __init__(self, tally: Tally, table: int, seat: int, token: str) -> None:
        super().__init__(tally, table, seat)
        self.token = token
        self.phase = "ready"
        self.open: list[int] = []

    def on_ws_connected(self, transport: WSTransport) -> None:
        super().on_ws_connected(transport)
        self.say(WSMsgType.TEXT, msgspec.json.encode({"type": "hello", "token": self.token}))

    def ask(self, move: Move) -> None:
        self.n += 1
        self.open.append(self.n)
        self.say(WSMsgType.TEXT, b'{"n":%d,"move":%b}' % (self.n, self.written(move)))

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:  # noqa: ARG002 - picows' signature
        if frame.msg_type != WSMsgType.TEXT:
            return
        start = bytes(frame.get_payload_as_memoryview()[:90])
        if start.startswith(b'{"type":"update"'):
            # Before the answer is counted, which may start the next round.
            waits = self.waits()
            at = start.index(b'"acked":') + 8
            if start[at : at + 1] != b"n":
                n = int(start[at : start.index(b",", at)])
                while self.open and self.open[0] <= n:
                    self.open.pop(0)
                    self.was_answered()
            # Tasks and phases change only between rounds: others' moves need not be decoded.
            if waits:
                self.follow(msgspec.json.decode(frame.get_payload_as_bytes())["table"])
        elif start.startswith(b'{"type":"welcome"'):
            self.seat = msgspec.json.decode(frame.get_payload_as_bytes())["seat"]
            self.seated = True
        elif start.startswith(b'{"type":"refused"'):
            self.tally.refused += 1

    def follow(self, changed: dict[str, Any]) -> None:
        before, self.phase = self.phase, changed.get("phase", self.phase)
        task = changed.get("seats", {}).get(str(self.seat), {}).get("task")
        if self.phase == "play" and task is not None and task["pieces"][0] is not None:
            self.play(moves_by_task()[called(task["board"], task["pieces"])])
        elif before == "play" and self.phase != "play":
            self.closed()


class BoardgameRacer(Racer):
    """Speaks the protocol of boardgame.io's client: socket.io in Engine.IO frames, in the game's namespace."""

    written = Written(lambda move: msgspec.json.encode([*list(move.values())[1:]])[1:-1])
    head = re.compile(rb'"last":"(\d+:\d+)","phase":"(\w+)","round":(\d+)')

    def __init__(self, tally: Tally, table: int, seat: int) -> None:
        super().__init__(tally, table, seat)
        self.begun = 0
        self.last = b""

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:  # noqa: ARG002 - picows' signature
        if frame.msg_type != WSMsgType.TEXT:
            return
        start = bytes(frame.get_payload_as_memoryview()[:160])
        if start.startswith(b'42/extreme,["update"'):
            self.follow(start)
        elif start.startswith(b"0{"):
            self.say(WSMsgType.TEXT, b"40/extreme,")
        elif start.startswith(b"40/extreme"):
            self.say(WSMsgType.TEXT, b'42/extreme,["sync","m%d","%d",null,%d]' % (self.table, self.seat, SEATS))
        elif start.startswith(b'42/extreme,["sync"'):
            self.seated = True
        elif start == b"2":
            self.say(WSMsgType.TEXT, b"3")

    def follow(self, start: bytes) -> None:
        found = self.head.search(start)
        assert found is not None, start
        # A refused move is broadcast too, as the same state again; each answer counts once.
        if found[1] != self.last and found[1].startswith(b"%d:" % self.seat):
            self.was_answered()
        self.last = found[1]
        if self.waits():
            self.between(found[2], int(found[3]))

    def between(self, phase: bytes, number: int) -> None:
        if phase == b"play" and self.begun < number:
            self.begun = number
            self.play(moves_by_match()[self.table % MATCHES][number - 1][self.seat])
        elif number > self.round:
            self.closed()

    def ask(self, move: Move) -> None:
        self.n += 1
        arguments = b"%d" % self.table if move is READY else self.written(move)
        self.say(
            WSMsgType.TEXT,
            b'42/extreme,["update",{"type":"MAKE_MOVE","payload":{"type":"%b","args":[%b"%d:%d"],"playerID":"%d",'
            b'"credentials":null}},0,"m%d","%d"]'
            % (
                move["type"].encode(),
                arguments + b"," if arguments else b"",
                self.seat,
                self.n,
                self.seat,
                self.table,
                self.seat,
            ),
        )


class ColyseusRacer(Racer):
    """A message is its code, its type and a map in MessagePack. It has no rules: the players track the rounds."""

    JOINED = b"\x0a"
    MOVE = b"\x0d\xa4move"
    written = Written(msgspec.msgpack.encode)

    def __init__(self, tally: Tally, table: int, seat: int) -> None:
        super().__init__(tally, table, seat)
        self.heard = {b"r": 0, b"c": 0}

    def ask(self, move: Move) -> None:
        self.n += 1
        # The seat and the kind of move come first, so that receivers need not decode the rest.
        said = b"%b\x84\xa4seat%b\xa4kind%b\xa1n%b\xa4move%b" % (
            self.MOVE,
            bytes([self.seat]),
            msgspec.msgpack.encode(move["type"]),
            msgspec.msgpack.encode(self.n),
            self.written(move),
        )
        self.say(WSMsgType.BINARY, said)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:  # noqa: ARG002 - picows' signature
        if frame.msg_type != WSMsgType.BINARY:
            return
        start = bytes(frame.get_payload_as_memoryview()[:24])
        if start.startswith(self.JOINED):
            self.say(WSMsgType.BINARY, self.JOINED)
            self.seated = True
            return
        at = start.index(b"\xa4seat") + 5
        seat, kind = start[at], start[at + 7 : at + 8]
        if kind in self.heard:
            self.heard[kind] += 1
        if seat == self.seat:
            self.was_answered()
        if kind == b"r" and self.heard[kind] == SEATS * self.round:
            self.play(moves_by_match()[self.table % MATCHES][self.round - 1][self.seat])
        elif kind == b"c" and self.heard[kind] == SEATS * self.round:
            self.closed()

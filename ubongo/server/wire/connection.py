"""One connection to a table: what it may say, how fast, and what it hears."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Collection, Coroutine
from typing import Any, Protocol

from ubongo.moves import Refused
from ubongo.server import protocol
from ubongo.server.errors import Denied
from ubongo.server.lobby.bans import hashed
from ubongo.server.lobby.key_guessing import GuessLimit
from ubongo.server.lobby.lobby import Lobby
from ubongo.server.protocol import CLOSED, Ask, BadMessage, Bye, Fault, Hello, Ping, Pong, React, Waiting, encode
from ubongo.server.rate_limit import PATIENCE, AddressRateLimit, TokenBucket, this_machine
from ubongo.server.store import StoreError
from ubongo.server.store.entities import Key, Player
from ubongo.server.tables.room import Room
from ubongo.table import Millis, SeatNo

TOO_FAST = 4429
# As many requests of the same address: with the usual limits one such connection a second.
CUT_OFF_COSTS = 200
SILENT = 4408
SIGNED_OUT = 4401
RESTART = 1012
# What may be said before it is known who says it: messages, and their bytes.
EARLY = 100
EARLY_BYTES = 16 * 1024
# Who has connected says hello.
HELLO_WITHIN: Millis = 10_000
RETRY: Millis = 1500
# Who has not taken the goodbye by then has not listened.
GOODBYE_S = 2


class Transport(Protocol):
    """The port that the socket implements. Neither call waits; a reader that is too slow is dropped by its wire."""

    def send(self, message: bytes) -> None: ...
    def close(self, code: int, why: str) -> None: ...


class Counts(Protocol):
    """Somebody who counts what happens."""

    def moved(self) -> None: ...
    def refused(self, code: str) -> None: ...
    def unreadable(self) -> None: ...


class Connections:
    """All of them: to be counted, looked after and told goodbye."""

    def __init__(
        self, lobby: Lobby, guessing: GuessLimit, addresses: AddressRateLimit, rate: float, burst: float, counts: Counts
    ) -> None:
        self.lobby = lobby
        self._addresses = addresses
        self.guessing = guessing
        self.counts = counts
        self.rate = rate
        self.burst = burst
        self.open: set[Connection] = set()
        self._alone = asyncio.Event()
        # Nobody else holds on to a task.
        self._entering: set[asyncio.Task[None]] = set()

    def new(self, key: Key, cookie: str | None, address: str, wire: Transport) -> Connection:
        connection = Connection(self, key, cookie, address, wire)
        self.open.add(connection)
        self._alone.clear()
        return connection

    def await_entry(self, entry: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(entry)
        self._entering.add(task)
        task.add_done_callback(self._entering.discard)

    def tidy(self) -> None:
        now = self.lobby.clock.now()
        for connection in list(self.open):
            if connection.silent and now - connection.since >= HELLO_WITHIN:
                connection.close(SILENT, "no hello")

    async def goodbye(self) -> None:
        """The server goes down: everybody comes back in a moment, not all in the same one."""
        for number, connection in enumerate(list(self.open)):
            connection.send(encode(Bye(RETRY + number % 100 * 10)))
            connection.close(RESTART, "restart")
        if self.open:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._alone.wait(), GOODBYE_S)

    def cut_off(self, address: str) -> None:
        """Somebody there never stopped. They come back more slowly, or it would begin anew at once."""
        if not this_machine(address):
            self._addresses.charge(address, CUT_OFF_COSTS, self.lobby.clock.now())

    def devices(self) -> set[bytes]:
        """Which of them have somebody connected here, by the hashes of their tokens."""
        return {connection.device for connection in self.open if connection.device is not None}

    def sign_out(self, devices: Collection[bytes]) -> None:
        """Who has come by one of these tokens is nobody any more."""
        for connection in [one for one in self.open if one.device in devices]:
            connection.close(SIGNED_OUT, "signed out")

    def lost(self, connection: Connection) -> None:
        self.open.discard(connection)
        if not self.open:
            self._alone.set()


class Connection:
    """A member of a room, once it has said hello."""

    __slots__ = (
        "_address", "_all", "_bucket", "_cookie", "_early", "_n", "_wire", "device", "key", "player", "room", "seat",
        "since",
    )  # fmt: skip

    def __init__(self, connections: Connections, key: Key, cookie: str | None, address: str, wire: Transport) -> None:
        self._all = connections
        self._address = address
        self.key = key
        self._cookie = cookie
        self._wire = wire
        self._n = 0
        # What is said while it is looked up who says it.
        self._early: list[bytes] | None = None
        self.since = connections.lobby.clock.now()
        self._bucket = TokenBucket(connections.rate, connections.burst, self.since)
        self.room: Room | None = None
        self.player: Player | None = None
        # The hash of the token by which they have come.
        self.device: bytes | None = None
        self.seat: SeatNo | None = None

    @property
    def silent(self) -> bool:
        """Has not even said hello. Who has, and waits for a busy log, does not wait too long: we do."""
        return self.room is None and self._early is None

    def send(self, message: bytes) -> None:
        self._wire.send(message)

    def close(self, code: int, why: str) -> None:
        self._wire.close(code, why)

    def heard(self, frame: bytes | memoryview) -> None:
        """A text frame has come."""
        if self._early is not None:
            # Not closed politely: who does not read the faults is dropped, as everywhere.
            if len(self._early) < EARLY and len(frame) + sum(map(len, self._early)) <= EARLY_BYTES:
                self._early.append(bytes(frame))
            else:
                self._fault("too much at once")
            return
        allowed = self._bucket.take(self._all.lobby.clock.now())
        try:
            match protocol.read(frame):
                case Ask() as asked:
                    self._asked(asked, allowed)
                case React() as shown:
                    self._reacted(shown, allowed)
                case _ if not allowed:
                    self._fault("too much at once")
                case Hello(token):
                    self._hello(token)
                case Ping(at):
                    self.send(encode(Pong(at, 0 if self.room is None else self.room.live_match.now())))
        except BadMessage as problem:
            self._all.counts.unreadable()
            self._fault(str(problem))
        self._part_with_who_never_stops()

    def heard_binary(self) -> None:
        self._bucket.take(self._all.lobby.clock.now())
        self._all.counts.unreadable()
        self._fault("messages are text")
        self._part_with_who_never_stops()

    def heard_nothing(self) -> None:
        """A frame that says nothing yet or to nobody: a part of a message, the socket's own ping, or its answer."""
        self._bucket.take(self._all.lobby.clock.now())
        self._part_with_who_never_stops()

    def _part_with_who_never_stops(self) -> None:
        if self._bucket.refused > PATIENCE:
            self._all.cut_off(self._address)
            self.close(TOO_FAST, "too fast")

    def gone(self) -> None:
        """The socket has closed, for whatever reason."""
        self._all.lost(self)
        if self.room is not None:
            self.room.exit(self)

    def turn_away_if_banned(self) -> bool:
        """Whether their address or their guest has been banned since they came."""
        try:
            self._all.lobby.bans.refuse(self._address, self._cookie, self.player)
        except Denied as no:
            self._turn_away(Waiting(no.sentence, no.code, no.edition))
            return True
        return False

    def _turn_away(self, why: Fault | Waiting) -> None:
        self.send(encode(why))
        self.close(CLOSED, "no such table")

    def _hello(self, token: str | None) -> None:
        if self.room is not None:
            self._fault("hello has been said")
            return
        self._early = []
        self._all.await_entry(self._enter(token))

    async def _enter(self, token: str | None) -> None:
        lobby, guessing = self._all.lobby, self._all.guessing
        token = token or self._cookie
        # Before it is looked up: it may be signed out meanwhile.
        self.device = hashed(token) if token else None
        try:
            lobby.bans.refuse(self._address, token)
            guest = await lobby.guests.known(token)
            if guest is None:
                self.device = None
            await guessing.check(self.key, self._address, guest.player if guest is not None else None)
            room = await lobby.room(self.key)
            # They may have been banned meanwhile.
            lobby.bans.refuse(self._address, token)
        except Denied as no:
            gone = no.code == "no_such_table"
            if gone:
                guessing.missed(self.key, self._address)
            self._turn_away(Fault(no.sentence) if gone else Waiting(no.sentence, no.code, no.edition))
            return
        except StoreError:
            # The log cannot be read just now: come back in a moment.
            self.close(RESTART, "restart")
            return
        except Exception:
            # Who has said hello is not taken for silent: nobody else would send them away.
            self.close(RESTART, "restart")
            raise
        if self not in self._all.open:
            return
        self.player = guest.player if guest is not None else None
        self.room = room
        room.enter(self)
        early, self._early = self._early or [], None
        for frame in early:
            self.heard(frame)

    def _asked(self, asked: Ask, allowed: bool) -> None:
        room = self._counted(asked.n)
        if room is None:
            return
        try:
            if not allowed:
                raise Refused("too_fast")
            room.request(self, asked.n, protocol.move_of(asked), asked.seat)
            self._all.counts.moved()
        except Refused as no:
            self._decline(asked.n, no)

    def _reacted(self, shown: React, allowed: bool) -> None:
        room = self._counted(shown.n)
        if room is None:
            return
        try:
            if not allowed:
                raise Refused("too_fast")
            room.react(self, shown.what)
        except Refused as no:
            self._decline(shown.n, no)

    def _counted(self, n: int) -> Room | None:
        """The room that is spoken in, if somebody may speak there, and counts."""
        if self.room is None:
            self._fault("say hello first")
        elif n <= self._n:
            self._fault(f"n has to count up, and {self._n} has been asked")
        else:
            self._n = n
            return self.room
        return None

    def _decline(self, n: int, no: Refused) -> None:
        self._all.counts.refused(no.code)
        self.send(protocol.declined(n, no))

    def _fault(self, why: str) -> None:
        self.send(encode(Fault(why)))

"""One connection to a table: reads its messages, limits their rate, and sends it what the room broadcasts."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, Protocol

from ubongo.moves import Refused
from ubongo.server import protocol
from ubongo.server.errors import Denied
from ubongo.server.lobby.bans import hash_token
from ubongo.server.lobby.key_guessing import GuessLimit
from ubongo.server.lobby.lobby import Lobby
from ubongo.server.protocol import CLOSED, Ask, BadMessage, Fault, Hello, Ping, Pong, React, Waiting, encode
from ubongo.server.rate_limit import MOST_REFUSED_REQUESTS, TokenBucket
from ubongo.server.store import StoreError
from ubongo.server.store.entities import Key, Player
from ubongo.server.tables.room import Room
from ubongo.table import Instant, SeatNo

TOO_FAST = 4429
RESTART = 1012
# What a client may send before its hello has been answered: messages, and their characters.
MOST_EARLY = 100
MOST_EARLY_LENGTH = 16 * 1024


class Transport(Protocol):
    """The port that the WebSocket implements. Neither call waits; it drops a client that reads too slowly."""

    def send(self, message: bytes) -> None: ...
    def close(self, code: int, why: str) -> None: ...


class ConnectionMetrics(Protocol):
    def moved(self) -> None: ...
    def refused(self, code: str) -> None: ...
    def unreadable(self) -> None: ...


class ConnectionOwner(Protocol):
    """The registry of all connections, as each of them knows it."""

    @property
    def lobby(self) -> Lobby: ...
    @property
    def guessing(self) -> GuessLimit: ...
    @property
    def metrics(self) -> ConnectionMetrics: ...
    @property
    def rate(self) -> float: ...
    @property
    def burst(self) -> float: ...
    def await_entry(self, entry: Coroutine[Any, Any, None]) -> None: ...
    def charge_too_fast(self, address: str) -> None: ...
    def is_open(self, connection: Connection) -> bool: ...
    def closed(self, connection: Connection) -> None: ...


class Connection:
    """A member of a room, once it has said hello."""

    __slots__ = (
        "_address", "_bucket", "_cookie", "_early", "_n", "_owner", "_transport", "device", "key", "player", "room",
        "seat", "since",
    )  # fmt: skip

    def __init__(
        self, owner: ConnectionOwner, key: Key, cookie: str | None, address: str, transport: Transport
    ) -> None:
        self._owner = owner
        self._address = address
        self.key = key
        self._cookie = cookie
        self._transport = transport
        self._n = 0
        # Messages that came while the hello is being answered; None before and afterwards.
        self._early: list[str] | None = None
        self.since = owner.lobby.clock.now()
        self._bucket = TokenBucket(owner.rate, owner.burst, self.since)
        self.room: Room | None = None
        self.player: Player | None = None
        # The hash of the token in the hello.
        self.device: bytes | None = None
        self.seat: SeatNo | None = None

    @property
    def silent(self) -> bool:
        """No hello has come. While one is being answered, it is the server that is slow, not the client."""
        return self.room is None and self._early is None

    def send(self, message: bytes) -> None:
        self._transport.send(message)

    def close(self, code: int, why: str) -> None:
        self._transport.close(code, why)

    # Frames

    def receive(self, message: str) -> None:
        if self._early is not None:
            # Not closed: a client that does not read the faults is dropped as too slow.
            if len(self._early) < MOST_EARLY and len(message) + sum(map(len, self._early)) <= MOST_EARLY_LENGTH:
                self._early.append(message)
            else:
                self._fault("too much at once")
            return
        allowed = self._bucket.take(self._owner.lobby.clock.now())
        try:
            match protocol.read(message):
                case Ask() as ask:
                    self._ask(ask, allowed)
                case React() as react:
                    self._react(react, allowed)
                case _ if not allowed:
                    self._fault("too much at once")
                case Hello(token):
                    self._hello(token)
                case Ping(at):
                    self.send(encode(Pong(at, Instant(0) if self.room is None else self.room.live_match.now())))
        except BadMessage as problem:
            self._owner.metrics.unreadable()
            self._fault(str(problem))
        self._close_if_too_fast()

    def receive_binary(self) -> None:
        self._bucket.take(self._owner.lobby.clock.now())
        self._owner.metrics.unreadable()
        self._fault("messages are text")
        self._close_if_too_fast()

    def count_frame(self) -> None:
        """A frame without a message: a fragment, or the WebSocket's own ping or pong."""
        self._bucket.take(self._owner.lobby.clock.now())
        self._close_if_too_fast()

    def _close_if_too_fast(self) -> None:
        if self._bucket.refused > MOST_REFUSED_REQUESTS:
            self._owner.charge_too_fast(self._address)
            self.close(TOO_FAST, "too fast")

    def closed(self) -> None:
        """The WebSocket has closed, for whatever reason."""
        self._owner.closed(self)
        if self.room is not None:
            self.room.exit(self)

    # Hello

    def close_if_banned(self) -> bool:
        """Whether the address or the guest has been banned since this connection was opened."""
        try:
            self._owner.lobby.bans.refuse(self._address, self._cookie, self.player)
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
        self._owner.await_entry(self._enter(token))

    async def _enter(self, token: str | None) -> None:
        lobby, guessing = self._owner.lobby, self._owner.guessing
        token = token or self._cookie
        # Set before the lookup: the device may be signed out meanwhile.
        self.device = hash_token(token) if token else None
        try:
            lobby.bans.refuse(self._address, token)
            guest = await lobby.guests.identify(token)
            if guest is None:
                self.device = None
            await guessing.refuse_guesses(self.key, self._address, guest.player if guest is not None else None)
            room = await lobby.rooms.open(self.key)
            # They may have been banned meanwhile.
            lobby.bans.refuse(self._address, token)
        except Denied as no:
            gone = no.code == "no_such_table"
            if gone:
                guessing.note_miss(self.key, self._address)
            self._turn_away(Fault(no.sentence) if gone else Waiting(no.sentence, no.code, no.edition))
            return
        except StoreError:
            # The log cannot be read at the moment: the client reconnects.
            self.close(RESTART, "restart")
            return
        except Exception:
            # `silent` is False by now, so nothing else would close this connection.
            self.close(RESTART, "restart")
            raise
        if not self._owner.is_open(self):
            return
        self.player = guest.player if guest is not None else None
        self.room = room
        room.enter(self)
        early, self._early = self._early or [], None
        for frame in early:
            self.receive(frame)

    # Requests

    def _ask(self, ask: Ask, allowed: bool) -> None:
        room = self._room_for(ask.n)
        if room is None:
            return
        try:
            if not allowed:
                raise Refused("too_fast")
            room.request(self, ask.n, protocol.move_of(ask), ask.seat)
            self._owner.metrics.moved()
        except Refused as no:
            self._decline(ask.n, no)

    def _react(self, react: React, allowed: bool) -> None:
        room = self._room_for(react.n)
        if room is None:
            return
        try:
            if not allowed:
                raise Refused("too_fast")
            room.react(self, react.what)
        except Refused as no:
            self._decline(react.n, no)

    def _room_for(self, n: int) -> Room | None:
        """The room, if hello has been said and the request's number counts up."""
        if self.room is None:
            self._fault("say hello first")
        elif n <= self._n:
            self._fault(f"n has to count up, and {self._n} has been asked")
        else:
            self._n = n
            return self.room
        return None

    def _decline(self, n: int, no: Refused) -> None:
        self._owner.metrics.refused(no.code)
        self.send(protocol.declined(n, no))

    def _fault(self, why: str) -> None:
        self.send(encode(Fault(why)))

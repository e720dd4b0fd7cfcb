"""Guests over HTTP: identified by a token, moved to another device by a code."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Controller, Request, Response, delete, get, patch, post
from litestar.datastructures import Cookie, State
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from ubongo.server.errors import Denied
from ubongo.server.http.device_labels import label_of
from ubongo.server.lobby.erasure import erase_guest
from ubongo.server.lobby.key_guessing import GuessLimit
from ubongo.server.lobby.lobby import Lobby
from ubongo.server.lobby.table_keys import read_key
from ubongo.server.rate_limit import NewcomerRateLimit, household, is_this_machine
from ubongo.server.settings import Settings
from ubongo.server.store.entities import Guest, Key
from ubongo.server.wire.admission import COOKIE, HOST_COOKIE

YEAR = 365 * 24 * 3600
AnyRequest = Request[Any, Any, State]
Asker = NamedDependency[Guest]
TableKey = NamedDependency[Key]


class GuestName(Struct, frozen=True):
    name: Annotated[str, Meta(max_length=400)]


class Coded(Struct, frozen=True):
    code: Annotated[str, Meta(max_length=200)]


class Known(Struct, frozen=True):
    player: str
    token: str


class Who(Struct, frozen=True):
    player: str
    name: str


class Empty(Struct, frozen=True):
    pass


def lobby_of(state: State) -> Lobby:
    found: Lobby = state.lobby
    return found


def guessing_of(state: State) -> GuessLimit:
    found: GuessLimit = state.services.guessing
    return found


def token_in(request: AnyRequest) -> str | None:
    kind, _, token = request.headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return token.strip()
    # Older guests still have the cookie without the prefix.
    return request.cookies.get(HOST_COOKIE) or request.cookies.get(COOKIE)


def label_in(request: AnyRequest) -> str:
    return label_of(request.headers.get("user-agent", ""))


def address_of(request: AnyRequest) -> str:
    """The client's address."""
    settings: Settings = request.app.state.settings
    peer = request.client.host if request.client is not None else ""
    return settings.address(peer, ", ".join(request.headers.getall("x-forwarded-for", [])))


def opening_address(request: AnyRequest) -> str:
    """The address that a new table counts for; empty for this machine, which has none. Raises Denied if too fast."""
    openings: NewcomerRateLimit = request.app.state.services.openings
    address = address_of(request)
    if not openings.take(address, lobby_of(request.app.state).clock.now()):
        raise Denied("too_fast")
    return "" if is_this_machine(address) else household(address)


async def guest_of(request: AnyRequest, state: State) -> Guest:
    guest = await lobby_of(state).guests.identify(token_in(request))
    if guest is None:
        raise Denied("no_token")
    return guest


async def key_of(table: FromPath[str], request: AnyRequest, state: State) -> Key:
    """The key of the table in a path, however it is spelled. Raises Denied for an address that guesses keys."""
    key, guessing, address = read_key(table), guessing_of(state), address_of(request)
    if guessing.is_suspect(key, address):
        guest = await lobby_of(state).guests.identify(token_in(request))
        await guessing.refuse_guesses(key, address, guest.player if guest is not None else None)
    return key


class GuestRoutes(Controller):
    path = "/guests"
    tags = ("guests",)

    @post()
    async def add(self, request: AnyRequest, data: JSONBody[GuestName], state: State) -> Response[Known]:
        """Makes a guest; the token is also set as a cookie."""
        lobby = lobby_of(state)
        newcomers: NewcomerRateLimit = state.services.newcomers
        if not newcomers.take(address_of(request), lobby.clock.now()):
            raise Denied("too_many_guests")
        guest, token = await lobby.guests.add(data.name, lobby.clock.now(), label_in(request))
        return self._known(guest, token, state.settings)

    @post("/redeem")
    async def redeem(self, request: AnyRequest, data: JSONBody[Coded], state: State) -> Response[Known]:
        """Signs this device in with a code from another one; a code works once."""
        lobby = lobby_of(state)
        guest, token = await lobby.guests.redeem(data.code, lobby.clock.now(), label_in(request))
        return self._known(guest, token, state.settings)

    def _known(self, guest: Guest, token: str, settings: Settings) -> Response[Known]:
        name = HOST_COOKIE if settings.secure else COOKIE
        cookie = Cookie(
            name, value=token, max_age=YEAR, httponly=True, samesite="strict", secure=settings.secure, path="/"
        )
        return Response(Known(guest.player, token), cookies=[cookie], status_code=201)

    @get("/me")
    async def me(self, guest: Asker) -> Who:
        return Who(guest.player, guest.name)

    @patch("/me")
    async def rename(self, guest: Asker, data: JSONBody[GuestName], state: State) -> Who:
        """Changes the name, for future tables."""
        renamed = await lobby_of(state).guests.rename(guest, data.name)
        return Who(renamed.player, renamed.name)

    @delete("/me", status_code=200)
    async def remove(self, guest: Asker, state: State) -> Empty:
        """Deletes the guest and all personal data; stored matches keep an anonymous name."""
        await erase_guest(lobby_of(state), guest)
        return Empty()

    @post("/me/codes")
    async def code(self, guest: Asker, state: State) -> Coded:
        """Makes a code that signs in another device, once."""
        lobby = lobby_of(state)
        return Coded(await lobby.guests.new_code(guest, lobby.clock.now()))

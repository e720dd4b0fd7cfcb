"""A guest's devices over HTTP: listed, and signed out."""

from __future__ import annotations

from litestar import Controller, Response, delete, get
from litestar.datastructures import Cookie, State
from litestar.params import FromPath
from msgspec import Struct

from ubongo.server.errors import Denied
from ubongo.server.http.guests import AnyRequest, Asker, Empty, label_in, lobby_of, token_in
from ubongo.server.lobby.bans import hash_token
from ubongo.server.store.entities import Guest
from ubongo.server.wire.admission import COOKIE, HOST_COOKIE
from ubongo.server.wire.connections import Connections


class DeviceEntry(Struct, frozen=True):
    """`label` is its browser and system, empty if unknown; `here`: the request comes from this device."""

    device: str
    label: str
    made: int
    seen: int
    here: bool


def device_name(proof: bytes) -> str:
    """A device's public identifier, which gives no access to anything."""
    return proof.hex()[:16]


async def sign_out(state: State, guest: Guest, devices: list[bytes], cancel_codes: bool) -> None:
    """Takes effect at once, on every server."""
    lobby = lobby_of(state)
    await lobby.guests.sign_out(guest, devices, cancel_codes)
    connections_of(state).sign_out(devices)
    await lobby.cluster.sign_out(devices)


def connections_of(state: State) -> Connections:
    connections: Connections = state.connections
    return connections


class DeviceRoutes(Controller):
    path = "/guests/me/devices"
    tags = ("guests",)

    @get()
    async def devices(self, request: AnyRequest, guest: Asker, state: State) -> list[DeviceEntry]:
        """The devices that are signed in: this one first, then by when they were last seen."""
        lobby, mine = lobby_of(state), hash_token(token_in(request) or "")
        now, connected = lobby.clock.now(), connections_of(state).devices()
        found = []
        for one in await lobby.guests.devices(guest):
            here = one.proof == mine
            seen = now if one.proof in connected else one.seen
            # Devices that signed in before labels were stored have none.
            label = one.label or (label_in(request) if here else "")
            found.append(DeviceEntry(device_name(one.proof), label, one.made, seen, here))
        return sorted(found, key=lambda one: (not one.here, -one.seen))

    @delete("/{device:str}", status_code=200)
    async def remove(self, request: AnyRequest, device: FromPath[str], guest: Asker, state: State) -> Response[Empty]:
        """Signs a device out. If it is another one than this, unused codes are cancelled too."""
        mine = hash_token(token_in(request) or "")
        known = [one.proof for one in await lobby_of(state).guests.devices(guest)]
        found = [proof for proof in known if device_name(proof) == device]
        if not found:
            raise Denied("not_found")
        await sign_out(state, guest, found, cancel_codes=mine not in found)
        # Deletes the cookies of this browser.
        expired = [
            Cookie(name, value="", max_age=0, path="/", secure=name == HOST_COOKIE) for name in (COOKIE, HOST_COOKIE)
        ]
        return Response(Empty(), cookies=expired if mine in found else [])

    @delete(status_code=200)
    async def remove_others(self, request: AnyRequest, guest: Asker, state: State) -> Empty:
        """Signs out every device except this one, and cancels unused codes."""
        mine = hash_token(token_in(request) or "")
        others = [one.proof for one in await lobby_of(state).guests.devices(guest) if one.proof != mine]
        await sign_out(state, guest, others, cancel_codes=True)
        return Empty()

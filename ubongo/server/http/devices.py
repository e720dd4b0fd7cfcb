"""A guest's devices over HTTP: listed, and signed out."""

from __future__ import annotations

from litestar import Controller, Response, delete, get
from litestar.datastructures import Cookie, State
from litestar.params import FromPath
from msgspec import Struct

from ubongo.server.errors import Denied
from ubongo.server.http.guests import AnyRequest, Asker, Empty, label_in, lobby_of, token_in
from ubongo.server.lobby.bans import hashed
from ubongo.server.store.entities import Guest
from ubongo.server.wire.admission import COOKIE, HOST_COOKIE
from ubongo.server.wire.connections import Connections


class DeviceEntry(Struct, frozen=True):
    """`label` is its browser and its system, empty if that is not known; `here`: it is the one that asks."""

    device: str
    label: str
    made: int
    seen: int
    here: bool


def device_name(proof: bytes) -> str:
    """What a device goes by: nothing can be done with it by anybody else."""
    return proof.hex()[:16]


async def sign_out(state: State, guest: Guest, devices: list[bytes], cancel_codes: bool) -> None:
    """At once, on every server."""
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
        """Where you are signed in: this device first, then the one that was seen last."""
        lobby, mine = lobby_of(state), hashed(token_in(request) or "")
        now, connected = lobby.clock.now(), connections_of(state).devices()
        found = []
        for one in await lobby.guests.devices(guest):
            here = one.proof == mine
            seen = now if one.proof in connected else one.seen
            # Who signed in before labels were kept has none.
            label = one.label or (label_in(request) if here else "")
            found.append(DeviceEntry(device_name(one.proof), label, one.made, seen, here))
        return sorted(found, key=lambda one: (not one.here, -one.seen))

    @delete("/{device:str}", status_code=200)
    async def remove(self, request: AnyRequest, device: FromPath[str], guest: Asker, state: State) -> Response[Empty]:
        """That device is signed out. If it is another one, codes that were not used yet are cancelled, too."""
        mine = hashed(token_in(request) or "")
        known = [one.proof for one in await lobby_of(state).guests.devices(guest)]
        found = [proof for proof in known if device_name(proof) == device]
        if not found:
            raise Denied("not_found")
        await sign_out(state, guest, found, cancel_codes=mine not in found)
        # A browser forgets its token.
        gone = [
            Cookie(name, value="", max_age=0, path="/", secure=name == HOST_COOKIE) for name in (COOKIE, HOST_COOKIE)
        ]
        return Response(Empty(), cookies=gone if mine in found else [])

    @delete(status_code=200)
    async def remove_others(self, request: AnyRequest, guest: Asker, state: State) -> Empty:
        """Every device but this one is signed out, and codes that were not used yet are cancelled."""
        mine = hashed(token_in(request) or "")
        others = [one.proof for one in await lobby_of(state).guests.devices(guest) if one.proof != mine]
        await sign_out(state, guest, others, cancel_codes=True)
        return Empty()

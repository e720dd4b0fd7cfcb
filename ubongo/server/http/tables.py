"""Tables over HTTP: opened, listed, joined, hosted, and shown afterwards. docs/protocol.md shows every request."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from litestar import Controller, Response, delete, get, patch, post, put
from litestar.datastructures import State
from litestar.enums import MediaType
from litestar.openapi import ResponseSpec
from litestar.params import FromPath, FromQuery, JSONBody
from litestar.response import Stream
from msgspec import UNSET, Meta, Struct, UnsetType

from ubongo.games import GAMES
from ubongo.server.errors import Denied
from ubongo.server.http.guests import (
    AnyRequest,
    Asker,
    Empty,
    TableKey,
    Who,
    address_of,
    lobby_of,
    opening_address,
    token_in,
)
from ubongo.server.http.public_list import PublicList
from ubongo.server.http.table_entries import TableEntry, base_of, entry_of, link_to
from ubongo.server.lobby import companion, finished_match, hosting, solo
from ubongo.server.lobby.lobby import Lobby
from ubongo.server.lobby.rematch import open_rematch
from ubongo.server.lobby.table_options import read_options
from ubongo.server.records.replay_stream import chunks_of, gzipped, in_chunks
from ubongo.server.records.solutions import SolutionLayout, solutions
from ubongo.server.records.summary import Summary
from ubongo.table import SeatNo


class NewTable(Struct, frozen=True):
    """A request to open a table. `seats` is their number, bots included."""

    game: Annotated[str, Meta(max_length=40)]
    seats: Annotated[int, Meta(ge=1, le=8)] | UnsetType = UNSET
    options: dict[str, Any] = {}
    bots: Annotated[tuple[Annotated[str, Meta(max_length=40)], ...], Meta(max_length=8)] = ()
    public: bool = False
    sit: bool = True


class Changes(Struct, frozen=True):
    """Changes to a table; options that are not named stay as they are."""

    options: dict[str, Any] = {}
    public: bool | None = None
    seats: Annotated[int, Meta(ge=1, le=8)] | None = None


class Muted(Struct, frozen=True):
    muted: bool


class Seated(Struct, frozen=True):
    table: str
    link: str
    seat: SeatNo | None


class SeatOnly(Struct, frozen=True):
    seat: SeatNo


class Sitter(Struct, frozen=True):
    """A bot of a level, or the name of a player without a device."""

    bot: Annotated[str, Meta(max_length=40)] | UnsetType = UNSET
    name: Annotated[str, Meta(max_length=200)] | UnsetType = UNSET


async def shown_entry(request: AnyRequest, lobby: Lobby, key: str) -> TableEntry:
    guest, room = await lobby.guests.identify(token_in(request)), await lobby.rooms.open(key)
    return entry_of(base_of(request), lobby.registry.get(key), room.shown, guest.player if guest is not None else None)


LISTED = ResponseSpec(list[TableEntry], generate_examples=False, description="The best to join first")


class TableRoutes(Controller):
    path = "/tables"
    tags = ("tables",)

    @post()
    async def add(self, request: AnyRequest, guest: Asker, data: JSONBody[NewTable], state: State) -> Seated:
        """Opens a table. Anyone who has its link can join or watch it; a public one is also listed."""
        game = GAMES.get(data.game)
        if game is None:
            raise Denied("no_such_game", game=data.game, games=", ".join(GAMES))
        seats = game.SEATS[-1] if data.seats is UNSET else data.seats
        lobby = lobby_of(state)
        if data.bots:
            solo.refuse_bots(data.game)
        options = await solo.resolve_options(lobby, read_options(data.game, data.options))
        companion.refuse_bots(options, data.bots)
        address = opening_address(request)
        lobby_table = await lobby.open_table(
            guest, data.game, seats, options, data.bots, data.public, data.sit, address
        )
        return Seated(lobby_table.key, link_to(request, lobby_table.key), lobby_table.plan.seat_of(guest.player))

    @get(responses={200: LISTED})
    async def public(self, request: AnyRequest, state: State, page: FromQuery[int] = 1) -> Response[bytes]:
        """Public tables that can be joined or watched, fifty a page."""
        public_list: PublicList = state.services.public_list
        guest = await lobby_of(state).guests.identify(token_in(request))
        found = await public_list.page(base_of(request), page, address_of(request))
        headers = {"vary": "accept-encoding"}
        if found.more:
            headers["link"] = f'</api/tables?page={page + 1}>; rel="next"'
        if guest is not None and guest.player in found.people:
            return Response(found.for_player(guest.player), media_type=MediaType.JSON, headers=headers)
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Response(found.plain, media_type=MediaType.JSON, headers=headers)
        return Response(found.packed, media_type=MediaType.JSON, headers={**headers, "content-encoding": "gzip"})

    @get("/{table:str}")
    async def show(self, request: AnyRequest, key: TableKey, state: State) -> TableEntry:
        lobby = lobby_of(state)
        return await shown_entry(request, lobby, key)

    @patch("/{table:str}")
    async def change(
        self, request: AnyRequest, key: TableKey, guest: Asker, data: JSONBody[Changes], state: State
    ) -> TableEntry:
        """By the host, before the start: changes options, the number of seats, or whether it is listed."""
        lobby = lobby_of(state)
        await hosting.change(lobby, key, guest, data.options, data.public, data.seats)
        return await shown_entry(request, lobby, key)

    @delete("/{table:str}", status_code=200)
    async def close(self, key: TableKey, guest: Asker, state: State) -> Empty:
        """By the host: closes the table and all connections to it."""
        await hosting.close(lobby_of(state), key, guest)
        return Empty()

    @post("/{table:str}/join", status_code=200)
    async def join(self, key: TableKey, guest: Asker, state: State) -> SeatOnly:
        """Takes a seat; a second request gets the same one."""
        return SeatOnly(await lobby_of(state).join(key, guest))

    @post("/{table:str}/leave", status_code=200)
    async def leave(self, key: TableKey, guest: Asker, state: State) -> Empty:
        """Before the start this frees the seat; during the match the player has left for good."""
        await lobby_of(state).leave(key, guest)
        return Empty()

    @post("/{table:str}/start", status_code=200)
    async def start(self, key: TableKey, guest: Asker, state: State) -> Empty:
        """By the host: starts the match without the free seats."""
        await hosting.start(lobby_of(state), key, guest)
        return Empty()

    @post("/{table:str}/rematch", status_code=200)
    async def rematch(self, request: AnyRequest, key: TableKey, guest: Asker, state: State) -> Seated:
        """After the match: a seat at the table of the rematch, which is the same for all; null if none is free."""
        following, seat = await open_rematch(lobby_of(state), key, guest, opening_address(request))
        return Seated(following.key, link_to(request, following.key), seat)

    @put("/{table:str}/seats/{seat:int}")
    async def seat(
        self, key: TableKey, seat: FromPath[int], guest: Asker, data: JSONBody[Sitter], state: State
    ) -> Empty:
        """By the host, before the start: gives a seat to a bot of that level, or to somebody without a device (C8)."""
        if data.bot is not UNSET:
            await hosting.seat_bot(lobby_of(state), key, guest, SeatNo(seat), data.bot)
        elif data.name is not UNSET:
            await hosting.seat_name(lobby_of(state), key, guest, SeatNo(seat), data.name)
        else:
            raise Denied("unreadable", why="it needs `bot`, a level, or `name`")
        return Empty()

    @delete("/{table:str}/seats/{seat:int}", status_code=200)
    async def free_seat(self, key: TableKey, seat: FromPath[int], guest: Asker, state: State) -> Empty:
        """By the host, before the start: removes the player or bot from the seat. A removed player cannot return."""
        await hosting.free_seat(lobby_of(state), key, guest, SeatNo(seat))
        return Empty()

    @get("/{table:str}/removed")
    async def removed(self, key: TableKey, guest: Asker, state: State) -> list[Who]:
        """To the host: the players who were removed from this table and cannot take a seat."""
        return [Who(one.player, one.name) for one in await hosting.removed(lobby_of(state), key, guest)]

    @delete("/{table:str}/removed/{player:str}", status_code=200)
    async def readmit(self, key: TableKey, player: FromPath[str], guest: Asker, state: State) -> Empty:
        """By the host: lets a removed player take a seat again."""
        await hosting.readmit(lobby_of(state), key, guest, player)
        return Empty()

    @put("/{table:str}/reactions")
    async def reactions(self, key: TableKey, guest: Asker, data: JSONBody[Muted], state: State) -> Empty:
        """By the host, at any time: whether reactions are shown at this table."""
        await hosting.mute(lobby_of(state), key, guest, data.muted)
        return Empty()

    @get("/{table:str}/solutions")
    async def solutions(self, request: AnyRequest, key: TableKey, state: State) -> list[SolutionLayout | None]:
        """Between two rounds: the solutions of the last one, by seat; a hand of cards is shown to its owner only."""
        lobby = lobby_of(state)
        guest = await lobby.guests.identify(token_in(request))
        room = await lobby.rooms.open(key)
        return await asyncio.to_thread(
            solutions, room.broadcast.view(room.broadcast.seat_of(guest.player if guest is not None else None))
        )

    @get("/{table:str}/log", media_type="application/jsonl")
    async def log(self, key: TableKey, state: State) -> Stream:
        """After the match: the opening line, then every event, as `ubongo referee` reads and prints them."""
        found = await finished_match.history(lobby_of(state), key)
        return Stream(chunks_of(found), headers={"content-length": str(len(found))})

    @get("/{table:str}/summary")
    async def summary(self, key: TableKey, state: State) -> Summary:
        """After the match: its points by round, the fastest board, the closest finish, and how long it took."""
        return await finished_match.summary(lobby_of(state), key)

    @get("/{table:str}/replay", media_type="application/jsonl")
    async def replay(self, request: AnyRequest, key: TableKey, state: State) -> Stream:
        """After the match: the table as it was opened, then what changed at each moment, with nothing hidden."""
        pieces = in_chunks(await finished_match.replay(lobby_of(state), key))
        # Litestar reads each piece in a thread, so matches are not held up.
        headers = {"vary": "accept-encoding"}
        if "gzip" not in request.headers.get("accept-encoding", ""):
            return Stream(pieces, headers=headers)
        return Stream(gzipped(pieces), headers={**headers, "content-encoding": "gzip"})

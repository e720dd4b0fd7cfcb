"""What only the server can settle for somebody who plays alone: which day it is, what counts, and whose luck it is."""

from __future__ import annotations

import secrets

import msgspec
from msgspec.structs import replace

from ubongo.games.solo.options import SoloOptions
from ubongo.material import shipped
from ubongo.server.errors import Denied
from ubongo.server.lobby.lobby import Lobby
from ubongo.server.lobby.setup import LobbyTable, written
from ubongo.server.lobby.table_keys import sayable
from ubongo.server.records.match_results import date_of
from ubongo.server.store.entities import Key
from ubongo.server.tables.table_setup import TableSetup
from ubongo.table import Options


def refuse_bots(game: str) -> None:
    """Who plays alone is a person."""
    if game == "solo":
        raise Denied("no_bots_alone")


async def settled(lobby: Lobby, options: Options) -> Options:
    """Options as somebody wants them, and as they can be had today."""
    if not isinstance(options, SoloOptions):
        return options
    if options.ghost:
        return await raced(lobby, options)
    if options.mode != "day":
        # A table may have been meant for the day before its host changed their mind.
        return replace(options, day="")
    today = date_of(lobby.clock.now())
    if options.day not in ("", today):
        raise Denied("not_today", today=today)
    edition = shipped(options.of).id
    if options.edition not in ("", edition):
        # S3: the same for everyone. A log of old may well name an edition that was shipped then.
        raise Denied("bad_options", why=f"the puzzle of the day is of the edition {edition}")
    return replace(options, day=today, edition=edition)


async def raced(lobby: Lobby, options: SoloOptions) -> SoloOptions:
    """S8: the ghost's tasks come as they came to it, so all but how one begins is as it was there; nothing counts."""
    run = (await ghost_of(lobby, options.ghost)).options()
    assert isinstance(run, SoloOptions)
    return replace(run, ready_s=options.ready_s, count_in_s=options.count_in_s, ghost=options.ghost, scored=False)


async def ghost_of(lobby: Lobby, key: Key) -> LobbyTable:
    if sayable(key):
        # No run has such a key, and nobody finds out here whether a table has.
        raise Denied("no_ghost")
    lobby_table = await lobby.current(key)
    if lobby_table.plan.game != "solo" or lobby_table.played is None or lobby_table.state != "over":
        raise Denied("no_ghost")
    return lobby_table


async def begun(lobby: Lobby, key: Key, plan: TableSetup) -> tuple[TableSetup, str]:
    """The plan and the seed that a match begins with: whether it counts is written down before it is played."""
    seed = secrets.token_hex(16)
    if plan.game != "solo":
        return plan, seed
    options = await settled(lobby, msgspec.json.decode(plan.options, type=SoloOptions))
    assert isinstance(options, SoloOptions)
    if options.ghost:
        ghost = (await ghost_of(lobby, options.ghost)).played
        assert ghost is not None
        seed = ghost.opening.seed
    player = plan.chairs[0].player if plan.chairs else None
    # With `reveal: deal` the first task is seen before the clock runs.
    counts = options.scored and options.mode != "practice" and options.reveal == "start" and player is not None
    if lobby.timekeeping.behind:
        # Nobody knows when this is, nor which day: it costs nobody their try.
        counts = False
    elif options.mode == "day" and player is not None:
        # S6: the first table at which it is begun, whatever becomes of it; also a race against a ghost.
        counts = await lobby.results.claim(player, options.day, options.of, key) and counts
    return replace(plan, options=written(replace(options, scored=counts))), seed

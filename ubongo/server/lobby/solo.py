"""What only the server can decide about a solo run: today's date, whether it counts, and the seed of a ghost's run."""

from __future__ import annotations

import secrets

import msgspec
from msgspec.structs import replace

from ubongo.games.solo.options import SoloOptions
from ubongo.material import shipped
from ubongo.server.errors import Denied
from ubongo.server.lobby.lobby import Lobby
from ubongo.server.lobby.lobby_table import LobbyTable
from ubongo.server.lobby.table_keys import is_sayable
from ubongo.server.lobby.table_options import encode_options
from ubongo.server.records.match_results import date_of
from ubongo.server.store.entities import Key
from ubongo.server.tables.table_setup import TableSetup
from ubongo.table import Options


def refuse_bots(game: str) -> None:
    """Only people play solo."""
    if game == "solo":
        raise Denied("no_bots_alone")


async def resolve_options(lobby: Lobby, options: Options) -> Options:
    """Requested options with what the server decides; raises Denied. Those of other games are returned as they are."""
    if not isinstance(options, SoloOptions):
        return options
    if options.ghost:
        return await _ghost_options(lobby, options)
    if options.mode != "day":
        # The host may have chosen the daily puzzle before and changed their mind.
        return replace(options, day="")
    today = date_of(lobby.clock.now())
    if options.day not in ("", today):
        raise Denied("not_today", today=today)
    edition = shipped(options.of).id
    if options.edition not in ("", edition):
        # S3: the same for everyone. An old log may well name an edition that was shipped then.
        raise Denied("bad_options", why=f"the puzzle of the day is of the edition {edition}")
    return replace(options, day=today, edition=edition)


async def _ghost_options(lobby: Lobby, options: SoloOptions) -> SoloOptions:
    """S8: a race has the ghost's own options, so that the same tasks come. It never counts."""
    run = (await ghost_of(lobby, options.ghost)).options()
    assert isinstance(run, SoloOptions)
    return replace(run, ready_s=options.ready_s, count_in_s=options.count_in_s, ghost=options.ghost, scored=False)


async def ghost_of(lobby: Lobby, key: Key) -> LobbyTable:
    """The table of a finished run; raises Denied."""
    if is_sayable(key):
        # Runs have long keys. A short key is refused unseen, so that nobody can guess tables' keys here.
        raise Denied("no_ghost")
    lobby_table = await lobby.rooms.current(key)
    if lobby_table.plan.game != "solo" or lobby_table.played is None or lobby_table.state != "over":
        raise Denied("no_ghost")
    return lobby_table


async def start_setup(lobby: Lobby, key: Key, plan: TableSetup) -> tuple[TableSetup, str]:
    """The setup and the seed that a match starts with. Whether a run counts is stored before it is played."""
    seed = secrets.token_hex(16)
    if plan.game != "solo":
        return plan, seed
    options = await resolve_options(lobby, msgspec.json.decode(plan.options, type=SoloOptions))
    assert isinstance(options, SoloOptions)
    if options.ghost:
        ghost = (await ghost_of(lobby, options.ghost)).played
        assert ghost is not None
        seed = ghost.opening.seed
    player = plan.chairs[0].player if plan.chairs else None
    # With `reveal: deal` the player sees the first task before the clock runs.
    counts = options.scored and options.mode != "practice" and options.reveal == "start" and player is not None
    if lobby.timekeeping.behind:
        # The server's clock is wrong, and so may be the date: nobody's attempt is used up.
        counts = False
    elif options.mode == "day" and player is not None:
        # S6: the first table at which the puzzle is begun, whatever becomes of it; also a race against a ghost.
        counts = await lobby.results.claim(player, options.day, options.of, key) and counts
    return replace(plan, options=encode_options(replace(options, scored=counts))), seed

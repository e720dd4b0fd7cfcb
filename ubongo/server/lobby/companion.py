"""What a companion table cannot have: bots, or options that do not fit the people without a device who sit there."""

from __future__ import annotations

from collections.abc import Sequence

from ubongo.server.errors import Denied
from ubongo.server.tables.table_setup import TableSetup
from ubongo.table import Options


def refuse_bots(options: Options, bots: Sequence[object]) -> None:
    """C1: no bot sees what lies on paper."""
    if options.companion and bots:
        raise Denied("no_bots_on_paper", why="bots cannot see what lies on paper")


def refuse_unfit(options: Options, plan: TableSetup) -> None:
    """Refuses options that the table's present players and bots cannot play with."""
    refuse_bots(options, [chair for chair in plan.chairs if chair.bot is not None])
    if not options.companion and any(chair.voiced for chair in plan.chairs):
        raise Denied("needs_paper")

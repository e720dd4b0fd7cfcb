"""`ubongo ban`: bans a guest or a network from a server, also while the server runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from ubongo.commands import Complaint, Flag
from ubongo.commands._support.listing import listed
from ubongo.commands._support.moderation import moderated, now, told, written_time
from ubongo.server.clock import Timestamp

if TYPE_CHECKING:
    from ubongo.commands._support.listing import ListedItem
    from ubongo.server.moderation.decisions import Moderation


def ban(
    who: str | None = None,
    /,
    *,
    duration: Annotated[str | None, Parameter(name="--for")] = None,
    reason: str = "",
    with_address: Flag = False,
    lift: Flag = False,
    list_bans: Annotated[bool, Parameter(name="--list", show_default=False)] = False,
    json: Flag = False,
    db: Annotated[str | None, Parameter(env_var="UBONGO_DB")] = None,
) -> None:
    """
    Parameters
    ----------
    who
        A guest's id or name, an address such as 203.0.113.7, or a network such as 2001:db8::/48.
    duration
        How long: 30m, 12h, 7d or 4w; without it, until the ban is lifted.
    reason
        Why; stored for operators, not shown to anybody else.
    with_address
        Also ban the addresses that this guest connects from. In a school or a café everybody shares one.
    lift
        End a ban.
    list_bans
        List the bans in force.
    json
        With --list, JSON lines instead of lines for people.
    db
        The server's file or database; without it, the file in your data folder.
    """
    if list_bans:
        if who is not None or lift or duration or reason or with_address:
            raise Complaint("--list shows all bans and takes nothing else than --json")
        listed(moderated(db, _bans), json, _shown)
        return
    if who is None:
        raise Complaint("name a guest, an address or a network; --list shows who is banned")
    if json or (lift and (duration or with_address)):
        raise Complaint("--json goes with --list, --for and --with-address with a new ban")

    async def decide(moderation: Moderation) -> None:
        from ubongo.server.moderation.decisions import milliseconds

        if lift:
            target = await moderation.banned(who)
            await told(moderation, await moderation.lift(target, reason, now()), f"{target} is no longer banned")
            return
        until = None if duration is None else Timestamp(now() + milliseconds(duration))
        target = await moderation.target(who)
        number = await moderation.ban(target, reason, until, now(), with_address)
        lasts = "until the ban is lifted" if until is None else f"until {written_time(until)}"
        await told(moderation, number, f"{target} is banned {lasts}")

    moderated(db, decide)


async def _bans(moderation: Moderation) -> list[ListedItem]:
    from msgspec.structs import asdict

    return [asdict(one) for one in await moderation.bans(now())]


def _shown(ban: ListedItem) -> str:
    until = "lifted" if ban["until"] is None else written_time(ban["until"])
    who = f"{ban['kind']} {ban['target']}" + (f" ({ban['name']})" if ban["name"] else "")
    return f"{who}  since {written_time(ban['at'])}  until {until}  {ban['reason']}".strip()

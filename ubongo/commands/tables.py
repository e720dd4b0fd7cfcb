"""`ubongo tables`: lists the open tables of a server and closes one, also while the server runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from ubongo.commands import Complaint, Flag
from ubongo.commands._support.listing import listed
from ubongo.commands._support.moderation import moderated, now, told, written_time

if TYPE_CHECKING:
    from ubongo.commands._support.listing import ListedItem
    from ubongo.server.moderation.decisions import Moderation


def tables(
    *,
    close: str | None = None,
    reason: str = "",
    json: Flag = False,
    db: Annotated[str | None, Parameter(env_var="UBONGO_DB")] = None,
) -> None:
    """
    Parameters
    ----------
    close
        The key of a table to close: its match ends, and everybody at it is notified.
    reason
        Why it is closed; stored for operators, not shown to anybody else.
    json
        JSON lines instead of lines for people.
    db
        The server's file or database; without it, the file in your data folder.
    """
    if close is None:
        if reason:
            raise Complaint("--reason goes with --close")
        listed(moderated(db, _tables), json, _shown)
        return
    if json:
        raise Complaint("--json is for the list of tables")

    async def decide(moderation: Moderation) -> None:
        number = await moderation.close_table(close, reason, now())
        await told(moderation, number, f"table {close} is closed")

    moderated(db, decide)


async def _tables(moderation: Moderation) -> list[ListedItem]:
    from msgspec import to_builtins

    return [to_builtins(one) for one in await moderation.tables()]


def _shown(table: ListedItem) -> str:
    listing = "public" if table["public"] else "private"
    people = ", ".join(map(_person, table["people"])) or "nobody"
    since = written_time(table["since"])
    return (
        f"{table['key']}  {table['game']}  {table['state']}  {listing}  since {since}  host {_person(table['host'])}"
        f"  people {people}"
    )


def _person(one: ListedItem) -> str:
    return f"{one['name']} ({one['guest'] or ('bot' if one['bot'] else 'no device')})"

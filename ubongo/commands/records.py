"""`ubongo records`: lists a server's records, removes some while it runs, or rebuilds all from its logs."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from ubongo.commands import Complaint, Flag
from ubongo.commands._support.listing import listed
from ubongo.commands._support.moderation import moderated, now, written_time

if TYPE_CHECKING:
    from ubongo.commands._support.listing import ListedItem
    from ubongo.server.moderation.decisions import Moderation
    from ubongo.server.store import Log
    from ubongo.server.store.moderation import RecordFilter
    from ubongo.server.store.results import MatchResult


def records(
    *,
    rebuild: Flag = False,
    remove: Flag = False,
    restore: Flag = False,
    removed: Flag = False,
    run: int | None = None,
    guest: str | None = None,
    day: str | None = None,
    reason: str = "",
    yes: Flag = False,
    json: Flag = False,
    db: Annotated[str | None, Parameter(env_var="UBONGO_DB")] = None,
) -> None:
    """
    Parameters
    ----------
    rebuild
        Delete all records and rebuild them from the logs. Stop the server first. Removed records stay removed.
    remove
        Remove the records that --run, --guest and --day choose: these runs no longer count.
    restore
        Let records that were removed count again.
    removed
        List those that were removed.
    run
        The number of one run, as the list shows it.
    guest
        A guest's id or name.
    day
        The day of a puzzle of the day, such as 2026-11-18.
    reason
        The reason, for the operators of the server. It is stored, and shown to nobody else.
    yes
        Do it without asking.
    json
        JSON lines instead of text.
    db
        The server's file or database; without it, the file in your data folder.
    """
    if rebuild + remove + restore + removed > 1:
        raise Complaint("choose one of --rebuild, --remove, --restore and --removed")
    if rebuild:
        if not (run is None and guest is None and day is None):
            raise Complaint("--rebuild rebuilds all records; it does not go with --run, --guest and --day")
        _rebuild(db)
        return
    changes = remove or restore
    if changes and run is None and guest is None and day is None:
        raise Complaint("choose which records by --run, --guest or --day")
    if not changes and (reason or yes):
        raise Complaint("--reason and --yes go with --remove and --restore")

    async def look(moderation: Moderation) -> list[MatchResult]:
        return await moderation.records(await _record_filter(moderation, run, guest, day), removed or restore)

    found = moderated(db, look)
    listed(map(_line, found), json, _shown)
    if not changes:
        return
    if not found:
        raise Complaint("there are no such records")
    sys.stdout.flush()
    if not yes:
        _ask("Remove" if remove else "Restore", len(found))

    async def decide(moderation: Moderation) -> None:
        change = moderation.remove_records if remove else moderation.restore_records
        await change(found, reason, now())

    moderated(db, decide)
    print(f"{'removed' if remove else 'restored'}: {len(found)}", file=sys.stderr)


async def _record_filter(moderation: Moderation, run: int | None, guest: str | None, day: str | None) -> RecordFilter:
    from ubongo.server.store.moderation import RecordFilter

    target = None if guest is None else await moderation.guest(guest)
    return RecordFilter(run, None if target is None else target.id, day)


def _ask(verb: str, number: int) -> None:
    if not sys.stdin.isatty():
        raise Complaint("nothing has been changed; --yes skips the question")
    print(f"{verb} {number}? [y/N] ", end="", file=sys.stderr, flush=True)
    if sys.stdin.readline().strip().lower() not in ("y", "yes"):
        raise Complaint("nothing has been changed")


def _line(result: MatchResult) -> ListedItem:
    return {
        "run": result.match,
        "name": result.name,
        "guest": result.player,
        "kind": result.kind,
        "day": result.day,
        "edition": result.edition,
        "solved": result.solved,
        "rounds": result.rounds,
        "took": result.took,
        "ended": result.ended,
    }


def _shown(line: ListedItem) -> str:
    import msgspec

    kind = " ".join(str(one) for one in msgspec.json.decode(line["kind"]).values() if one is not None)
    took = "" if line["took"] is None else f"  {line['took'] / 1000:.1f} s"
    return (
        f"run {line['run']}  {kind}{line['day'] and ' ' + line['day']}  {line['name']} ({line['guest'] or 'forgotten'})"
        f"  {line['solved']} solved in {line['rounds']} rounds{took}  {written_time(line['ended'])}"
    )


def _rebuild(db: str | None) -> None:
    from ubongo.server.settings import Settings
    from ubongo.server.store import StoreError  # a server's
    from ubongo.server.store.open_log import open_log
    from ubongo.server.store.postgres_schema import public_url
    from ubongo.server.store.schema import BadLog

    settings = Settings(db=db)
    if settings.postgres is None and not settings.file.is_file():
        raise Complaint(f"{settings.file} is not there; --db names the server's file")
    try:
        log = open_log(settings, exclusive=True)
        number = asyncio.run(_rebuild_records(log))
    except (BadLog, StoreError) as problem:
        raise Complaint(f"records could not be rebuilt: {problem}") from None
    source = settings.file if settings.postgres is None else public_url(settings.postgres)
    print(f"{source}: results rebuilt from the logs: {number}")


async def _rebuild_records(log: Log) -> int:
    from ubongo.server.records.records import Records

    await log.start(lambda _: None, lambda _, __: None)
    try:
        records = Records(log)
        await records.rebuild()
        return await records.results.number()
    finally:
        await log.close()

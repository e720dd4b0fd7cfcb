"""`ubongo records`: the records of a server's database, made again from its logs."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from ubongo.commands import Complaint


def records(*, rebuild: bool = False, db: Annotated[Path | None, Parameter(env_var="UBONGO_DB")] = None) -> None:
    """
    Parameters
    ----------
    rebuild
        Forget all records and make them again. The server has to be stopped.
    db
        The server's file; without it, the one in your data folder.
    """
    from ubongo.server.log import Unrecorded  # noqa: PLC0415 - a server's
    from ubongo.server.log.schema import BadLog  # noqa: PLC0415
    from ubongo.server.settings import Settings  # noqa: PLC0415

    if not rebuild:
        raise Complaint("there is one thing to do with records here; --rebuild does it")
    source = Settings(db=db).file
    if not source.is_file():
        raise Complaint(f"{source} is not there; --db names the server's file")
    try:
        number = asyncio.run(_rebuilt(source))
    except (BadLog, Unrecorded) as problem:
        raise Complaint(f"records could not be made again: {problem}") from None
    print(f"{source}: results made again from the logs: {number}")


async def _rebuilt(source: Path) -> int:
    from ubongo.server.log.register import Register  # noqa: PLC0415
    from ubongo.server.log.results import Results  # noqa: PLC0415
    from ubongo.server.log.sqlite import SqliteLog  # noqa: PLC0415
    from ubongo.server.records import Records  # noqa: PLC0415

    log = SqliteLog(source)
    await log.start(lambda _: None, lambda _, __: None)
    try:
        results = Results(log)
        await Records(Register(log), results).rebuild()
        return await results.number()
    finally:
        await log.close()

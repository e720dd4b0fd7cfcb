"""`ubongo records`: the records of a server's database, made again from its logs."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from ubongo.commands import Complaint, Flag

if TYPE_CHECKING:
    from ubongo.server.log import Log


def records(*, rebuild: Flag = False, db: Annotated[str | None, Parameter(env_var="UBONGO_DB")] = None) -> None:
    """
    Parameters
    ----------
    rebuild
        Forget all records and make them again. The server has to be stopped.
    db
        The server's file or database; without it, the file in your data folder.
    """
    from ubongo.server.log import Unrecorded  # a server's
    from ubongo.server.log.chosen import chosen
    from ubongo.server.log.postgres_schema import named
    from ubongo.server.log.schema import BadLog
    from ubongo.server.settings import Settings

    if not rebuild:
        raise Complaint("there is one thing to do with records here; --rebuild does it")
    settings = Settings(db=db)
    if settings.postgres is None and not settings.file.is_file():
        raise Complaint(f"{settings.file} is not there; --db names the server's file")
    try:
        log = chosen(settings, alone=True)
        number = asyncio.run(_rebuilt(log))
    except (BadLog, Unrecorded) as problem:
        raise Complaint(f"records could not be made again: {problem}") from None
    source = settings.file if settings.postgres is None else named(settings.postgres)
    print(f"{source}: results made again from the logs: {number}")


async def _rebuilt(log: Log) -> int:
    from ubongo.server.log.register import Register
    from ubongo.server.log.results import Results
    from ubongo.server.records import Records

    await log.start(lambda _: None, lambda _, __: None)
    try:
        results = Results(log)
        await Records(Register(log), results).rebuild()
        return await results.number()
    finally:
        await log.close()

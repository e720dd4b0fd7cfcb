"""Checks and migrates the database. `postgres_migrations` has the schema."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from ubongo.server.store.postgres_migrations import MIGRATIONS
from ubongo.server.store.schema import BadLog

if TYPE_CHECKING:
    from asyncpg import Connection

# An advisory lock: one program migrates, others wait.
MIGRATION_LOCK = 0x55626F6E_00000001
# The table `ubongo` marks a database as ours.
_OURS = "select to_regclass(quote_ident(current_schema()) || '.ubongo') is not null"
_OTHERS = "select count(*) from pg_tables where schemaname = current_schema()"


def public_url(url: str) -> str:
    """The database's address for messages, without user and password.

    >>> public_url("postgresql://ann:secret@db.example.org/ubongo?sslmode=require")
    'postgresql://db.example.org/ubongo'
    """
    parts = urlsplit(url)
    return f"postgresql://{parts.netloc.rpartition('@')[2]}{parts.path}"


async def migrate(connection: Connection, url: str, migrations: Sequence[str] = MIGRATIONS) -> None:
    """Runs the missing migrations in one transaction; raises BadLog if the database is not ours."""
    async with connection.transaction():
        await connection.execute("select pg_advisory_xact_lock($1)", MIGRATION_LOCK)
        if not await connection.fetchval(_OURS):
            if await connection.fetchval(_OTHERS):
                raise BadLog(
                    f"{public_url(url)} is another program's database. Make an empty one, and name it with --db."
                )
            await connection.execute("create table ubongo (form integer not null); insert into ubongo values (0)")
        form = await connection.fetchval("select form from ubongo")
        if form > len(migrations):
            raise BadLog(
                f"{public_url(url)} was written by a newer Ubongo (its form is {form}, this program knows "
                f"{len(migrations)}). Use the newer program, or name another database with --db."
            )
        for script in migrations[form:]:
            await connection.execute(script)
        if form < len(migrations):
            await connection.execute("update ubongo set form = $1", len(migrations))

"""Checks and migrates the log's file. `sqlite_migrations` has the schema."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from ubongo.server.store.damage import damage_message, is_damage
from ubongo.server.store.sqlite_migrations import MIGRATIONS

# 'Ubon', the application id in the file's header: another program's database is never taken for a log.
APPLICATION = 0x55626F6E
# How every SQLite file begins.
_MAGIC = b"SQLite format 3\x00"


class BadLog(Exception):
    """A file or database that cannot be the log; the text says why, and what to do."""


def unusable(path: Path, problem: sqlite3.Error) -> BadLog:
    """Explains why SQLite cannot open this file."""
    with path.open("rb") as file:
        ours = file.read(len(_MAGIC)) == _MAGIC
    if not is_damage(problem):
        return BadLog(f"{path} cannot be used: {problem}. Choose another file with --db.")
    if not ours:
        return BadLog(
            f"{path} is no database: {problem}. Choose another file with --db, or a backup if this was the server's."
        )
    return BadLog(damage_message(path, problem))


def refuse_unless_ours(path: Path, newest: int = len(MIGRATIONS)) -> None:
    """Reads only: the file of a newer version stays as it is."""
    if path.is_dir():
        raise BadLog(f"{path} is a folder. Name a file in it with --db.")
    if not path.exists() or path.stat().st_size == 0:
        return
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            [application] = connection.execute("pragma application_id").fetchone()
            [version] = connection.execute("pragma user_version").fetchone()
            [tables] = connection.execute("select count(*) from sqlite_master").fetchone()
    except sqlite3.Error as problem:
        raise unusable(path, problem) from None
    if application != APPLICATION and (tables or application):
        raise BadLog(f"{path} is another program's database. Choose another file with --db.")
    if version > newest:
        raise BadLog(
            f"{path} was written by a newer Ubongo (its form is {version}, this program knows {newest}). "
            "Use the newer program, or choose another file with --db."
        )


def migrate(connection: sqlite3.Connection, migrations: Sequence[str] = MIGRATIONS) -> None:
    """Runs the missing migrations, each in a transaction."""
    [version] = connection.execute("pragma user_version").fetchone()
    for number, script in enumerate(migrations[version:], version + 1):
        connection.executescript(
            f"begin immediate; {script}; pragma application_id = {APPLICATION}; pragma user_version = {number}; commit;"
        )

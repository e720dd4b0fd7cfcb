"""What counts as damage of a log's file: a closed list, so that a bug of ours is never taken for a bad disk."""

from __future__ import annotations

import sqlite3
import zlib
from pathlib import Path

import msgspec

# SQLite's codes for damage, for a file that is shorter than its header says, and for a corrupt file system.
_CODES = {
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_IOERR_SHORT_READ,
    sqlite3.SQLITE_IOERR_CORRUPTFS,
}
_PRIMARY = 0xFF
# Errors without a code: the first is Python's, the second is raised by SQLite's JSON functions.
_MESSAGES = ("Could not decode to UTF-8", "malformed JSON")

# What decoding damaged data may raise, after SQLite has read it.
UNDECODABLE = (msgspec.MsgspecError, UnicodeDecodeError, zlib.error)


def is_damage(problem: BaseException) -> bool:
    if isinstance(problem, UNDECODABLE):
        return True
    if not isinstance(problem, sqlite3.DatabaseError):
        return False
    code = getattr(problem, "sqlite_errorcode", 0)
    return code in _CODES or code & _PRIMARY in _CODES or str(problem).startswith(_MESSAGES)


def damage_message(path: Path, problem: BaseException | str) -> str:
    """Says what is wrong, and what to do."""
    return (
        f"{path} is damaged ({problem}): stop the server, save what is intact with "
        f"`ubongo repair {path} --out NEW`, and serve NEW with --db, or serve a backup."
    )

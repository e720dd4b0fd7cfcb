"""Files that commands write: whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from ubongo.commands import Complaint


@contextmanager
def writing(path: Path, force: bool) -> Iterator[IO[bytes]]:
    """A file that takes its name only when all is written; nothing is overwritten without `force`.

    Asks for what it needs before the work begins, so that nobody waits a minute for a refusal.
    """
    if path.is_dir():
        raise Complaint(f"{path} is a folder; name a file")
    # It would be replaced, not written to: whoever may do that would have a PDF in place of a device.
    if path.exists() and not path.is_file():
        raise Complaint(f"{path} is a device or a pipe; name a file")
    if path.exists() and not force:
        raise Complaint(f"{path} is there already; --force overwrites it")
    # Named before it is made: whenever Ctrl-C comes, there is a name to clean up after.
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with _opened(partial, path) as file:
            yield file
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def made_for(folder: Path, names: Iterable[str], force: bool) -> None:
    """The folder for files of these names; without `force` none of them is there yet."""
    there = [name for name in names if (folder / name).exists()]
    if there and not force:
        more = f" and {len(there) - 1} more are" if len(there) > 1 else " is"
        raise Complaint(f"{folder / there[0]}{more} there already; --force overwrites")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise Complaint(f"{folder} cannot be made a folder: {problem.strerror}") from None


def _opened(partial: Path, path: Path) -> IO[bytes]:
    try:
        return partial.open("wb")
    except OSError as problem:
        raise Complaint(f"{path} cannot be written: {problem.strerror}") from None

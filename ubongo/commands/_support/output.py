"""Files that commands write: whole or not at all."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Annotated

from cyclopts import Parameter

from ubongo.commands import Complaint

STANDARD_OUTPUT = Path("-")


def _no_flag(_type: object, path: Path) -> None:
    """Who leaves the name out gets no file that is called like the flag after it."""
    if path != STANDARD_OUTPUT and str(path).startswith("-"):
        raise ValueError("Name a file.")


Out = Annotated[Path, Parameter(allow_leading_hyphen=True, validator=_no_flag)]


@contextmanager
def writing(path: Path, force: bool) -> Iterator[IO[bytes]]:
    """A file that takes its name only when all is written; nothing is overwritten without `force`. `-` has no name.

    Asks for what it needs before the work begins, so that nobody waits a minute for a refusal.
    """
    if path == STANDARD_OUTPUT:
        yield sys.stdout.buffer
        return
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


def written(path: Path, said: str) -> None:
    """Says what has been written, beside it."""
    if path != STANDARD_OUTPUT:
        sys.stdout.write(f"{path}: {said}\n")


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

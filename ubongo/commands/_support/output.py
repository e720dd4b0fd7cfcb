"""Files that commands write, complete or not at all."""

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
    """If the name is missing, the next flag must not be taken for it."""
    if path != STANDARD_OUTPUT and str(path).startswith("-"):
        raise ValueError("Name a file.")


Out = Annotated[Path, Parameter(allow_leading_hyphen=True, validator=_no_flag)]


@contextmanager
def writing(path: Path, force: bool) -> Iterator[IO[bytes]]:
    """A file that gets its name only when it is complete; `force` overwrites. `-` is standard output.

    Checks everything before the work begins, so that a refusal comes at once.
    """
    if path == STANDARD_OUTPUT:
        yield sys.stdout.buffer
        return
    if path.is_dir():
        raise Complaint(f"{path} is a folder; name a file")
    # It would be replaced, not written to: root would end up with a PDF in place of a device.
    if path.exists() and not path.is_file():
        raise Complaint(f"{path} is a device or a pipe; name a file")
    if path.exists() and not force:
        raise Complaint(f"{path} is there already; --force overwrites it")
    # Named before it is created, so that it can be removed whenever Ctrl-C comes.
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with _opened(partial, path) as file:
            yield file
        partial.replace(path)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def written(path: Path, said: str) -> None:
    """Reports what has been written, unless standard output is the file itself."""
    if path != STANDARD_OUTPUT:
        sys.stdout.write(f"{path}: {said}\n")


def made_for(folder: Path, names: Iterable[str], force: bool) -> None:
    """Creates the folder for files of these names; without `force` none of them may exist."""
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

"""Files that commands write: whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

from ubongo.commands import Complaint


@contextmanager
def writing(path: Path, force: bool) -> Iterator[IO[bytes]]:
    """A file that takes its name only when all is written; nothing is overwritten without `force`.

    Asks for what it needs before the work begins, so that nobody waits a minute for a refusal.
    """
    if path.exists() and not force:
        raise Complaint(f"{path} is there already; --force overwrites it")
    if path.is_dir():
        raise Complaint(f"{path} is a folder; name a file")
    try:
        file = NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False)  # noqa: SIM115 - closed below
    except OSError as problem:
        raise Complaint(f"{path} cannot be written: {problem.strerror}") from None
    try:
        with file:
            yield file
        Path(file.name).chmod(0o666 & ~_umask())
        Path(file.name).replace(path)
    except BaseException:
        with suppress(FileNotFoundError):
            Path(file.name).unlink()
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask

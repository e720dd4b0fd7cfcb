"""A progress bar on a terminal, nothing on a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

# A smaller file is read before a bar could be drawn.
LARGE = 4 << 20


@contextmanager
def bar(what: str, name: str | None) -> Iterator[Callable[[int], None]]:
    """How much of a large file is done; yields the function to tell how many bytes more."""
    size = Path(name).stat().st_size if name is not None and Path(name).is_file() else 0
    if size < LARGE or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console  # rich is for those who look
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=size)
        yield lambda more: progress.update(task, advance=more)


def _nobody(_what: str, _done: int, _total: int) -> None:
    """Nobody looks."""


@contextmanager
def progress() -> Iterator[Callable[[str, int, int], None]]:
    """How far each kind of work is; yields the function to tell what, how much of it is done, and how much there is."""
    if not sys.stderr.isatty():
        yield _nobody
        return
    from rich.console import Console  # rich is for those who look
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as shown:
        bars: dict[str, Any] = {}

        def tell(what: str, done: int, total: int) -> None:
            if what not in bars:
                bars[what] = shown.add_task(what, total=total)
            shown.update(bars[what], completed=done)

        yield tell


@contextmanager
def counting(what: str) -> Iterator[Callable[[str, int], None]]:
    """How far work is whose end is not known; yields the function to tell at what it is, and how many are done."""
    if not sys.stderr.isatty():
        yield lambda _part, _done: None
        return
    from rich.console import Console  # rich is for those who look

    with Console(stderr=True).status(what) as status:
        yield lambda part, done: status.update(f"{what} {part}: {done}")

"""Progress bars, only on a terminal."""

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
    """Progress through a large file; yields the function to report how many more bytes are done."""
    size = Path(name).stat().st_size if name is not None and Path(name).is_file() else 0
    if size < LARGE or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console  # loaded only for a terminal
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=size)
        yield lambda more: progress.update(task, advance=more)


def _no_report(_what: str, _done: int, _total: int) -> None:
    """There is no terminal to report to."""


@contextmanager
def progress() -> Iterator[Callable[[str, int, int], None]]:
    """Progress of each kind of work; yields the function to report a kind, how much of it is done, and the total."""
    if not sys.stderr.isatty():
        yield _no_report
        return
    from rich.console import Console  # loaded only for a terminal
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
    """Progress of work of unknown length; yields the function to report the current part and how many are done."""
    if not sys.stderr.isatty():
        yield lambda _part, _done: None
        return
    from rich.console import Console  # loaded only for a terminal

    with Console(stderr=True).status(what) as status:
        yield lambda part, done: status.update(f"{what} {part}: {done}")

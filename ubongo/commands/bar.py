"""A progress bar on a terminal, nothing on a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

# A smaller file is read before a bar could be drawn.
LARGE = 4 << 20


@contextmanager
def bar(what: str, name: str | None) -> Iterator[Callable[[int], None]]:
    """How much of a large file is done; yields the function to tell how many bytes more."""
    size = Path(name).stat().st_size if name is not None and Path(name).is_file() else 0
    if size < LARGE or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console  # noqa: PLC0415 - rich is for those who look
    from rich.progress import Progress  # noqa: PLC0415

    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(what, total=size)
        yield lambda more: progress.update(task, advance=more)

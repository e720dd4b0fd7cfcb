"""Output of benchmarks: tables, goals reached or missed, and programs that run some of their parts."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Mapping

from rich.console import Console
from rich.table import Table


def console() -> Console:
    return Console() if sys.stdout.isatty() else Console(width=120)


def new_table(title: str, first: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", min_width=100)
    table.add_column(first, ratio=1)
    for column in columns:
        table.add_column(column, justify="left" if column == "goal" else "right")
    return table


def judged(reached: bool) -> str:
    return "[green]reached[/]" if reached else "[red]missed[/]"


def figure(text: str, *goals: tuple[str, bool]) -> None:
    told = [f"{goal}: {'reached' if reached else 'missed'}" for goal, reached in goals]
    print(f"{text} ({'; '.join(told) or 'no goal'})", flush=True)


def print_parts(about: str | None, parts: Mapping[str, Callable[[], object]]) -> None:
    """The parts that the command line names, or all of them."""
    options = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("parts", nargs="*", help=f"of {', '.join(parts)}; without: all")
    wanted = options.parse_args().parts or list(parts)
    if unknown := [part for part in wanted if part not in parts]:
        options.error(f"there is no part {unknown[0]!r}; there are {', '.join(parts)}")
    paper = console()
    for part in wanted:
        paper.print(parts[part]())
    paper.print(f"Load of the machine at the end: {os.getloadavg()[0]:.1f}, of {os.cpu_count()} cores.")

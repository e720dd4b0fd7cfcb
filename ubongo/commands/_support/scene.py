"""A table drawn for a terminal: a panel per seat, the dice, the hourglass and the latest sentences."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.text import Text

from ubongo.game import Game
from ubongo.lattice import Cell
from ubongo.picture import names
from ubongo.pieces import covered
from ubongo.story import clock
from ubongo.table import Instant, Seat, SeatNo, Table, numbered

# By the number of a piece before its seat: dark enough for white letters.
PAINTS = ("#c0392b", "#1f6fb2", "#2e8b57", "#b8860b", "#7d3c98", "#a0522d", "#17808a", "#b03a6e", "#566573")
FREE = "#9a9a9a on #3a3a3a"
SENTENCES = 7
# Columns of characters: where a cell is drawn, and what stands there.
ScreenPosition = tuple[int, int]
Painted = dict[ScreenPosition, tuple[str, str]]


def scene(game: Game, table: Table, now: Instant, sentences: Sequence[str]) -> RenderableType:
    panels = [panel(game, table, number) for number, _ in numbered(table.seats)]
    said = Text("\n".join(sentences[-SENTENCES:]), style="dim")
    return Group(Text(heading(game, table, now), style="bold"), *dice(table), Columns(panels), said)


def heading(game: Game, table: Table, now: Instant) -> str:
    where = "play-off" if table.playoff else f"round {table.round}"
    words = [game.NAME, where if table.area is None else f"area {table.area}, {where}", table.phase, clock(now)]
    if table.glass is not None:
        words.append(f"sand for {max(table.glass.ends - now, 0) / 1000:.0f} s")
    if table.display:
        words.append(f"display {table.display.count('sapphire')} sapphires, {table.display.count('amber')} ambers")
    return " · ".join(words)


def dice(table: Table) -> Iterator[Text]:
    """The dice of a throw; a taken one with its seat."""
    if table.dice:
        text = Text()
        for die in table.dice:
            style = "white on #222222" if die.colour == "black" else "black on white"
            text.append(f" {die.face} ", style if die.taken is None else f"dim {style}")
            text.append("  " if die.taken is None else f"→{die.taken} ")
        yield text


def panel(game: Game, table: Table, number: SeatNo) -> Panel:
    seat = table.seats[number]
    total = game.totals(table)[number]
    marks = [
        word for word, so in (("called", seat.called is not None), ("stop", seat.stop), ("done", seat.passed)) if so
    ]
    title = " · ".join([seat.name, f"{total} points", *marks])
    return Panel(picture(game, table, seat), title=title, border_style="green" if seat.called is not None else "none")


def picture(game: Game, table: Table, seat: Seat) -> Text:
    task = seat.task
    if task is None or task.face == "down":
        return Text("")
    known = game.pieces(table.options)
    pieces = [known[str(name)] for name in task.pieces]
    painted: Painted = {}
    for cell in task.region or ():
        painted[spot(game, cell, task.region or ())] = ("· ", FREE)
    letters = names(len(pieces))
    for where in seat.laid:
        piece = pieces[where.piece]
        paint = f"bold white on {PAINTS[where.piece % len(PAINTS)]}"
        # A card shows its symbols, anything else its letter: colours alone are not enough for every eye.
        marks = [f"{mark:<3}" for mark in piece.marks] or [f"{letters[where.piece]} "] * len(piece.shapes[0])
        for cell, mark in zip(covered(piece, where), marks, strict=True):
            painted[spot(game, cell, task.region or ())] = (mark, paint)
    return drawn(painted)


def spot(game: Game, cell: Cell, region: Sequence[Cell]) -> ScreenPosition:
    """Where a cell begins. Hexagons of the next row begin half a cell further right; levels stand side by side, the
    far row first, as seen from above."""
    match game.NAME, cell:
        case "extreme", (q, r):
            return 2 * q + r, r
        case "cubes", (x, y, z):
            across = max(x for x, _, _ in region) - min(x for x, _, _ in region) + 2
            return 2 * (x + z * across), -y
        case "cards", (x, y):
            return 3 * x, y
        case _, (x, y):
            return 2 * x, y
    raise AssertionError(cell)


def drawn(painted: Painted) -> Text:
    if not painted:
        return Text("")
    left = min(column for column, _ in painted)
    rows = [row for _, row in painted]
    lines = []
    for row in range(min(rows), max(rows) + 1):
        line = Text()
        for column in sorted(column for column, other in painted if other == row):
            said, style = painted[column, row]
            line.append(" " * (column - left - len(line)))
            line.append(said, style)
        lines.append(line)
    return Text("\n").join(lines)

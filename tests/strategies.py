"""What Hypothesis draws: regions cut into pieces, so that there is a filling, on every lattice."""

from __future__ import annotations

from hypothesis import strategies as st

from ubongo.lattice import LATTICES, Cell, Lattice, plus
from ubongo.tiling import Puzzle

lattices = st.sampled_from(list(LATTICES.values()))


@st.composite
def grown(draw: st.DrawFn, lattice: Lattice, smallest: int = 1, largest: int = 16) -> tuple[Cell, ...]:
    """A connected region, grown cell by cell."""
    cells = [(0,) * lattice.dimension]
    for _ in range(draw(st.integers(smallest, largest)) - 1):
        edge = sorted({plus(cell, step) for cell in cells for step in lattice.steps}.difference(cells))
        cells.append(draw(st.sampled_from(edge)))
    return tuple(cells)


@st.composite
def puzzles(draw: st.DrawFn, largest: int = 14) -> Puzzle:
    """A region cut into pieces of up to five cells; pieces may be equal, and `mirror` may be set."""
    lattice = draw(lattices)
    region = draw(grown(lattice, 2, largest))
    left, pieces = list(region), []
    while left:
        piece = [left.pop(0)]
        for _ in range(draw(st.integers(0, 4))):
            near = [cell for cell in left if any(plus(cell, step) in piece for step in lattice.steps)]
            if not near:
                break
            piece.append(draw(st.sampled_from(near)))
            left.remove(piece[-1])
        pieces.append(tuple(piece))
    return Puzzle(lattice.name, region, tuple(pieces), draw(st.sampled_from([None, None, True, False])))

"""Uses a region's symmetry: one placement of each orbit stands for the whole orbit.

Every filling has one placement of the chosen kind (or one for each copy). Turning the region onto itself turns fillings
into fillings, so all placements of an orbit have equally many, and counting one of them is enough.
"""

from __future__ import annotations

from ubongo.lattice import LATTICES, Cell, anchored, moved
from ubongo.tiling import Option, Puzzle, TilingSearch


def symmetries(task: Puzzle) -> list[dict[Cell, Cell]]:
    """The motions, of those that pieces may use, that map the region onto itself; the identity first."""
    home = dict(zip(anchored(task.region), task.region, strict=True))
    found = []
    for motion in LATTICES[task.lattice].motions(task.mirror):
        image = anchored(moved(motion, cell) for cell in task.region)
        if all(cell in home for cell in image):
            found.append(dict(zip(task.region, [home[cell] for cell in image], strict=True)))
    return found


def orbits(task: Puzzle, search: TilingSearch) -> list[tuple[int, Option]]:
    """One option of each orbit, with the orbit's size, for the kind with the fewest orbits; empty without symmetry."""
    motions = symmetries(task)
    if len(motions) == 1:
        return []
    bit = {cell: 1 << i for i, cell in enumerate(search.cells)}
    by_bits = [[bit[motion[cell]] for cell in search.cells] for motion in motions]
    by_kind: list[dict[int, Option]] = [{} for _ in search.kinds]
    for options in search.options:
        for option in options:
            by_kind[option.kind][option.bits] = option
    # A kind with far more options than another cannot have fewer orbits: it need not be tried.
    fewest = min(map(len, by_kind))
    tried = [(_orbits(options, by_bits), len(options)) for options in by_kind if len(options) <= 2 * fewest]
    return min(tried, key=lambda one: (len(one[0]), one[1]))[0]


def _orbits(options: dict[int, Option], motions: list[list[int]]) -> list[tuple[int, Option]]:
    left = dict(options)
    found = []
    while left:
        bits, option = next(iter(left.items()))
        covered = [i for i in range(bits.bit_length()) if bits >> i & 1]
        images = {sum([motion[i] for i in covered]) for motion in motions}
        for image in images:
            del left[image]
        found.append((len(images), option))
    return found

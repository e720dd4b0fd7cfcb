"""An endless stream of different tasks with exactly one filling, graded, each chunk sorted by difficulty.

Areas are grown in chunks, each with random numbers of its own, so that a seed gives the same stream with any number of
processes. An area that occurred before is skipped; only a hash of each area is stored.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import blake2b
from itertools import count

import msgspec
from msgspec import Struct

from ubongo.chance import Chance
from ubongo.lattice import CUBIC, HEX, SQUARE, Lattice, Shape
from ubongo.material import cubes, extreme
from ubongo.pieces import canonical
from ubongo.workshop.crew import Crew
from ubongo.workshop.cubes import fits_board
from ubongo.workshop.extreme import QUOTAS
from ubongo.workshop.grade import grade
from ubongo.workshop.grow import flat_areas, grown, handsome, symmetric, whole
from ubongo.workshop.luck import WorkshopLuck
from ubongo.workshop.survey import Stock

_AREAS_A_CHUNK = 48
# All areas of the boards' sizes come first, from a complete list; then larger ones, for five pieces.
_CUBES_LISTED, _CUBES_GROWN = range(6, 11), (11, 12)
_BOX = (5, 5)


class Chunk(Struct, frozen=True):
    game: str
    areas: tuple[Shape, ...] | None  # None: grow them
    luck: int


class CatalogueEntry(Struct, frozen=True, array_like=True):
    """An area's tasks: a hash of the area, and for each task eight times its difficulty and its line of JSON."""

    area: int
    tasks: tuple[tuple[int, bytes], ...]


def lines(game: str, seed: int, crew: Crew) -> Iterator[list[bytes]]:
    """The tasks, chunk by chunk, as JSON lines."""
    seen: set[int] = set()
    for entries in crew.stream(survey, _chunks(game, Chance(str(seed)))):
        fresh = {entry.area: entry for entry in entries if entry.area not in seen}
        seen |= fresh.keys()
        tasks = sorted(task for entry in fresh.values() for task in entry.tasks)
        if tasks:
            yield [line for _, line in tasks]


def _chunks(game: str, chance: Chance) -> Iterator[Chunk]:
    if game == "cubes":
        listed = [area for area in flat_areas(5, 4, _CUBES_LISTED) if not symmetric(SQUARE, area) and fits_board(area)]
        for low in range(0, len(listed), _AREAS_A_CHUNK):
            yield Chunk(game, tuple(listed[low : low + _AREAS_A_CHUNK]), 0)
    for number in count():
        yield Chunk(game, None, chance.word("catalogue", game, number))


def survey(chunk: Chunk) -> list[CatalogueEntry]:
    """Every task of the chunk's areas."""
    entries_of = _extreme_entry if chunk.game == "extreme" else _cubes_entry
    lattice = HEX if chunk.game == "extreme" else SQUARE
    areas = chunk.areas if chunk.areas is not None else _grown(chunk, lattice)
    return [CatalogueEntry(_word(canonical(lattice, area, True)), tuple(entries_of(area))) for area in areas]


def _grown(chunk: Chunk, lattice: Lattice) -> Iterator[Shape]:
    luck = WorkshopLuck(chunk.luck)
    sizes = [size for quotas in QUOTAS.values() for size in quotas] if lattice == HEX else list(_CUBES_GROWN)
    for _ in range(_AREAS_A_CHUNK):
        area = grown(luck, luck.pick(sizes), lattice)
        pleasant = handsome(area) if lattice == HEX else _fits(area)
        if pleasant and whole(lattice, area) and not symmetric(lattice, area):
            yield area


def _fits(area: Shape) -> bool:
    sizes = sorted((max(axis) + 1 for axis in zip(*area, strict=True)), reverse=True)
    return all(size <= room for size, room in zip(sizes, _BOX, strict=True))


def _word(area: Shape) -> int:
    return int.from_bytes(blake2b(repr(area).encode(), digest_size=8).digest(), "big")


@cache
def _stocks() -> dict[str, tuple[Stock, list[msgspec.Raw]]]:
    """The pieces to choose from, each encoded once as JSON: they are most of a line."""
    stocks = {"cubes": (Stock("cubic", cubes.SHAPES), _raw(cubes.SHAPES))}
    for colour in extreme.COLOURS:
        stocks[colour] = Stock("hex", extreme.SHAPES[colour]), _raw(extreme.SHAPES[colour])
    return stocks


def _raw(shapes: tuple[Shape, ...]) -> list[msgspec.Raw]:
    return [msgspec.Raw(msgspec.json.encode(shape)) for shape in shapes]


def _extreme_entry(area: Shape) -> Iterator[tuple[int, bytes]]:
    name = f"{_word(area):016x}"
    pieces = 3 if len(area) in QUOTAS[3] else 4
    region = msgspec.Raw(msgspec.json.encode(area))
    for colour in extreme.COLOURS:
        stock, written = _stocks()[colour]
        for found in stock.graded(area, pieces):
            numbers = [piece + 1 for piece in found.pieces]
            own = {"side": pieces, "colour": colour, "numbers": numbers}
            names = f"{name}-{colour}-{'-'.join(map(str, numbers))}"
            yield found.eighths, _line(names, "hex", region, [written[i] for i in found.pieces], own, found.eighths)


def _cubes_entry(area: Shape) -> Iterator[tuple[int, bytes]]:
    name = f"{_word(area):016x}"
    pieces = 3 if len(area) <= 7 else 4 if len(area) <= 10 else 5
    both = cubes.two_levels(area)
    region = msgspec.Raw(msgspec.json.encode(both))
    stock, written = _stocks()["cubes"]
    for found in stock.graded(both, pieces):
        kinds = [piece + 1 for piece in found.pieces]
        names = f"{name}-{'-'.join(map(str, kinds))}"
        own = {"side": pieces, "kinds": kinds}
        yield found.eighths, _line(names, CUBIC.name, region, [written[i] for i in found.pieces], own, found.eighths)


def _line(
    name: str, lattice: str, region: msgspec.Raw, pieces: list[msgspec.Raw], own: Mapping[str, object], eighths: int
) -> bytes:
    hard = eighths / 8
    task = {"id": name, "lattice": lattice, "region": region, "pieces": pieces, **own}
    return msgspec.json.encode(task | {"solutions": 1, "difficulty": hard, "grade": grade(hard)}) + b"\n"

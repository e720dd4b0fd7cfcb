"""Proves an edition of the dice game from scratch: all rounds in compiled code, some sheets in plain Python too."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ubongo.lattice import SQUARE, Shape, anchored
from ubongo.material.dice import AREAS, LARGEST, SHEETS, SMALLEST, Area, DiceEdition
from ubongo.pieces import canonical
from ubongo.workshop.crew import Crew
from ubongo.workshop.findings import Findings
from ubongo.workshop.plain_player import in_hundredths, rounds
from ubongo.workshop.sheets import BAND, blemishes, hundredths


def check(edition: DiceEdition, crew: Crew, slowly: int = 1) -> Findings:
    """`slowly`: how many sheets, from the first, are also played in plain Python; each takes seconds."""
    named = {
        f"area {place} of sheet {number}": area
        for number, sheet in enumerate(edition.sheets, 1)
        for place, area in enumerate(sheet.areas, 1)
    }
    findings = Findings([], [*_misprints(edition), *_congruent(named)])
    for name, area in named.items():
        findings.failed += [f"{name}: {blemish}" for blemish in _ill_formed(area)]
    if findings.failed:
        return findings
    findings.proved += [
        f"{SHEETS} sheets of {AREAS} areas, growing from {SMALLEST} to {LARGEST} squares; no two are congruent",
        "every area is connected, has no hole and is pleasant to look at",
    ]
    _play(named, crew, slowly, findings)
    return findings


def _misprints(edition: DiceEdition) -> Iterator[str]:
    if len(edition.sheets) != SHEETS:
        yield f"there are {len(edition.sheets)} sheets; there are {SHEETS}"
    for number, sheet in enumerate(edition.sheets, 1):
        sizes = [len(area.region) for area in sheet.areas]
        growing = all(before < after for before, after in pairwise(sizes))
        if len(sizes) != AREAS or not growing or (sizes[0], sizes[-1]) != (SMALLEST, LARGEST):
            yield f"sheet {number} has areas of {sizes} squares; {AREAS} are to grow from {SMALLEST} to {LARGEST}"


def _congruent(named: dict[str, Area]) -> Iterator[str]:
    seen: dict[Shape, str] = {}
    for name, area in named.items():
        before = seen.setdefault(canonical(SQUARE, area.region), name)
        if before != name:
            yield f"{name} is congruent with {before}"


def _ill_formed(area: Area) -> Iterator[str]:
    if area.region != tuple(sorted(anchored(set(area.region)))):
        yield "its squares are not sorted, start elsewhere than at 0 or come twice"
    yield from blemishes(area.region)


def _play(named: dict[str, Area], crew: Crew, slowly: int, findings: Findings) -> None:
    regions = [area.region for area in named.values()]
    for (name, area), found in zip(named.items(), crew.map(hundredths, regions, "dice: rounds"), strict=True):
        if found != round(100 * area.difficulty):
            findings.failed.append(f"{name} takes {found / 100} rounds; it says {area.difficulty}")
        if found not in BAND:
            findings.failed.append(f"{name} takes {found / 100} rounds, not {BAND[0] / 100} to {BAND[-1] / 100}")
    some = dict(list(named.items())[: slowly * AREAS])
    again = crew.map(rounds, [area.region for area in some.values()], "dice: rounds, in plain Python")
    findings.failed += [
        f"{name} takes {in_hundredths(found) / 100} rounds in plain Python; it says {area.difficulty}"
        for (name, area), found in zip(some.items(), again, strict=True)
        if in_hundredths(found) != round(100 * area.difficulty)
    ]
    if not findings.failed:
        findings.proved.append(
            f"the plain player needs {BAND[0] / 100} to {BAND[-1] / 100} rounds for every area, as it says; "
            f"{len(some)} of them were played in plain Python too"
        )

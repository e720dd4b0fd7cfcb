"""The pieces of 3-D for a 3-D printer: each type, a plate per colour with all copies, and a page that shows them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from ubongo.commands import Complaint
from ubongo.commands._support.output import STANDARD_OUTPUT, made_for, writing
from ubongo.commands._support.progress_bar import progress
from ubongo.material import cubes
from ubongo.material.cubes import CubesEdition

if TYPE_CHECKING:
    from ubongo.printing.mesh import Mesh
    from ubongo.printing.order import Order

PLATE, GAP = 180.0, 4.0
# A cube's edge: smaller ones have no room for a number, larger ones none on the printer.
SMALLEST, LARGEST = 8, 50
PAGE = "pieces.pdf"


class Solids(Struct, frozen=True):
    """`edge` None: as wide as the squares of the boards. `asked`: whether any of these options was given."""

    edge: float | None = None
    clearance: float = 0.15
    mesh: str = "stl"
    asked: bool = False


def solids_asked(game: str, part: str, edge: float | None, clearance: float | None, mesh: str | None) -> Solids:
    if (edge, clearance, mesh) == (None, None, None):
        return Solids()
    if (game, part) != ("cubes", "pieces"):
        raise Complaint("--edge, --clearance and --mesh are for solids: ubongo print cubes --part pieces --out DIR")
    if edge is not None:
        _must_be_of_a_size(edge, f"--edge is {edge:g}")
    if clearance is not None and not 0.05 <= clearance <= 0.5:
        raise Complaint(f"--clearance is {clearance:g}; it is 0.05 to 0.5 mm")
    if mesh not in {None, "stl", "3mf"}:
        raise Complaint(f"--mesh is {mesh!r}; it is stl or 3mf")
    return Solids(edge, Solids().clearance if clearance is None else clearance, mesh or Solids().mesh, asked=True)


def _must_be_of_a_size(edge: float, said: str) -> None:
    if not SMALLEST <= edge <= LARGEST:
        raise Complaint(f"{said}; a cube's edge is {SMALLEST} to {LARGEST} mm")


def write_solids(edition: CubesEdition, order: Order, asked: Solids, folder: Path, force: bool) -> None:
    """Writes all files, or none if one of them exists already."""
    from ubongo.printing.cubes_board import cube_edge  # what draws is for those who print
    from ubongo.printing.mesh_file import FORMATS
    from ubongo.printing.parts import printed
    from ubongo.printing.pdf import write as write_pdf

    if folder == STANDARD_OUTPUT or folder.suffix.lower() in {".pdf", ".stl", ".3mf"}:
        raise Complaint(f"--out is {folder}; the pieces of cubes are many files, so name a folder")
    kinds = [f"type-{kind:02}" for kind in range(1, len(cubes.SHAPES) + 1)]
    plates = [f"plate-{colour}" for colour in dict.fromkeys(cubes.PIECE_COLOURS)]
    files = [f"{name}.{asked.mesh}" for name in (*kinds, *plates)]
    edge = asked.edge or cube_edge(edition) * order.scale
    _must_be_of_a_size(edge, f"--scale {order.scale:g} makes cubes of {edge:g} mm")
    made_for(folder, (*files, PAGE), force)
    with progress() as tell:
        for done, (name, mesh) in enumerate(zip(files, meshes(edge, asked.clearance), strict=True), 1):
            with writing(folder / name, force) as file:
                FORMATS[asked.mesh](mesh, file)
            tell("writing", done, len(files))
    with writing(folder / PAGE, force) as file:
        pages = [(sheet.size, sheet.body) for sheet in printed(edition, "pieces", order)]
        write_pdf(pages, file, f"Ubongo · {edition.id}", lambda _: None)
    sys.stdout.write(f"{folder}: {len(files)} solids with cubes of {edge:g} mm, and {PAGE}, which shows them\n")


def meshes(edge: float, clearance: float) -> Iterator[Mesh]:
    """The sixteen types as they are best printed, flat, and then the plates."""
    from ubongo.printing.mesh import block, plate
    from ubongo.printing.solid import best_seen

    made = [
        # Drawn in at its foot as well, it would float above the printer's bed.
        block(best_seen(cubes.pieces()[cubes.name_of(kind)].shapes), edge, clearance, kind).moved((0, 0, -clearance))
        for kind in range(1, len(cubes.SHAPES) + 1)
    ]
    yield from made
    for colour in dict.fromkeys(cubes.PIECE_COLOURS):
        copies = [
            mesh
            for mesh, of, count in zip(made, cubes.PIECE_COLOURS, cubes.COPIES, strict=True)
            for _ in range(count)
            if of == colour
        ]
        yield plate(copies, PLATE, GAP)

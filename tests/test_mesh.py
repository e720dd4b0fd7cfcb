"""Blocks to print: closed, of the right size, and not each other's mirror image."""

import struct
from collections import Counter
from itertools import product
from pathlib import Path
from xml.etree import ElementTree as ET
from zipfile import ZipFile

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.program import ubongo
from ubongo.lattice import CUBIC, Cell
from ubongo.material.cubes import COPIES, PIECE_COLOURS, SHAPES
from ubongo.pieces import canonical
from ubongo.printing.mesh import DEPTH, FIGURES, Mesh, block

Triangles = NDArray[np.float64]
EDGE, CLEARANCE = 14.0, 0.15
PIECES = ("print", "cubes", "--part", "pieces")


def in_space(mesh: Mesh) -> Triangles:
    return np.array([[mesh.corners[corner] for corner in triangle] for triangle in mesh.triangles])


def in_stl(file: Path) -> Triangles:
    data = file.read_bytes()
    [count] = struct.unpack_from("<I", data, 80)
    assert len(data) == 84 + 50 * count
    rows = [struct.unpack_from("<12f", data, 84 + 50 * place)[3:] for place in range(count)]
    return np.array(rows).reshape(count, 3, 3)


def in_3mf(file: Path) -> Triangles:
    with ZipFile(file) as packed:
        model = ET.fromstring(packed.read("3D/3dmodel.model"))
    assert model.get("unit") == "millimeter"
    space = {"m": model.tag[1:].partition("}")[0]}
    corners = [[float(one.attrib[axis]) for axis in "xyz"] for one in model.iterfind(".//m:vertex", space)]
    names = [[int(one.attrib[f"v{k}"]) for k in (1, 2, 3)] for one in model.iterfind(".//m:triangle", space)]
    found: Triangles = np.array(corners)[np.array(names)]
    return found


def open_edges(triangles: Triangles) -> int:
    """Edges that are not gone along exactly once each way."""
    ways = Counter[tuple[object, object]]()
    for triangle in np.round(triangles, 3):
        corners = [tuple(corner) for corner in triangle.tolist()]
        ways.update(zip(corners, corners[1:] + corners[:1], strict=True))
    return sum(1 for way, count in ways.items() if count != 1 or ways[way[::-1]] != 1)


def volume(triangles: Triangles) -> float:
    a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
    return float((a * np.cross(b, c)).sum() / 6)


def cells_in(triangles: Triangles, edge: float) -> list[Cell]:
    """The cubes whose middle is inside: a line upwards from it crosses the surface an odd number of times."""
    found = []
    for cell in product(range(5), repeat=3):
        x, y, z = ((axis + 0.5) * edge + shift for axis, shift in zip(cell, (-3.1, -3.3, 0), strict=True))
        crossed = 0
        for a, b, c in triangles:
            turns = [(q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0]) for p, q in ((a, b), (b, c), (c, a))]
            if all(turn > 0 for turn in turns) or all(turn < 0 for turn in turns):
                crossed += max(a[2], b[2], c[2]) > z
        if crossed % 2:
            found.append(cell)
    return found


@pytest.mark.parametrize("kind", range(1, 17))
def test_a_block_is_closed_and_as_large_as_it_should_be(kind: int) -> None:
    cells = SHAPES[kind - 1]
    triangles = in_space(block(cells, EDGE, CLEARANCE, kind))
    assert open_edges(triangles) == 0
    # A cube drawn in on all sides; what joins two cubes; where four meet about an edge, what joins those.
    inner, joint = EDGE - 2 * CLEARANCE, 2 * CLEARANCE
    fours = {
        (cell, plane)
        for cell in cells
        for plane in (((1, 0, 0), (0, 1, 0)), ((1, 0, 0), (0, 0, 1)), ((0, 1, 0), (0, 0, 1)))
        if {tuple(np.add(cell, step)) for step in (*plane, np.add(*plane))} <= set(cells)
    }
    pairs = sum(tuple(np.add(cell, step)) in cells for cell in cells for step in ((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    solid = len(cells) * inner**3 + pairs * inner**2 * joint + len(fours) * inner * joint**2
    points = sum(FIGURES[figure].count("#") for figure in str(kind)) + (3 if kind in {6, 9} else 0)
    assert volume(triangles) == pytest.approx(solid - points * (inner * 0.1) ** 2 * DEPTH, rel=1e-6)


def test_a_block_is_its_own_type_and_not_the_twin() -> None:
    for kind in (2, 11, 3, 10):
        found = cells_in(in_space(block(SHAPES[kind - 1], EDGE, CLEARANCE, kind)), EDGE)
        assert canonical(CUBIC, tuple(found), mirror=False) == canonical(CUBIC, SHAPES[kind - 1], mirror=False)


@pytest.mark.parametrize(("kind", "read"), [("stl", in_stl), ("3mf", in_3mf)])
def test_files_hold_every_type_and_all_copies(kind: str, read: object, tmp_path: Path) -> None:
    assert callable(read)
    out = tmp_path / "blocks"
    done = ubongo(*PIECES, "--mesh", kind, "--edge", "16", "--clearance", "0.2", "--out", out)
    assert (done.returncode, done.stderr) == (0, "")
    assert len(list(out.iterdir())) == 16 + 4 + 1
    single = {number: read(out / f"type-{number:02}.{kind}") for number in range(1, 17)}
    low, high = (pick(single[16].reshape(-1, 3), axis=0) for pick in (np.min, np.max))
    assert sorted(high - low) == pytest.approx([16 - 0.4, 32 - 0.4, 48 - 0.4], abs=1e-3)
    for triangles in single.values():
        assert triangles[:, :, 2].min() == pytest.approx(0, abs=1e-6)
    for colour in set(PIECE_COLOURS):
        plate = read(out / f"plate-{colour}.{kind}")
        assert open_edges(plate) == 0
        mine = [number for number in range(1, 17) if PIECE_COLOURS[number - 1] == colour]
        wanted = sum(volume(single[number]) * COPIES[number - 1] for number in mine)
        assert volume(plate) == pytest.approx(wanted, rel=1e-4)
        assert (np.ptp(plate.reshape(-1, 3), axis=0)[:2] < 200).all()
        assert plate.reshape(-1, 3)[:, 2].min() == pytest.approx(0, abs=1e-6)
    again = ubongo(*PIECES, "--mesh", kind, "--out", out)
    assert (again.returncode, again.stderr.count("\n")) == (2, 1)
    assert "there already; --force overwrites" in again.stderr


def test_a_scale_makes_no_smaller_cubes_than_edge_may(tmp_path: Path) -> None:
    done = ubongo(*PIECES, "--scale", "0.5", "--out", tmp_path / "blocks")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "ubongo: --scale 0.5 makes cubes of 7 mm; a cube's edge is 8 to 50 mm\n"
    assert list(tmp_path.iterdir()) == []
    assert ubongo(*PIECES, "--scale", "0.5", "--edge", "8", "--out", tmp_path / "blocks").returncode == 0

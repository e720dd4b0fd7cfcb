"""Meshes as files for 3-D printers: STL, and 3MF, which also states its unit."""

from __future__ import annotations

import struct
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from ubongo.printing.mesh import Mesh, Vertex

MODEL = "http://schemas.microsoft.com/3dmanufacturing/core/2015/02"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"
HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'


def stl(mesh: Mesh, out: IO[bytes]) -> None:
    out.write(b"Ubongo, millimetres".ljust(80) + struct.pack("<I", len(mesh.triangles)))
    for triangle in mesh.triangles:
        a, b, c = (mesh.corners[corner] for corner in triangle)
        out.write(struct.pack("<12fH", *_normal(a, b, c), *a, *b, *c, 0))


def _normal(a: Vertex, b: Vertex, c: Vertex) -> Vertex:
    """All our sides are perpendicular to an axis."""
    (ux, uy, uz), (vx, vy, vz) = ([q - p for p, q in zip(a, end, strict=True)] for end in (b, c))
    x, y, z = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    length = (x * x + y * y + z * z) ** 0.5
    return x / length, y / length, z / length


def three_mf(mesh: Mesh, out: IO[bytes]) -> None:
    corners = "".join(f'<vertex x="{x:.4f}" y="{y:.4f}" z="{z:.4f}"/>' for x, y, z in mesh.corners)
    triangles = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in mesh.triangles)
    model = (
        f'{HEAD}<model unit="millimeter" xml:lang="en" xmlns="{MODEL}"><resources><object id="1" type="model"><mesh>'
        f"<vertices>{corners}</vertices><triangles>{triangles}</triangles></mesh></object></resources>"
        '<build><item objectid="1"/></build></model>'
    )
    types = (
        f'{HEAD}<Types xmlns="{PACKAGE}/content-types">'
        '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="model" ContentType="application/vnd.ms-package.3dmanufacturing-3dmodel+xml"/></Types>'
    )
    relations = (
        f'{HEAD}<Relationships xmlns="{PACKAGE}/relationships"><Relationship Target="/3D/3dmodel.model" Id="rel0" '
        'Type="http://schemas.microsoft.com/3dmanufacturing/2013/01/3dmodel"/></Relationships>'
    )
    with ZipFile(out, "w", ZIP_DEFLATED) as packed:
        for name, text in (("[Content_Types].xml", types), ("_rels/.rels", relations), ("3D/3dmodel.model", model)):
            # A fixed date: the same pieces give the same bytes.
            packed.writestr(ZipInfo(name), text, ZIP_DEFLATED)


FORMATS = {"stl": stl, "3mf": three_mf}

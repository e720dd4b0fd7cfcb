"""Makes src/fonts/nunito.woff2, the page's typeface, from the static files of Nunito. The result is committed.

FOLDER is the unpacked npm package @expo-google-fonts/nunito. It has the whole character set with its kerning; the
published variable files are split by script, without kerning between the parts.

.venv/bin/uv run --no-project --with fonttools --with brotli web/font.py FOLDER
"""

import sys
from io import BytesIO
from pathlib import Path

from fontTools.designspaceLib import AxisDescriptor, DesignSpaceDocument, SourceDescriptor
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont
from fontTools.varLib import build

TARGET = Path(__file__).parent / "src" / "fonts" / "nunito.woff2"
# ASCII, Latin-1 and Latin Extended-A (so every language of central Europe), and the punctuation that our texts use.
CHARACTERS = (
    *range(0x20, 0x7F),
    *range(0xA0, 0x180),
    *map(ord, "ȘșȚțẞ‐‑–—‘’‚“”„†•…‰′″‹›⁄€⁰⁴⁵⁶⁷⁸⁹™−≈≠≤≥"),
)
FEATURES = ["kern", "mark", "mkmk", "ccmp", "locl", "case"]
# The weights we use are between these two; fewer masters make a smaller file.
MASTERS = {400: "400Regular", 800: "800ExtraBold"}
# The design is not linear in its weights. These are the positions of the static 500, 600 and 700 between the two (least
# squares over all points of all outlines; no point is off by more than 0.8 % of an em).
WEIGHTS = [(400, 400), (500, 457.5), (600, 514.9), (700, 652.1), (800, 800)]


def master(file: Path) -> TTFont:
    options = Options(layout_features=FEATURES, name_IDs=["*"], notdef_outline=True, glyph_names=True)
    font = TTFont(file, recalcTimestamp=False)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=CHARACTERS)
    subsetter.subset(font)
    # Reading it again removes what the subset left out.
    packed = BytesIO()
    font.save(packed)
    return TTFont(packed, recalcTimestamp=False)


def make(folder: Path) -> None:
    design = DesignSpaceDocument()
    design.addAxis(AxisDescriptor(tag="wght", name="Weight", minimum=400, default=400, maximum=800, map=WEIGHTS))
    for weight, name in MASTERS.items():
        font = master(folder / name / f"Nunito_{name}.ttf")
        design.addSource(SourceDescriptor(font=font, location={"Weight": weight}, name=name))
    variable, *_ = build(design)
    variable.recalcTimestamp = False
    variable.flavor = "woff2"
    variable.save(TARGET)


if __name__ == "__main__":
    make(Path(sys.argv[1]))

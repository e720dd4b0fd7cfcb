"""Drawings, and what both writers make of them."""

from io import BytesIO

import pypdfium2
from PIL.Image import Image

from ubongo.printing import ink
from ubongo.printing.drawing import Drawing, Group, Path, Style, Text, circle, moved, path_data, polyline, rectangle
from ubongo.printing.pdf import write
from ubongo.printing.svg import elements, svg_page

BLACK = Style(fill="#000000")


def black(drawing: Drawing) -> set[tuple[int, int]]:
    """The square millimetres of a printed page of 40 × 20 mm that are black in their middle."""
    out = BytesIO()
    assert write([((40, 20), drawing)], out, "a test", lambda _: None) == 1
    page: Image = pypdfium2.PdfDocument(out)[0].render(scale=10 * 25.4 / 72).to_pil().convert("L")
    return {(x, y) for x in range(40) for y in range(20) if page.getpixel((10 * x + 5, 10 * y + 5)) == 0}


def test_hand_drawn_data_are_read_as_absolute_segments() -> None:
    assert path_data("M1 2L3-4H5V.5h.5Z") == (
        ("M", ((1, 2),)),
        ("L", ((3, -4),)),
        ("L", ((5, -4),)),
        ("L", ((5, 0.5),)),
        ("L", ((5.5, 0.5),)),
        ("Z", ()),
    )
    # T mirrors the control point of the curve before it.
    assert path_data("M0 0Q1 2 2 0T4 0") == (("M", ((0, 0),)), ("Q", ((1, 2), (2, 0))), ("Q", ((3, -2), (4, 0))))
    assert path_data("M0 0C1-1 2 1 3 0") == (("M", ((0, 0),)), ("C", ((1, -1), (2, 1), (3, 0))))


def test_a_group_is_scaled_then_rotated_then_moved() -> None:
    square = (Path(rectangle(0, 0, 2, 1), BLACK),)
    assert black(square) == {(0, 0), (1, 0)}
    assert black(moved(10, 5, square, angle=90, scale=2)) == {(x, y) for x in (8, 9) for y in range(5, 9)}
    assert black(moved(40, 20, square, angle=180)) == {(38, 19), (39, 19)}
    [group] = moved(10, 5, square, angle=90, scale=2)
    assert 'transform="translate(10 5) rotate(90) scale(2)"' in elements((group,))


def test_a_style_does_not_reach_the_next_path() -> None:
    special = Style(stroke="#777777", width=2, dashes=(3, 2), round_caps=True)
    first, second = Path(polyline((2, 3), (38, 3)), special), Path(rectangle(2, 10, 36, 4), BLACK)
    assert black((first, second)) == black((second,)) == {(x, y) for x in range(2, 38) for y in range(10, 14)}
    assert elements((first, second)) == (
        '<path d="M2 3L38 3" stroke="#777777" stroke-width="2" stroke-linecap="round" stroke-dasharray="3 2"/>'
        '<path d="M2 10L38 10L38 14L2 14Z" fill="#000000"/>'
    )


def test_a_file_has_the_patterns_that_it_uses() -> None:
    red = Path(circle(5, 5, 4), Style(pattern="red", stroke=ink.INK))
    file = svg_page((40, 20), "a <test>", (Group((red,), name="piece"), Text(1, 2, 3, "a & b", ink.INK, strong=True)))
    assert "<title>a &lt;test&gt;</title>" in file
    assert (file.count("<pattern"), file.count('id="p-red"'), file.count('fill="url(#p-red)"')) == (1, 1, 1)
    assert '<g class="piece"><path d="M9 5C' in file
    assert f'<text x="1" y="2" font-size="3" font-weight="700" fill="{ink.INK}">a &amp; b</text>' in file

"""A drawing as a self-contained SVG file in millimetres."""

from __future__ import annotations

from functools import lru_cache
from html import escape

from ubongo.printing import ink
from ubongo.printing.drawing import Drawing, Group, Path, Segments, Style, Text

FONTS = "ui-rounded,'SF Pro Rounded',system-ui,'Segoe UI',Roboto,'DejaVu Sans',sans-serif"


def svg_page(size: tuple[int, int], title: str, drawing: Drawing) -> str:
    """The whole file, with the patterns that the drawing uses."""
    width, height = size
    body = elements(drawing)
    patterns = "".join(_pattern(colour) for colour in ink.PATTERNS if f"url(#p-{colour})" in body)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" viewBox="0 0 {width} {height}" '
        f'font-family="{FONTS}" fill="none" stroke-linejoin="round"><title>{escape(title)}</title>'
        f'<defs>{patterns}</defs><rect width="{width}" height="{height}" fill="{ink.PAPER}"/>{body}</svg>\n'
    )


def elements(drawing: Drawing) -> str:
    return "".join(map(_element, drawing))


def _element(element: Path | Text | Group) -> str:
    match element:
        case Path():
            return f'<path{_class(element.name)} d="{_data(element.segments)}"{_attributes(element.style)}/>'
        case Text():
            style = ' font-weight="700"' if element.strong else ""
            style += f' text-anchor="{element.anchor}"' if element.anchor != "start" else ""
            return (
                f'<text x="{short(element.x)}" y="{short(element.y)}" font-size="{short(element.size)}"{style} '
                f'fill="{element.colour}">{escape(element.text)}</text>'
            )
        case Group():
            return f"<g{_class(element.name)}{_transform(element)}>{elements(element.drawing)}</g>"


def _class(name: str) -> str:
    return f' class="{name}"' if name else ""


def _transform(group: Group) -> str:
    steps = [f"translate({short(group.x)} {short(group.y)})"] if group.x or group.y else []
    steps += [f"rotate({group.angle:g})"] if group.angle else []
    steps += [f"scale({group.scale:.4g})"] if group.scale != 1 else []
    return f' transform="{" ".join(steps)}"' if steps else ""


@lru_cache(maxsize=4096)
def _data(segments: Segments) -> str:
    return "".join(kind + " ".join(f"{short(x)} {short(y)}" for x, y in points) for kind, points in segments)


@lru_cache
def _attributes(style: Style) -> str:
    fill = f"url(#p-{style.pattern})" if style.pattern else style.fill
    given = {
        "fill": fill,
        "stroke": style.stroke,
        "stroke-width": short(style.width) if style.stroke else "",
        "stroke-linecap": "round" if style.round_caps else "",
        "stroke-dasharray": " ".join(map(short, style.dashes)),
    }
    return "".join(f' {name}="{value}"' for name, value in given.items() if value)


def _pattern(colour: str) -> str:
    side, mark = ink.PATTERNS[colour]
    return (
        f'<pattern id="p-{colour}" width="{side:g}" height="{side:g}" patternUnits="userSpaceOnUse">'
        f"{elements((mark,))}</pattern>"
    )


def short(length: float) -> str:
    """A length in as few characters as possible, to hundredths of a millimetre.

    >>> short(1.5), short(2.0), short(-0.001)
    ('1.5', '2', '0')
    """
    return f"{round(length, 2) + 0.0:g}"

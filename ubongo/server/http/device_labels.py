"""What a device is called among a person's others: its browser and its system, and nothing else of what it says."""

from __future__ import annotations

# By what browsers and systems say of themselves; who pretends to be others, too, comes first.
_BROWSERS = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser", "Samsung Internet"),
    ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
)
_SYSTEMS = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS", "macOS"),
    ("Linux", "Linux"),
)


def label_of(user_agent: str) -> str:
    """Empty, if it is no browser that we know.

    >>> label_of("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox · Linux'
    >>> label_of("curl/8.5.0")
    ''
    """
    found = [next((name for said, name in known if said in user_agent), "") for known in (_BROWSERS, _SYSTEMS)]
    return " · ".join(found) if all(found) else ""

"""The label of a device: its browser and operating system, and nothing else of its user agent."""

from __future__ import annotations

# By substrings of the user agent. A browser that also names others comes before them.
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
    """Empty for an unknown browser or system.

    >>> label_of("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
    'Firefox · Linux'
    >>> label_of("curl/8.5.0")
    ''
    """
    found = [next((name for mark, name in known if mark in user_agent), "") for known in (_BROWSERS, _SYSTEMS)]
    return " · ".join(found) if all(found) else ""

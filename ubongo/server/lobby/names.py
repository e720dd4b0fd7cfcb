"""Names that people give themselves: which are refused, and which look like another.

Everything that can be read is a name, in any script. Refused are characters that nobody sees, piles of accents, and
names that look like a bot's or like that of people who have been forgotten. Names that look alike at one table get a
number there, as two bots of one level do.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from itertools import count

from ubongo.server.errors import Denied

LONGEST_NAME = 40
SOMEBODY = "Somebody"
# Who has been forgotten is called so; here in the languages of the page.
_NOBODYS = (SOMEBODY, "Jemand", "Ktoś")
# "Easy bot": so bots were called before they had names, in logs of old.
_KINDS_OF_BOT = (
    *("", "Beginner", "Easy", "Medium", "Hard", "Expert", "Anfänger", "Leichter", "Mittlerer", "Schwerer", "Meister"),
    *("Nowicjusz", "Łatwy", "Średni", "Trudny", "Mistrz"),
)

_UNREADABLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Me"}
# Letters, marks and signs that are there to fill a place, and show nothing.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U00016fe4\U0001d159")
_JOINERS = "\u200c\u200d"
# They choose how a symbol is drawn; after anything else they show nothing.
_SELECTORS = "\ufe0e\ufe0f"
# Marks that any letter can carry. Two are enough for every language, as letters with one are mostly characters of their
# own; other scripts pile up to four (UTS 39, 5.4).
_ANY_LETTERS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")
MOST_ACCENTS = 2
MOST_MARKS = 4
# The canonical combining class of a virama: what joins two letters of an Indic script.
_VIRAMA = 9

# Letters that look like others in most typefaces: Cyrillic, Greek and a few Latin ones, capitals apart from small ones
# where those differ. A short table of our own: Unicode's list of confusables has thousands of lines, nearly all of
# scripts in which no name that we protect could be written.
_LOOKS_LIKE = str.maketrans(
    dict(zip(
        "АВЕЅІЈКМНОРСТУХЗҮҺӀԌԚԜ" "авеѕіјкмнорстухгпүһӏԁԛԝѵь",
        "ABESIJKMHOPCTYX3YHIGQW" "abesijkmhopctyxrnyhldqwvb",
        strict=True,
    ))
    | dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ" "αβγεηικνορτυχϲϳς", "ABEZHIKMNOPTYXCJ" "abyenikvoptuxcjc", strict=True))
    | dict(zip("łŁøØđĐħıɩɪɑɡᴀᴇɢᴋᴍɴᴏᴘʀᴛᴜᴠʏ", "lLoOdDhiiiagaegkmnoprtuvy", strict=True))
)  # fmt: skip
# These differ by a dot or by nothing at all.
_ALIKE = str.maketrans("i1|0", "lllo")
_PAIRS = (("rn", "m"), ("vv", "w"))


def clean_name(name: str, bots: Collection[str]) -> str:
    """Trimmed, of any script; Denied if it cannot be read, or is ours or a bot's.

    >>> clean_name("  Zoë   Ødegård ", ())
    'Zoë Ødegård'
    """
    spaced = "".join(" " if unicodedata.category(one) == "Zs" else one for one in unicodedata.normalize("NFC", name))
    clean = re.sub(" +", " ", spaced).strip()
    if len(clean) > LONGEST_NAME or not _readable(clean):
        raise Denied("bad_name", longest=LONGEST_NAME)
    if _reserved(clean, bots):
        raise Denied("reserved_name")
    return clean


def _readable(name: str) -> bool:
    kinds = [unicodedata.category(one) for one in name]
    # Marks alone show nothing, or stand on whatever is beside them.
    if not any(kind[0] not in "MZC" for kind in kinds):
        return False
    marks: list[str] = []
    for place, (one, kind) in enumerate(zip(name, kinds, strict=True)):
        if one in _JOINERS:
            if not _joins(name, place):
                return False
        elif one in _SELECTORS:
            if not _is_symbol(name[place - 1 : place]):
                return False
        elif one in _BLANK or kind in _UNREADABLE or "VARIATION SELECTOR" in unicodedata.name(one, ""):
            return False
        marks = [*marks, one] if kind == "Mn" and one not in _SELECTORS else []
        if _too_many(marks):
            return False
    return True


def _too_many(marks: list[str]) -> bool:
    """Marks on one letter: too many, or one of them twice in a row."""
    accents = sum(_ANY_LETTERS.match(mark) is not None for mark in marks)
    return accents > MOST_ACCENTS or len(marks) > MOST_MARKS or (len(marks) > 1 and marks[-1] == marks[-2])


def _joins(name: str, place: int) -> bool:
    """A joiner where spelling needs it: after a virama, between Arabic letters (Persian), within an emoji."""
    before, after = name[place - 1 : place], name[place + 1 : place + 2]
    if before and unicodedata.combining(before) == _VIRAMA:
        return True
    if name[place] == "\u200c":
        letter = next((one for one in reversed(name[:place]) if not unicodedata.combining(one)), "")
        return _is_arabic(letter) and _is_arabic(after)
    return (_is_symbol(before) or before == "\ufe0f") and _is_symbol(after)


def _is_arabic(one: str) -> bool:
    return one != "" and unicodedata.bidirectional(one) == "AL"


def _is_symbol(one: str) -> bool:
    return one != "" and not one.isascii() and unicodedata.category(one)[0] == "S"


def skeleton(name: str) -> str:
    """Equal for names that look alike, whatever they are written with: width, case, accents, other alphabets.

    >>> skeleton("Оttо") == skeleton("0tt0") == skeleton("ＯＴＴＯ.") != skeleton("Otti")
    True
    """
    apart = unicodedata.normalize("NFKD", name)
    letters = "".join(one for one in apart if not _is_slight(one))
    found = letters.translate(_LOOKS_LIKE).casefold().translate(_LOOKS_LIKE).translate(_ALIKE)
    for pair, one in _PAIRS:
        found = found.replace(pair, one)
    # Of dots and dashes alone nothing would be left.
    return found or apart


def _is_slight(one: str) -> bool:
    """An accent, a space, a dot: what one overlooks. The vowels of many scripts are marks, too: those are read."""
    kind = unicodedata.category(one)
    return kind[0] in "ZPC" or kind == "Sk" or one in _SELECTORS or _ANY_LETTERS.match(one) is not None


def _reserved(name: str, bots: Iterable[str]) -> bool:
    """Whether it looks like a bot's, with a number or without, or like the name of nobody."""
    ours = {skeleton(one) for one in (*bots, *_NOBODYS, *[f"{kind} bot" for kind in _KINDS_OF_BOT])}
    bare = re.sub(r"[\W\d_]+$", "", unicodedata.normalize("NFKD", name))
    return not ours.isdisjoint({skeleton(name), skeleton(bare)})


def distinct(name: str, taken: Iterable[str]) -> str:
    """With the first free number, if somebody at the table has one that looks like it: Ann, Ann 2.

    >>> distinct("Аnn", ["Ann", "Ann 2"])
    'Аnn 3'
    """
    others = {skeleton(one) for one in taken if one}
    if skeleton(name) not in others:
        return name
    return next(one for number in count(2) if skeleton(one := f"{name} {number}") not in others)

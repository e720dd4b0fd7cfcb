"""Names that guests choose: which are refused, and which look alike.

Any readable text is a name, in any script. Invisible characters and stacked accents are refused, and so are names that
look like a bot's or like the name of erased guests. Names that look alike at one table get a number.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable
from itertools import count

from ubongo.server.errors import Denied

LONGEST_NAME = 40
SOMEBODY = "Somebody"
# The name of erased guests, in the languages of the page.
_ERASED = (SOMEBODY, "Jemand", "Ktoś")
# "Easy bot": the names of bots in old logs.
_KINDS_OF_BOT = (
    *("", "Beginner", "Easy", "Medium", "Hard", "Expert", "Anfänger", "Leichter", "Mittlerer", "Schwerer", "Meister"),
    *("Nowicjusz", "Łatwy", "Średni", "Trudny", "Mistrz"),
)

_UNREADABLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Me"}
# Letters, marks and symbols that are invisible.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0\U00016fe4\U0001d159")
_JOINERS = "\u200c\u200d"
# They choose how a symbol is drawn. After anything else they are invisible.
_SELECTORS = "\ufe0e\ufe0f"
# Marks that any letter can carry. Two are enough for every language, as letters with one are mostly characters of their
# own; other scripts pile up to four (UTS 39, 5.4).
_ANY_LETTERS = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]")
MOST_ACCENTS = 2
MOST_MARKS = 4
# The canonical combining class of a virama: what joins two letters of an Indic script.
_VIRAMA = 9

# Letters that look like others in most typefaces: Cyrillic, Greek and a few Latin ones. Unicode's list of confusables
# has thousands of lines, but nearly all are of scripts in which none of our protected names could be written.
_LOOKS_LIKE = str.maketrans(
    dict(zip(
        "АВЕЅІЈКМНОРСТУХЗҮҺӀԌԚԜ" "авеѕіјкмнорстухгпүһӏԁԛԝѵь",
        "ABESIJKMHOPCTYX3YHIGQW" "abesijkmhopctyxrnyhldqwvb",
        strict=True,
    ))
    | dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ" "αβγεηικνορτυχϲϳς", "ABEZHIKMNOPTYXCJ" "abyenikvoptuxcjc", strict=True))
    | dict(zip("łŁøØđĐħıɩɪɑɡᴀᴇɢᴋᴍɴᴏᴘʀᴛᴜᴠʏ", "lLoOdDhiiiagaegkmnoprtuvy", strict=True))
)  # fmt: skip
# These differ by a dot, or not at all.
_ALIKE = str.maketrans("i1|0", "lllo")
_PAIRS = (("rn", "m"), ("vv", "w"))


def clean_name(name: str, bots: Collection[str]) -> str:
    """The name without superfluous spaces; raises Denied if it is unreadable or reserved.

    >>> clean_name("  Zoë   Ødegård ", ())
    'Zoë Ødegård'
    """
    spaced = "".join(" " if unicodedata.category(one) == "Zs" else one for one in unicodedata.normalize("NFC", name))
    clean = re.sub(" +", " ", spaced).strip()
    if len(clean) > LONGEST_NAME or not _is_readable(clean):
        raise Denied("bad_name", longest=LONGEST_NAME)
    if _is_reserved(clean, bots):
        raise Denied("reserved_name")
    return clean


def _is_readable(name: str) -> bool:
    kinds = [unicodedata.category(one) for one in name]
    # Marks need a letter to stand on.
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
    """Whether a letter has too many marks, or the same one twice in a row."""
    accents = sum(_ANY_LETTERS.match(mark) is not None for mark in marks)
    return accents > MOST_ACCENTS or len(marks) > MOST_MARKS or (len(marks) > 1 and marks[-1] == marks[-2])


def _joins(name: str, place: int) -> bool:
    """Whether a joiner is part of the spelling: after a virama, between Arabic letters (Persian), within an emoji."""
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
    """Equal for names that look alike, though width, case, accents or alphabet differ.

    >>> skeleton("Оttо") == skeleton("0tt0") == skeleton("ＯＴＴＯ.") != skeleton("Otti")
    True
    """
    decomposed = unicodedata.normalize("NFKD", name)
    letters = "".join(one for one in decomposed if not _is_slight(one))
    found = letters.translate(_LOOKS_LIKE).casefold().translate(_LOOKS_LIKE).translate(_ALIKE)
    for pair, one in _PAIRS:
        found = found.replace(pair, one)
    # A name of dots and dashes has no letters.
    return found or decomposed


def _is_slight(one: str) -> bool:
    """Accents, spaces and dots are easily overlooked. Vowels of many scripts are marks too, but not slight ones."""
    kind = unicodedata.category(one)
    return kind[0] in "ZPC" or kind == "Sk" or one in _SELECTORS or _ANY_LETTERS.match(one) is not None


def _is_reserved(name: str, bots: Iterable[str]) -> bool:
    """Whether it looks like a bot's name, with a number or without, or like that of erased guests."""
    ours = {skeleton(one) for one in (*bots, *_ERASED, *[f"{kind} bot" for kind in _KINDS_OF_BOT])}
    bare = re.sub(r"[\W\d_]+$", "", unicodedata.normalize("NFKD", name))
    return not ours.isdisjoint({skeleton(name), skeleton(bare)})


def distinct(name: str, taken: Iterable[str]) -> str:
    """The name, with the first free number if a name at the table looks like it: Ann, Ann 2.

    >>> distinct("Аnn", ["Ann", "Ann 2"])
    'Аnn 3'
    """
    others = {skeleton(one) for one in taken if one}
    if skeleton(name) not in others:
        return name
    return next(one for number in count(2) if skeleton(one := f"{name} {number}") not in others)

"""Every code has its sentence, and every sentence its code."""

import ast
from pathlib import Path
from string import Formatter

import pytest

from ubongo import words

PACKAGE = Path(words.__file__).parent.parent


def codes() -> dict[str, set[str]]:
    """Every code that a move is refused by, with the values that come with it: read from the sources."""
    found: dict[str, set[str]] = {}
    for file in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refused":
                given = {str(keyword.arg) for keyword in node.keywords}
                first = node.args[0]
                choices = [first.body, first.orelse] if isinstance(first, ast.IfExp) else [first]
                for code in choices:
                    assert isinstance(code, ast.Constant), f"{file}: a code is written out"
                    found.setdefault(str(code.value), given).intersection_update(given)
    return found


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_refusal_has_its_sentence(language: str) -> None:
    said = words.catalogue(language)["refused"]
    assert set(codes()) <= set(said)


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_a_sentence_uses_only_what_it_is_given(language: str) -> None:
    given = codes()
    said = words.catalogue(language)["refused"]
    for code, values in given.items():
        asked = {name for _, name, _, _ in Formatter().parse(said[code]) if name}
        assert asked <= values, code


def test_a_refusal_says_what_to_do_instead() -> None:
    assert all(sentence.count(".") + sentence.count(":") >= 2 for sentence in words.catalogue()["refused"].values())

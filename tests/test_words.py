"""Every code has a sentence, and every sentence a code."""

import ast
import json
from collections import Counter
from functools import cache
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from ubongo import words
from ubongo.server.errors import REASONS
from ubongo.server.http.error_responses import SENTENCES

PACKAGE = Path(words.__file__).parent.parent
PAGE = PACKAGE.parent / "web" / "src" / "i18n"
# Codes of refusals by the page itself, without a server.
OWN = {"no_line"}


@cache
def sources() -> list[tuple[Path, ast.Module]]:
    return [(file, ast.parse(file.read_text(encoding="utf-8"))) for file in PACKAGE.rglob("*.py")]


@cache
def codes() -> dict[str, set[str]]:
    """Every code of a refused move, with the values that come with it, read from the sources."""
    found: dict[str, set[str]] = {}
    for file, source in sources():
        for node in ast.walk(source):
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
    sentences = words.catalogue(language)["refused"]
    assert set(codes()) <= set(sentences)


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_a_sentence_uses_only_the_values_of_its_refusal(language: str) -> None:
    given = codes()
    sentences = words.catalogue(language)["refused"]
    for code, values in given.items():
        fields = {name for _, name, _, _ in Formatter().parse(sentences[code]) if name}
        assert fields <= values, code


def test_a_refusal_says_what_to_do_instead() -> None:
    assert all(sentence.count(".") + sentence.count(":") >= 2 for sentence in words.catalogue()["refused"].values())


@cache
def denials() -> set[str]:
    """Every code of an HTTP refusal in the sources."""
    found = {status.name.lower() for status in SENTENCES}
    for _, source in sources():
        for node in ast.walk(source):
            match node:
                case ast.Call(func=ast.Name("Denied"), args=[ast.Constant(str(code)), *_]):
                    found.add(code)
                case ast.Call(func=ast.Name("BadOptions"), keywords=[ast.keyword("code", ast.Constant(str(code)))]):
                    found.add(code)
    return found


def test_every_denial_is_in_the_list() -> None:
    statuses = {status.name.lower() for status in SENTENCES}
    assert denials() - statuses <= set(REASONS) <= denials()


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_denial_has_its_sentence_on_the_page(language: str) -> None:
    page = json.loads((PAGE / f"{language}.json").read_text(encoding="utf-8"))
    explained = {key.removeprefix("denied.") for key in page if key.startswith("denied.")}
    assert explained == denials() | OWN
    assert all(page[f"denied.{code}"].endswith(".") for code in explained)


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize("folder", [PAGE, Path(words.__file__).parent], ids=["page", "words"])
def test_no_key_occurs_twice(folder: Path, language: str) -> None:
    """JSON decoders silently keep the second of two equal keys."""
    doubled: list[str] = []

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        doubled.extend(key for key, number in Counter(key for key, _ in pairs).items() if number > 1)
        return dict(pairs)

    assert json.loads((folder / f"{language}.json").read_text(encoding="utf-8"), object_pairs_hook=once)
    assert doubled == []

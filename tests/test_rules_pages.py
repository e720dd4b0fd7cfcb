"""Every numbered rule on the pages has a test that names it, and every such test names an existing rule."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

from ubongo import words
from ubongo.games import GAMES

HERE = Path(__file__).parent
PAGES = sorted((HERE.parent / "docs" / "rules").glob("*.md"))


OTHERS = [language for language in words.LANGUAGES if language != "en"]


def rules(page: Path) -> list[tuple[str, str]]:
    """Numbers and texts of the rules, in the order of the page."""
    return re.findall(r"^\| \*\*([A-Z]\d+[a-z]?)\*\* \| (.+) \|$", page.read_text(encoding="utf-8"), re.MULTILINE)


def numbers(page: Path) -> set[str]:
    return {number for number, _ in rules(page)}


@cache
def named_by_tests() -> set[str]:
    """The rules named by tests. A test may name several: test_K13_K14_the_worked_examples."""
    found: set[str] = set()
    for file in HERE.rglob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and (named := re.match(r"test((?:_[a-zA-Z]\d+[a-z]?)+)_", node.name)):
                found |= {number[0].upper() + number[1:] for number in named[1].split("_") if number}
    return found


def test_every_game_has_its_page() -> None:
    assert {page.stem for page in PAGES} == {"shared", "companion", *GAMES}


@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_every_rule_on_a_page_is_tested(page: Path) -> None:
    assert numbers(page) - named_by_tests() == set()


def test_every_rule_that_a_test_names_is_on_a_page() -> None:
    explained = set[str]().union(*map(numbers, PAGES))
    assert {number for number in named_by_tests() if number[0] in "TKWXQSC"} - explained == set()


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("page", PAGES, ids=[page.stem for page in PAGES])
def test_every_language_has_the_same_rules_in_the_same_order(page: Path, language: str) -> None:
    """The options, numbers and worked examples are the same, too; only the wording differs."""
    own = page.parent / language / page.name
    assert [number for number, _ in rules(own)] == [number for number, _ in rules(page)]
    for (number, text), (_, english) in zip(rules(own), rules(page), strict=True):
        assert sorted(re.findall("`[^`]+`", text)) == sorted(re.findall("`[^`]+`", english)), number
        assert figures(text) == figures(english), number
    assert examples(own) == examples(page)


def figures(text: str) -> list[str]:
    """The numbers in a rule. Languages order them differently."""
    return sorted(re.findall(r"\d+", text))


def examples(page: Path) -> list[list[str]]:
    """The figures of the tables that have a head, row by row."""
    lines = page.read_text(encoding="utf-8").splitlines()
    return [figures(line) for line in lines if line.startswith("|") and "**" not in line]


@pytest.mark.parametrize("language", OTHERS)
def test_every_rule_on_a_page_is_translated(language: str) -> None:
    for page in PAGES:
        english = {text for _, text in rules(page)}
        assert not english & {text for _, text in rules(page.parent / language / page.name)}, page.name


def test_Q26_the_page_has_the_tips() -> None:
    page = next(page for page in PAGES if page.stem == "cubes").read_text(encoding="utf-8")
    assert all(word in page for word in ("easier side", "bulkiest", "turn, roll and tip"))


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_T9_the_pages_give_the_word_to_call(language: str) -> None:
    folder = PAGES[0].parent if language == "en" else PAGES[0].parent / language
    for name in ("shared", "cards", "extreme", "cubes", "companion"):
        assert '"Ubongo!"' in (folder / f"{name}.md").read_text(encoding="utf-8"), name


def test_rule_numbers_have_no_gaps() -> None:
    for page in PAGES:
        plain = sorted(int(number[1:]) for number in numbers(page) if number[1:].isdigit())
        gaps = set(range(1, plain[-1] + 1)) - set(plain)
        assert not gaps, f"{page.stem}: {gaps}"

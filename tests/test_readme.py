"""The commands in the documents are real: examples run, make targets exist, links are not broken."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parent.parent
DOCUMENTS = (
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    "docs/adding-a-game.md",
    "docs/bots.md",
    "docs/design.md",
    "docs/difficulty.md",
    "docs/printing.md",
    "docs/protocol.md",
    "docs/operating.md",
    "docs/security.md",
)
FENCE = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Example(NamedTuple):
    command: str
    shown: str


def fences(kind: str) -> list[tuple[str, str]]:
    """Name and content of the README's fenced blocks of that kind; a block with a name is a file."""
    return [
        (name, content) for found, name, content in FENCE.findall((ROOT / "README.md").read_text()) if found == kind
    ]


def examples() -> list[Example]:
    """`$ ubongo ...` in a console block, and what is shown below it up to the next prompt."""
    runs = [run for _, content in fences("console") for run in content.split("$ ")[1:]]
    return [Example(*run.split("\n", 1)) for run in runs if run.startswith("ubongo ")]


def test_there_are_examples() -> None:
    assert examples()


@pytest.mark.parametrize("example", examples(), ids=lambda example: example.command)
def test_an_example_prints_what_is_shown(example: Example, tmp_path: Path) -> None:
    for name, content in fences("json"):
        (tmp_path / name).write_text(content)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ran = subprocess.run(
        example.command,
        shell=True,
        cwd=tmp_path,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.rstrip() == example.shown.rstrip()


@pytest.mark.parametrize("document", DOCUMENTS)
def test_every_make_target_mentioned_exists(document: str) -> None:
    named = set(re.findall(r"(?:`|^\$? ?)make ([a-z]+)", (ROOT / document).read_text(), re.MULTILINE))
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    assert named <= targets


@pytest.mark.parametrize("document", DOCUMENTS)
def test_no_link_is_broken(document: str) -> None:
    place = ROOT / document
    links = re.findall(r"\]\(([^)#:]+)\)", place.read_text())
    assert [link for link in links if not (place.parent / link).exists()] == []


def test_the_design_lists_every_package() -> None:
    packages = {
        file.name for file in (ROOT / "ubongo").iterdir() if file.suffix == ".py" and not file.name.startswith("_")
    }
    packages |= {f"{folder.parent.name}/" for folder in (ROOT / "ubongo").glob("*/__init__.py")}
    tree = re.findall(r"^  (\S+)", (ROOT / "docs" / "design.md").read_text(), re.MULTILINE)
    assert packages <= set(tree), "describe the new package in docs/design.md, 'The tree'"


def test_ci_runs_what_the_readme_says() -> None:
    lines = (ROOT / ".ci" / "run").read_text().splitlines()
    assert [line for line in lines if line and not line.startswith(("#", "set ", "cd "))] == ["make test"]

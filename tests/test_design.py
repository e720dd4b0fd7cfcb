"""docs/design.md and docs/glossary.md agree with the code."""

from __future__ import annotations

import re
from pathlib import Path

from ubongo.server.store import Log
from ubongo.server.tables.broadcast import Broadcast
from ubongo.server.tables.live_match import LiveMatch
from ubongo.server.tables.room import Room
from ubongo.server.wire.connection import Connection

ROOT = Path(__file__).parent.parent
DESIGN = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
GLOSSARY = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
SERVER = ROOT / "ubongo" / "server"


def test_every_object_in_the_diagrams_is_a_server_class() -> None:
    sources = "\n".join(file.read_text(encoding="utf-8") for file in SERVER.rglob("*.py"))
    classes = set(re.findall(r"^class (\w+)", sources, re.MULTILINE))
    diagrams = re.findall(r"```mermaid\n(.*?)```", DESIGN, re.DOTALL)
    assert len(diagrams) == 2
    named = {name for text in diagrams for name in re.findall(r"\b[A-Z][A-Za-z]+\b", text)} - {"TD", "Note"}
    assert named - classes == set()
    assert "LiveMatch" in named


def test_every_message_in_the_path_of_a_move_is_a_method_of_its_receiver() -> None:
    path = re.findall(r"```mermaid\n(.*?)```", DESIGN, re.DOTALL)[1]
    receivers = {one.__name__: one for one in (Connection, Room, LiveMatch, Log, Broadcast)}
    messages = re.findall(r">>(\w+): (\w+)", path)
    assert len(messages) > 4
    for receiver, message in messages:
        assert hasattr(receivers[receiver], message), (receiver, message)


def test_every_module_of_the_server_is_in_the_tree() -> None:
    tree = DESIGN.split("```", 2)[1]
    missing = [
        str(file.relative_to(SERVER))
        for file in SERVER.rglob("*.py")
        if file.name != "__init__.py" and not re.search(rf"\b{file.stem}\b", tree)
    ]
    assert missing == []


def test_every_glossary_term_is_defined_where_the_glossary_says() -> None:
    lines = [
        line for line in GLOSSARY.splitlines() if line.startswith("| ") and not line.startswith(("| term", "| ---"))
    ]
    assert len(lines) > 30
    for line in lines:
        term, _, where = line.strip("| ").split(" | ")
        file, name = re.fullmatch(r"`([^`]+)` `(\w+)`", where).groups()  # type: ignore[union-attr]  # None fails the test
        text = (ROOT / file).read_text(encoding="utf-8")
        assert re.search(rf"(?:class|def) {name}\b|^{name} = ", text, re.MULTILINE), term


def test_every_file_to_start_reading_with_exists() -> None:
    section = DESIGN.partition("\n## Where to start reading\n")[2].partition("\n## ")[0]
    files = re.findall(r"`([\w./]+/[\w.]+\.\w+)`", section)
    assert len(files) > 10
    assert [file for file in files if not (ROOT / file).is_file()] == []


def test_no_module_of_the_server_has_more_than_250_lines() -> None:
    lines = {
        str(file.relative_to(SERVER)): len(file.read_text(encoding="utf-8").splitlines())
        for file in SERVER.rglob("*.py")
    }
    assert {name: number for name, number in lines.items() if number > 250} == {}

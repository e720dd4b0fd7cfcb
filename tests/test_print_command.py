"""`ubongo print`: what it writes and where, and what it says to bad input."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pypdfium2
import pytest

from tests.program import PATIENCE_S, UBONGO, ubongo
from ubongo.commands import Complaint
from ubongo.commands.print import print as print_command
from ubongo.material import encode, identify, shipped
from ubongo.material.extreme import ExtremeEdition
from ubongo.printing.parts import PARTS


@pytest.mark.no_cover
def test_a_whole_edition_in_one_file(tmp_path: Path) -> None:
    out = tmp_path / "extreme.pdf"
    done = ubongo("print", "extreme", "--out", out, "--lang", "pl", "--url", "https://play.example.org/")
    assert (done.returncode, done.stderr) == (0, "")
    document = pypdfium2.PdfDocument(out)
    assert done.stdout == f"{out}: {len(document)} pages, {', '.join(PARTS['extreme'])}\n"
    assert out.stat().st_size < 10_000_000
    assert list(tmp_path.iterdir()) == [out]


BAD: Sequence[tuple[tuple[str, ...], str]] = (
    (("chess",), "there is no game 'chess'"),
    (("extreme", "--part", "cards"), "--part is 'cards'; extreme has boards, "),
    (("extreme", "--paper", "a5"), "--paper is 'a5'; it is a4 or letter"),
    (("extreme", "--scale", "0.1"), "--scale is 0.1; it is from 0.5 to 2"),
    (("extreme", "--scale", "nan"), "--scale is nan; it is from 0.5 to 2"),
    (("extreme", "--scale", "2", "--part", "boards"), "--scale 2 is too large for a4"),
    (("extreme", "--duplex", "both"), "--duplex is 'both'; it is long, short or none"),
    (("extreme", "--lang", "fr"), "--lang is 'fr'; it is en, de or pl"),
    (("extreme", "--url", "ftp://there"), "--url is 'ftp://there'; it is a server's address"),
    (("extreme", "--url", "https://"), "--url is 'https://'"),
    (("extreme", "--edge", "14"), "--edge, --clearance and --mesh are for solids"),
    (("cubes", "--part", "pieces", "--edge", "2"), "--edge is 2; a cube's edge is 8 to 50 mm"),
    (("cubes", "--part", "pieces", "--clearance", "0"), "--clearance is 0; it is 0.05 to 0.5 mm"),
    (("cubes", "--part", "pieces", "--mesh", "obj"), "--mesh is 'obj'; it is stl or 3mf"),
    (("cubes", "--part", "pieces", "--mesh", "3mf"), "so name a folder"),
    (("extreme", "--edition", "missing.json"), "missing.json is refused"),
)


@pytest.mark.parametrize(("said", "answer"), BAD)
def test_bad_input_gets_one_line_and_writes_nothing(said: tuple[str, ...], answer: str, tmp_path: Path) -> None:
    done = ubongo("print", *said, "--out", tmp_path / "out.pdf")
    assert (done.returncode, done.stdout) == (2, "")
    assert answer in done.stderr
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_an_edition_that_cannot_be_solved_is_not_printed(tmp_path: Path) -> None:
    edition = shipped("extreme")
    assert isinstance(edition, ExtremeEdition)
    first = edition.boards[0]
    tasks = (msgspec.structs.replace(first.three.tasks[0], numbers=(1, 2, 99)), *first.three.tasks[1:])
    broken = msgspec.structs.replace(first, three=msgspec.structs.replace(first.three, tasks=tasks))
    file = tmp_path / "broken.json"
    file.write_bytes(encode(identify(msgspec.structs.replace(edition, boards=(broken, *edition.boards[1:])))))
    done = ubongo("print", "extreme", "--part", "boards", "--edition", file, "--out", tmp_path / "out.pdf")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "is refused: board 1, yellow has a solution for other pieces than its own" in done.stderr
    assert list(tmp_path.iterdir()) == [file]


def test_what_is_there_stays(tmp_path: Path) -> None:
    out = tmp_path / "mine.pdf"
    out.write_text("mine")
    assert ubongo("print", "extreme", "--part", "gems", "--out", out).returncode == 2
    assert out.read_text() == "mine"
    assert "cannot be written" in ubongo("print", "extreme", "--out", tmp_path / "nowhere" / "out.pdf").stderr


def test_a_hyphen_is_standard_output(tmp_path: Path) -> None:
    named, asked = tmp_path / "rules.pdf", ("print", "cards", "--part", "rules", "--out")
    assert ubongo(*asked, named).returncode == 0
    sent = subprocess.run([*UBONGO, *asked, "-"], cwd=tmp_path, capture_output=True, check=False, timeout=PATIENCE_S)
    assert (sent.returncode, sent.stderr) == (0, b"")
    assert sent.stdout == named.read_bytes()
    solids = ubongo("print", "cubes", "--part", "pieces", "--out", "-", cwd=tmp_path)
    assert (solids.returncode, solids.stdout) == (2, "")
    assert "name a folder" in solids.stderr
    assert list(tmp_path.iterdir()) == [named]


def test_a_terminal_gets_no_pdf(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    with pytest.raises(Complaint, match="standard output is a terminal"):
        print_command("cards", part="rules", out=Path("-"))


@pytest.mark.parametrize("forced", [(), ("--force",)])
def test_what_is_no_file_is_not_replaced_by_one(forced: tuple[str, ...], tmp_path: Path) -> None:
    """A pipe here; a device is the same, and nobody should have to try it with one."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    for out, answer in ((pipe, "is a device or a pipe"), (tmp_path, "is a folder")):
        done = ubongo("print", "cards", "--part", "rules", "--out", out, *forced)
        assert (done.returncode, done.stdout, done.stderr) == (2, "", f"ubongo: {out} {answer}; name a file\n")
    assert pipe.is_fifo()

"""The tools around web/: the wheel contains the client, and the type checker checks components."""

import json
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

import hatch_build
from hatch_build import ROOT, WEB
from ubongo.material.cubes import ANIMALS, BOARDS_OF_AN_ANIMAL


def test_the_wheel_contains_the_client(tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", tmp_path], cwd=ROOT, check=True)
    (wheel,) = tmp_path.glob("ubongo-*.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
        page = packed.read("ubongo/server/static/index.html").decode()
    loaded = re.findall(r'(?:src|href)="/([^"]+)"', page)
    assert len(loaded) >= 3
    assert {f"ubongo/server/static/{name}" for name in loaded} <= names
    assert "ubongo/py.typed" in names
    assert {"ubongo/printing/rules/pl/cubes.md", "ubongo/printing/fonts/OFL.txt", "ubongo/words/print/de.json"} <= names
    # The typeface comes with its licence.
    assert [name for name in names if re.fullmatch(r"ubongo/server/static/assets/nunito-[\w-]+\.woff2", name)]
    assert [name for name in names if name.endswith(".dist-info/licenses/web/src/fonts/OFL.txt")]
    assert not [name for name in names if "__pycache__" in name]
    assert {name.split("/")[0] for name in names} == {"ubongo", wheel.name.rsplit("-", 3)[0] + ".dist-info"}


def test_a_type_error_in_a_component_is_found(tmp_path: Path) -> None:
    copy = tmp_path / "web"
    shutil.copytree(WEB, copy, ignore=shutil.ignore_patterns("node_modules", ".built"))
    (copy / "node_modules").symlink_to(WEB / "node_modules")
    # The page contains Python's sentences for refusals.
    shutil.copytree(hatch_build.WORDS, tmp_path / hatch_build.WORDS.relative_to(ROOT))
    planted = '<script lang="ts">\n  const pieces: number = "four";\n</script>\n\n<p>{pieces}</p>\n'
    (copy / "src" / "views" / "Planted.svelte").write_text(planted)
    # With our own settings, but only this source file: `make check` covers the others.
    ours = json.loads((copy / "tsconfig.json").read_text(encoding="utf-8"))
    assert "src" in ours["include"]
    assert "exclude" not in ours
    one = {"extends": "./tsconfig.json", "include": ["src/views/Planted.svelte"]}
    (copy / "tsconfig.one.json").write_text(json.dumps(one))
    node, _ = hatch_build.node_from_wheel()
    checker = WEB / "node_modules" / "svelte-check" / "bin" / "svelte-check"
    found = subprocess.run(
        [node, checker, "--tsconfig", "tsconfig.one.json", "--output", "machine"],
        cwd=copy,
        capture_output=True,
        text=True,
        check=False,
    )
    errors = [line for line in found.stdout.splitlines() if " ERROR " in line]
    assert found.returncode == 1
    assert len(errors) == 1, found.stdout
    assert "Planted.svelte" in errors[0]
    assert "is not assignable to type 'number'" in errors[0]


@pytest.mark.parametrize(
    "change", [lambda web: (web / "src" / "a.ts").write_text("2"), lambda web: (web / "src" / "b.ts").touch()]
)
def test_a_changed_or_new_source_changes_the_digest(tmp_path: Path, change: Callable[[Path], object]) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.ts").write_text("1")
    (tmp_path / "notes.txt").touch()
    before = hatch_build.digest(tmp_path, hatch_build.SOURCES)
    (tmp_path / "notes.txt").write_text("no source")
    assert hatch_build.digest(tmp_path, hatch_build.SOURCES) == before
    change(tmp_path)
    assert hatch_build.digest(tmp_path, hatch_build.SOURCES) != before


def test_an_environment_variable_skips_the_client(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("UBONGO_SKIP_CLIENT", raising=False)
    assert not hatch_build.skipped()
    monkeypatch.setenv("UBONGO_SKIP_CLIENT", "1")
    assert hatch_build.skipped()


def test_the_page_knows_the_animals_of_the_boards() -> None:
    """The page works out the animal of a 3-D board itself: no message contains it."""
    animals = (WEB / "src" / "animals.ts").read_text(encoding="utf-8")
    [listed] = re.findall(r"^const ANIMALS = (\[.*\]);$", animals, re.MULTILINE)
    assert json.loads(listed) == list(ANIMALS)
    assert f"const BOARDS_OF_AN_ANIMAL = {BOARDS_OF_AN_ANIMAL};" in animals

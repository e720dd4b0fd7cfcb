"""Which browser the tests take, and what they say when there is none."""

from pathlib import Path

import pytest

from tests.browser import chromium

NOWHERE = Path("/nowhere/chromium")


@pytest.fixture(autouse=True)
def bare(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A machine without a browser, for which none is pinned."""
    monkeypatch.delenv("UBONGO_BROWSER", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("platform.machine", lambda: "abacus")


def program(place: Path) -> Path:
    place.touch(mode=0o755)
    return place


def test_the_one_asked_for_comes_first(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    program(tmp_path / "chromium")
    asked = program(tmp_path / "my-own")
    monkeypatch.setenv("UBONGO_BROWSER", str(asked))
    assert chromium.find(NOWHERE).program == asked


def test_the_one_asked_for_has_to_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("UBONGO_BROWSER", str(NOWHERE))
    with pytest.raises(FileNotFoundError, match="and that is no program"):
        chromium.find(NOWHERE)


def test_then_the_pinned_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A browser on the PATH does not come before it: its version and fonts would be the machine's own."""
    program(tmp_path / "chromium")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    monkeypatch.setattr(chromium, "fetch", lambda: chromium.Chromium(tmp_path / "pinned"))
    assert chromium.find(NOWHERE).program == tmp_path / "pinned"


@pytest.mark.parametrize("name", ["chromium", "google-chrome"])
def test_then_the_systems_then_playwrights(tmp_path: Path, name: str) -> None:
    own = program(tmp_path / "playwrights-own")
    assert chromium.find(own).program == own
    systems = program(tmp_path / name)
    assert chromium.find(own).program == systems


@pytest.mark.parametrize(("enough", "unneeded"), [(0, ["--disable-dev-shm-usage"]), (1 << 60, [])])
def test_shared_memory_is_in_files_where_there_is_little_of_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, enough: int, unneeded: list[str]
) -> None:
    monkeypatch.setattr(chromium, "SHARED_MEMORY", tmp_path)
    monkeypatch.setattr(chromium, "ENOUGH_SHARED_MEMORY", enough)
    assert chromium.unneeded_defaults() == unneeded
    monkeypatch.setattr(chromium, "SHARED_MEMORY", tmp_path / "nowhere")
    assert chromium.unneeded_defaults() == []


def test_none_is_no_reason_to_skip() -> None:
    with pytest.raises(FileNotFoundError, match="sudo apt-get install chromium"):
        chromium.find(NOWHERE)

"""Dependencies are pinned, for every platform and without naming a host."""

import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
PYTHON_LOCKS = ("requirements.lock", "requirements-dev.lock", "bench/requirements.lock")
NPM_LOCKS = ("web/package-lock.json", "tests/browser/package-lock.json", "bench/peers/package-lock.json")


def packages(lock: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads((ROOT / lock).read_text())["packages"]
    return {name: package for name, package in found.items() if name}


def pins(lock: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for name, version in re.findall(r"^([\w.-]+)==(\S+)", (ROOT / lock).read_text(), re.MULTILINE):
        found.setdefault(name, set()).add(version)
    return found


@pytest.mark.parametrize("lock", PYTHON_LOCKS)
def test_python_packages_are_locked_with_hashes_and_without_a_host(lock: str) -> None:
    text = (ROOT / lock).read_text()
    requirements = text.replace("\\\n", " ").strip().splitlines()
    assert requirements
    assert [line for line in requirements if not re.match(r"[\w.-]+==\S+ .*--hash=sha256:", line)] == []
    assert "://" not in text


def test_python_locks_agree() -> None:
    run, dev, bench = map(pins, PYTHON_LOCKS)
    assert {name: dev.get(name) for name in run} == run
    assert {name: run[name] for name in bench if name in run} == {name: bench[name] for name in bench if name in run}


def test_the_lock_contains_the_declared_dependencies() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    declared = [re.match(r"[\w.-]+", line) for line in project["project"]["dependencies"]]
    assert {name[0] for name in declared if name} <= set(pins("requirements.lock"))


@pytest.mark.parametrize("lock", NPM_LOCKS)
def test_npm_packages_are_locked_with_hashes_and_without_a_host(lock: str) -> None:
    found = packages(lock)
    assert found
    assert [name for name, package in found.items() if "integrity" not in package] == []
    assert [name for name, package in found.items() if "resolved" in package] == []


@pytest.mark.parametrize(
    "machine", ["darwin-arm64", "darwin-x64", "linux-arm64-gnu", "linux-x64-gnu", "win32-x64-msvc"]
)
def test_the_npm_lock_covers_every_platform(machine: str) -> None:
    # npm drops the bindings of other platforms when it creates a lock from installed packages.
    found = packages("web/package-lock.json")
    bundler = found["node_modules/rolldown"]["version"]
    assert found[f"node_modules/@rolldown/binding-{machine}"]["version"] == bundler


@pytest.mark.parametrize("machine", ["darwin-arm64", "darwin-x64", "linux-arm64", "linux-x64", "win32-x64"])
def test_the_lock_of_the_peers_covers_every_platform(machine: str) -> None:
    # Not every version has been published for all of them: hence the override in package.json.
    found = packages("bench/peers/package-lock.json")
    expected = found["node_modules/msgpackr-extract"]["version"]
    assert found[f"node_modules/@msgpackr-extract/msgpackr-extract-{machine}"]["version"] == expected

"""Garbage collection: objects are frozen for speed, and cycles are still collected."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Iterator

import pytest

from ubongo.server import garbage_collection
from ubongo.server.garbage_collection import GarbageCollection


class Ring:
    """A reference cycle, like a socket and its callbacks."""

    def __init__(self) -> None:
        self.me = self


@pytest.fixture
def collecting(monkeypatch: pytest.MonkeyPatch) -> Iterator[GarbageCollection]:
    monkeypatch.setattr(garbage_collection, "MANY", 500)
    before = gc.get_threshold()
    one = GarbageCollection()
    one.open()
    yield one
    one.close()
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def rings(number: int) -> tuple[list[Ring], list[weakref.ref[Ring]]]:
    made = [Ring() for _ in range(number)]
    return made, [weakref.ref(one) for one in made]


def test_short_lived_cycles_are_collected_at_once(collecting: GarbageCollection) -> None:
    made, seen = rings(100)
    del made
    collecting.collect_new()
    assert not any(one() for one in seen)


def test_long_lived_objects_are_examined_when_many_have_accumulated(
    collecting: GarbageCollection, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, seen = rings(1000)
    collecting.collect_new()
    del made
    collecting.collect_new()
    assert all(one() for one in seen), "set aside, so that no table waits for it"
    collecting.collect_if_grown()
    assert all(one() for one in seen), "not much, beside what is in use"
    monkeypatch.setattr(collecting, "_frozen", 0)
    collecting.collect_if_grown()
    assert not any(one() for one in seen)


@pytest.mark.usefixtures("collecting")
def test_the_collector_never_runs_a_full_collection_by_itself() -> None:
    looked = []
    gc.callbacks.append(lambda phase, about: looked.append(about["generation"]) if phase == "start" else None)
    kept = [[i] for i in range(200_000)]
    gc.callbacks.pop()
    assert kept
    assert looked
    assert 2 not in looked

"""One workload, all solvers: the benchmark aborts if their counts differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from bench import workloads
from bench.peers import Counter, Found
from bench.timing import Timed, on_one_core
from ubongo import kernel
from ubongo.tiling import Puzzle

OURS, WHOLE = "ubongo", "ubongo, with reading the tasks"


class Contest(Struct, frozen=True):
    """Tasks, our two ways to count them (parsed beforehand, and the whole call), and how many times xcover's speed
    is the goal. `known`: the total of fillings, if it has been published."""

    name: str
    tasks: Sequence[Puzzle]
    ours: Counter
    whole: Counter
    goal: float
    known: int | None = None


class Entry(Struct, frozen=True):
    solver: str
    found: Found | None
    timed: Timed


def puzzle(name: str, task: Puzzle, known: int, goal: float) -> Contest:
    ready = kernel.ready(task)
    return Contest(name, [task], lambda: _found(ready.work()), lambda: _found(kernel.work(task)), goal, known)


def _found(work: kernel.SearchCount) -> Found:
    return Found([work.count], work.nodes)


def batch(name: str, tasks: Sequence[Puzzle], goal: float) -> Contest:
    ready = kernel.prepare(tasks)

    def ours() -> Found:
        counts, nodes = ready.arrays()
        return Found(counts.tolist(), int(nodes.sum()))

    def whole() -> Found:
        done = kernel.work_batch(tasks)
        return Found([work.count for work in done], sum(work.nodes for work in done))

    return Contest(name, tasks, ours, whole, goal)


def subsets(name: str, goal: float) -> Contest:
    """The peers need not try the sets that do not add up."""
    region, blocks, k = workloads.box(4, 2, 2), workloads.BLOCKS, 4
    tasks = workloads.subsets(region, blocks, k)
    ready = kernel.ready_subsets(region, blocks, k, "cubic")

    def ours() -> Found:
        counts = ready.counts()
        return Found([counts.get(these, 0) for these in tasks], ready.nodes)

    def whole() -> Found:
        counts = kernel.count_subsets(region, blocks, k)
        return Found([counts.get(these, 0) for these in tasks])

    return Contest(name, list(tasks.values()), ours, whole, goal)


def held(contest: Contest, peers: Mapping[str, Counter]) -> list[Entry]:
    """Times all solvers in turns, ours first. Compares their first results; ours is compiled by then."""
    contest.ours()
    answers: dict[str, Found | None] = {}

    def noted(name: str, count: Counter) -> Counter:
        def call() -> Found | None:
            answers[name] = count()
            return answers[name]

        return call

    counters = {OURS: contest.ours, WHOLE: contest.whole, **peers}
    timed = on_one_core({name: noted(name, count) for name, count in counters.items()})
    entries = [Entry(name, answers[name], timed[name]) for name in counters]
    _agree(contest, entries)
    return entries


def _agree(contest: Contest, entries: Sequence[Entry]) -> None:
    ours = entries[0].found
    assert ours is not None
    if contest.known is not None and sum(ours.counts) != contest.known:
        raise SystemExit(f"{contest.name}: {sum(ours.counts):,} fillings, but {contest.known:,} are known")
    for entry in entries:
        if entry.found is not None and entry.found.counts != ours.counts:
            differ = sum(mine != theirs for mine, theirs in zip(ours.counts, entry.found.counts, strict=True))
            raise SystemExit(f"{contest.name}: {entry.solver} has another count than we in {differ:,} tasks")

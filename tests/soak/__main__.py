"""Repeats the whole test suite under load until the time is up, and reports every failure with its seed.

The order is random, the long versions of tests run too, twice as many busy loops as cores compete for the processor,
and every write of the log is delayed by 0 to 300 ms. `make soak ARGS='--minutes 60'`
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

ROOT = Path(__file__).parents[2]
SITE = Path(__file__).parent / "site"
DELAY_MS = 300
LOOPS_PER_CORE = 2
# More workers than busy loops, so that a round does not mostly wait for these.
WORKERS_PER_CORE = 3


class Outcome(NamedTuple):
    """The result of one round. `status` is pytest's exit status; `log` is its output."""

    seed: int
    status: int
    tests: int
    failed: list[str]
    log: Path


@contextmanager
def busy_loops() -> Iterator[None]:
    number = LOOPS_PER_CORE * (os.cpu_count() or 1)
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(number)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()


def environment() -> dict[str, str]:
    path = os.pathsep.join(filter(None, [str(SITE), os.environ.get("PYTHONPATH")]))
    return {**os.environ, "PYTHONPATH": path, "UBONGO_SOAK_DELAY_MS": str(DELAY_MS)}


def run(seed: int, folder: Path, chosen: list[str]) -> Outcome:
    report, log = folder / f"{seed}.xml", folder / f"{seed}.log"
    workers = WORKERS_PER_CORE * (os.cpu_count() or 1)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--numprocesses", str(workers), "--long"]
    with log.open("w") as out:
        done = subprocess.run(
            [*command, "--shuffle", str(seed), f"--junitxml={report}", *chosen],
            cwd=ROOT,
            env=environment(),
            stdout=out,
            stderr=subprocess.STDOUT,
            check=False,
        )
    if not report.is_file():
        return Outcome(seed, done.returncode, 0, [], log)
    cases = list(ET.parse(report).iter("testcase"))
    bad = [case for case in cases if case.find("failure") is not None or case.find("error") is not None]
    return Outcome(
        seed, done.returncode, len(cases), [f"{one.get('classname')}::{one.get('name')}" for one in bad], log
    )


def main() -> int:
    parser = argparse.ArgumentParser(prog="make soak", description=__doc__)
    parser.add_argument("--minutes", type=float, help="no round is begun after this time (default: 60)")
    parser.add_argument("--rounds", type=int, help="so many rounds; without --minutes however long they take")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6), help="of the first round")
    parser.add_argument("chosen", nargs="*", help="only these tests, as pytest names them")
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="ubongo-soak-"))
    most = asked.rounds or sys.maxsize
    minutes = asked.minutes or (float("inf") if asked.rounds else 60)
    began = time.monotonic()
    failures = rounds = 0
    with busy_loops():
        while rounds < most and time.monotonic() - began < minutes * 60:
            since = time.monotonic()
            outcome = run(asked.seed + rounds, folder, asked.chosen)
            rounds += 1
            failures += len(outcome.failed) or int(outcome.status != 0)
            took = (time.monotonic() - since) / 60
            print(
                f"round {rounds}, seed {outcome.seed}: {outcome.tests} tests, {len(outcome.failed)} failed, "
                f"pytest's status {outcome.status}, {took:.1f} minutes, {outcome.log}",
                flush=True,
            )
            for name in outcome.failed:
                print(f"  FAILED {name} (--shuffle {outcome.seed})", flush=True)
    print(f"{rounds} rounds, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())

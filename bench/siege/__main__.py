"""Besieges a server: `make siege ARGS='--seconds 10 --only trailers'`. Loopback only; what it starts, it ends.

Each attack meets a new `ubongo serve` with its usual limits and a temporary file, 200 honest players at 50 tables who
move every two seconds, a visitor and a newcomer, each household at an address of its own. The attacker has 127.0.0.2.
The server has one core; all others share the second one, the attacker at a low priority. What else runs on the machine
counts too: `peace`, without an attack, shows how much, and the lateness of the honest generator is always printed.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import NamedTuple

from bench.serving import Server, serving
from bench.siege import attacks, honest
from bench.siege.attacks import ATTACKS, PREPARED, Done
from bench.siege.honest import Heard, Ready
from bench.tables import figure
from tests.ports import free_port

MOST_P99_MS = 50.0
MOST_GROWTH_MB = 64.0
# If our own generator was later than this, its measurements say little about the server.
LATE_MS = 10.0
SPREAD = {"p50": 0.5, "p99": 0.99, "worst": 1.0}
LOOK_EVERY_S = 0.1
# Time for the slowest process to start and stop, besides the attack itself.
PATIENCE_S = 180.0
LONGEST_S = 600.0


class Outcome(NamedTuple):
    heard: Heard
    done: Done
    growth_mb: float
    core: float
    faults: int

    @property
    def goals(self) -> list[tuple[str, bool]]:
        found = [
            (f"p99 at most {MOST_P99_MS:.0f} ms", percentile(self.heard.moves, 0.99) <= MOST_P99_MS),
            (f"at most {MOST_GROWTH_MB:.0f} MB more", self.growth_mb <= MOST_GROWTH_MB),
            ("nobody refused", not self.heard.refused),
        ]
        return [*found, *((f"no {what}", False) for what in self.done.breaches), ("no fault logged", not self.faults)]


def percentile(times: Sequence[float], part: float) -> float:
    return times[min(len(times) - 1, int(len(times) * part))] if times else float("inf")


def received(pipe: Connection, process: BaseProcess) -> object:
    deadline = time.perf_counter() + PATIENCE_S
    while not pipe.poll(0.1):
        if not process.is_alive() or time.perf_counter() > deadline:
            raise TimeoutError(f"{process.name} did not finish")
    return pipe.recv()


def besiege(name: str, db: Path, port: int, seconds: float) -> Outcome:
    old = PREPARED[name](db) if name in PREPARED else None
    fresh = multiprocessing.get_context("spawn")
    with db.with_suffix(".log").open("w") as log, serving(db, (), log, port) as server:
        ours, theirs = fresh.Pipe()
        flags = server.address, seconds, name == "printing", theirs
        people = fresh.Process(target=honest.run, args=flags, name="honest")
        people.start()
        started: list[BaseProcess] = [people]
        try:
            at = received(ours, people)
            assert isinstance(at, Ready)
            at.finished = old or at.finished
            from_eve, to_us = fresh.Pipe()
            eve = fresh.Process(target=attacks.run, args=(name, server.address, at, seconds, to_us), name="attacker")
            eve.start()
            started.append(eve)
            received(from_eve, eve)
            before, worked, began = server.kib(), server.worked_s(), time.perf_counter()
            for pipe in (from_eve, ours):
                pipe.send("go")
            most = watched(server, before, seconds)
            core = (server.worked_s() - worked) / (time.perf_counter() - began)
            done, heard = received(from_eve, eve), received(ours, people)
            assert isinstance(done, Done)
            assert isinstance(heard, Heard)
        finally:
            for process in started:
                process.kill()
                process.join()
    said = db.with_suffix(".log").read_text()
    return Outcome(heard, done, (most - before) / 1024, core, said.count('"level": "error"') + said.count("Traceback"))


def watched(server: Server, before: int, seconds: float) -> int:
    """The server's peak memory meanwhile, in KiB."""
    most, over = before, time.perf_counter() + seconds
    while time.perf_counter() < over:
        if server.process.poll() is not None:
            raise AssertionError(f"The server ended with {server.process.returncode}")
        most = max(most, server.kib())
        time.sleep(LOOK_EVERY_S)
    return most


def spread(times: Sequence[float]) -> str:
    return ", ".join(f"{name} {percentile(times, part):.1f}" for name, part in SPREAD.items()) + " ms"


def listed(counted: Counter[str]) -> str:
    return ", ".join(f"{number:,} {what}" for what, number in counted.most_common() if number) or "nothing"


def tell(name: str, outcome: Outcome) -> None:
    heard = outcome.heard
    figure(
        f"{name}: a move {spread(heard.moves)}; a visit {spread(heard.visits)}; of {heard.asked:,} refused: "
        f"{listed(heard.refused)}; memory +{outcome.growth_mb:.0f} MB; server {outcome.core:.0%} of a core; "
        f"attacker: {listed(outcome.done.work)}; generator late by {spread(heard.late)}",
        *outcome.goals,
    )
    if percentile(heard.late, 0.99) > LATE_MS:
        print(f"  The generator itself was late: measure {name} again on a machine that does nothing else.", flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--seconds", type=float, default=60, help="of each attack; 60 unless told, at most 600")
    options.add_argument("--only", nargs="+", choices=ATTACKS, metavar="ATTACK", help=f"of {', '.join(ATTACKS)}")
    wanted = options.parse_args()
    if not 1 <= wanted.seconds <= LONGEST_S:
        options.error(f"--seconds is a number from 1 to {LONGEST_S:.0f}")
    if sys.platform != "linux":
        options.error("only Linux has all of 127.0.0.0/8 to bind to, and /proc to look at")
    # On SIGTERM it still ends the processes it has started.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))
    print(f"load of the machine before: {os.getloadavg()[0]:.1f}, of {os.cpu_count()} cores", flush=True)
    others = set(range(1, os.cpu_count() or 1)) & os.sched_getaffinity(0)
    if others:
        os.sched_setaffinity(0, {min(others)})
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    missed = []
    # One port for all, since prints cached by one server for the next contain it.
    with tempfile.TemporaryDirectory() as folder, free_port() as port:
        for name in wanted.only or ATTACKS:
            # Prints are cached beside it, for the next server too.
            db = Path(folder, f"{name}.db")
            outcome = besiege(name, db, port, wanted.seconds)
            tell(name, outcome)
            if not all(reached for _, reached in outcome.goals):
                missed.append(name)
            for left in Path(folder).glob(f"{name}.db*"):
                left.unlink()
    if missed:
        sys.exit(f"missed: {', '.join(missed)}")
    print(f"reached: all of {len(wanted.only or ATTACKS)}")


if __name__ == "__main__":
    main()

"""Delays every write of the log at random, and prints at once, in every Python that has this folder on PYTHONPATH.

A slow disk shows what a quick one hides: whatever relies on a write being done when it may not be. The product has no
switch for this; Python imports a module of this name by itself, and we wrap the two writers once they are loaded.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

LONGEST_S = float(os.environ.get("UBONGO_SOAK_DELAY_MS", "0")) / 1000
# Seeded by the process: no other random number of a test is touched.
luck = random.Random(os.getpid())


def slow_sqlite(module: ModuleType) -> None:
    commit = module.SqliteWriter.commit

    def slowed(self: Any, *batch: Any) -> Any:
        time.sleep(luck.uniform(0, LONGEST_S))
        return commit(self, *batch)

    module.SqliteWriter.commit = slowed


def slow_postgres(module: ModuleType) -> None:
    # Imported here: every Python imports this file, and a test counts what a short command loads.
    import asyncio  # noqa: PLC0415

    append = module.PostgresWriter.append

    async def slowed(self: Any, *batch: Any) -> Any:
        await asyncio.sleep(luck.uniform(0, LONGEST_S))
        return await append(self, *batch)

    module.PostgresWriter.append = slowed


def print_at_once(module: ModuleType) -> None:
    """What has a low priority would hardly ever have its turn beside the busy loops."""
    module.LOW_PRIORITY = 0  # type: ignore[attr-defined]  # that module has it


SLOWED: dict[str, Callable[[ModuleType], None]] = {
    "ubongo.server.store.sqlite_writer": slow_sqlite,
    "ubongo.server.store.postgres_writer": slow_postgres,
    "ubongo.server.http.print_cache": print_at_once,
}


class SlowLoader(Loader):
    def __init__(self, loader: Loader, slow: Callable[[ModuleType], None]) -> None:
        self.loader = loader
        self.slow = slow

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self.loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        self.loader.exec_module(module)
        self.slow(module)


class SlowFinder(MetaPathFinder):
    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname not in SLOWED:
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is not None and spec.loader is not None:
            spec.loader = SlowLoader(spec.loader, SLOWED[fullname])
        return spec


if LONGEST_S > 0:
    sys.meta_path.insert(0, SlowFinder())

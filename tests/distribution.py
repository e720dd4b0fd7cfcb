"""How pytest's workers share the tests: which come first, and which stay together."""

from __future__ import annotations

from pathlib import PurePath
from typing import TYPE_CHECKING

from xdist.scheduler import LoadScopeScheduling

if TYPE_CHECKING:
    from xdist.workermanage import WorkerController

# A worker often waits for a browser or a server, so there are more workers than cores.
EXTRA_WORKERS = 4
# The longest first: a long test that starts last would keep one worker busy while the others have nothing left to do.
SLOW_FILES = (
    "test_fast_forward.py",
    "test_by_keys.py",
    "test_achieved.py",
    "test_cubes.py",
    "test_solo.py",
    "test_cards.py",
    "test_time.py",
    "test_beginner.py",
    "test_history.py",
    "test_day_result.py",
    "test_companion.py",
    "test_dice.py",
    "test_extreme.py",
    "test_make.py",
    "test_print.py",
    "test_kernel.py",
    "test_starter.py",
    "test_cluster_two_servers.py",
    "test_conformance.py",
    "test_faults.py",
    "test_safety.py",
    "test_floods.py",
    "test_warm.py",
    "test_solve.py",
    "test_commands.py",
    "test_matches.py",
    "test_simulate.py",
    "test_material.py",
    "test_postgres.py",
    "test_sizes.py",
    "test_large_text.py",
    "test_restart.py",
    "test_focus.py",
    "test_play_now.py",
)


def is_in_browser(path: PurePath) -> bool:
    return "browser" in path.parts


def rank(path: PurePath) -> int:
    """Sorts the slow files to the beginning."""
    return SLOW_FILES.index(path.name) if path.name in SLOW_FILES else len(SLOW_FILES)


class Scheduling(LoadScopeScheduling):
    """Hands out whole files, so that what the tests of a file share is made once; browser tests one by one.

    Browser tests wait more than they compute, the others compute more than they wait. Therefore half of the workers
    begin with browser tests. They stay with them: Playwright's event loop keeps running, and in its process no other
    can start.
    """

    def _split_scope(self, nodeid: str) -> str:
        path = nodeid.split("::", 1)[0]
        return nodeid if is_in_browser(PurePath(path)) else path

    def _assign_work_unit(self, node: WorkerController) -> None:
        browser: list[str] = []
        others: list[str] = []
        for scope in self.workqueue:
            (browser if self._is_in_browser(scope) else others).append(scope)
        if others and not self._has_browser(node):
            browsing = sum(map(self._has_browser, self.nodes))
            chosen = browser if browser and browsing < len(self.nodes) // 2 else others
        else:
            chosen = browser
        if not chosen:
            node.shutdown()
            return
        self.workqueue.move_to_end(chosen[0], last=False)
        super()._assign_work_unit(node)

    def _has_browser(self, node: WorkerController) -> bool:
        return any(map(self._is_in_browser, self.assigned_work[node]))

    def _is_in_browser(self, scope: str) -> bool:
        return is_in_browser(PurePath(scope.split("::", 1)[0]))

"""Tiling, compiled: batches, all subsets at once, large puzzles. Import it only when needed: Numba takes half a second.

`tiling` defines tasks and gives the same answers in plain Python. This package has two searches: the shift window
(`window.py`) for different pieces in a small box, and the cell search (`cells.py`) for all other tasks of up to 128
cells. Larger tasks go to the plain search.
"""

from ubongo.kernel.batch import SearchCount
from ubongo.kernel.counting import MUCH_WORK, count, count_batch, fillings, prepare, ready, work, work_batch
from ubongo.kernel.subsets import count_subsets, ready_subsets

__all__ = [
    "MUCH_WORK",
    "SearchCount",
    "count",
    "count_batch",
    "count_subsets",
    "fillings",
    "prepare",
    "ready",
    "ready_subsets",
    "work",
    "work_batch",
]

"""`ubongo catalogue`: any number of tasks."""

from __future__ import annotations

from ubongo.commands import Complaint, Flag
from ubongo.commands._support.output import Out, writing
from ubongo.commands._support.workers import crew_of

GAMES = ("extreme", "cubes")


def catalogue(
    game: str,
    /,
    *,
    out: Out,
    tasks: int = 10_000,
    seed: int = 1,
    workers: int | None = None,
    dask: str | None = None,
    force: Flag = False,
) -> None:
    """
    Parameters
    ----------
    game
        extreme or cubes.
    out
        The file to write; - is standard output.
    tasks
        How many.
    seed
        The same seed gives the same tasks.
    workers
        How many processes work on it; by default one per core.
    dask
        The address of a Dask cluster that does the work.
    force
        Overwrite the file if it exists.
    """
    if game not in GAMES:
        raise Complaint(f"there is no catalogue of {game!r}; there is one of {' and of '.join(GAMES)}")
    if tasks < 1:
        raise Complaint(f"--tasks is {tasks}; it is at least 1")
    if seed < 0:
        raise Complaint(f"--seed is {seed}; it is 0 or more")
    with writing(out, force) as file, crew_of(workers, dask) as crew:
        from ubongo.workshop.catalogue import lines  # the workshop brings Numba

        written = 0
        for chunk in lines(game, seed, crew):
            some = chunk[: tasks - written]
            file.writelines(some)
            written += len(some)
            crew.tell(f"{game}: tasks", written, tasks)
            if written == tasks:
                break

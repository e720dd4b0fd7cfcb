"""`ubongo make`: a new edition of a game."""

from __future__ import annotations

from ubongo.commands import Complaint, Flag
from ubongo.commands._support.editions import known
from ubongo.commands._support.output import Out, writing, written
from ubongo.commands._support.workers import crew_of


def make(
    game: str,
    /,
    *,
    seed: int,
    out: Out,
    workers: int | None = None,
    dask: str | None = None,
    force: Flag = False,
) -> None:
    """
    Parameters
    ----------
    game
        cards, dice, extreme or cubes.
    seed
        The same seed gives the same edition, to the byte.
    out
        The file to write; - is standard output.
    workers
        How many processes work on it; by default one per core.
    dask
        The address of a Dask cluster that does the work.
    force
        Overwrite the file if it exists.
    """
    known(game)
    if seed < 0:
        raise Complaint(f"--seed is {seed}; it is 0 or more")
    from ubongo.material import encode  # the workshop brings Numba
    from ubongo.workshop import press

    with writing(out, force) as file:
        with crew_of(workers, dask) as crew:
            edition = press.make(game, seed, crew)
        file.write(encode(edition))
    written(out, edition.id)

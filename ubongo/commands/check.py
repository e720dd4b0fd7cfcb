"""`ubongo check`: the proof of an edition."""

from __future__ import annotations

from pathlib import Path

from ubongo.commands import Complaint, Flag
from ubongo.commands._support.workers import crew_of
from ubongo.material import GAMES, BadEdition, Edition, identify, shipped, unproved

HANDS, MANY_HANDS = 1000, 10_000


def check(
    file: Path | None = None,
    /,
    *,
    thorough: Flag = False,
    workers: int | None = None,
    dask: str | None = None,
) -> int:
    """
    Parameters
    ----------
    file
        The edition to prove; without it, the four that come with the program.
    thorough
        10,000 hands of each face of the cards instead of 1,000.
    workers
        How many processes work on it; by default one per core.
    dask
        The address of a Dask cluster that does the work.
    """
    editions = [shipped(game) for game in GAMES] if file is None else [_any_in(file)]
    from ubongo.workshop import press  # the workshop brings Numba

    failed = False
    with crew_of(workers, dask) as crew:
        for edition in editions:
            findings = press.check(edition, MANY_HANDS if thorough else HANDS, crew)
            faults = [*_wrong_id(edition), *findings.failed]
            print(f"{edition.id}: {'not proved' if faults else 'proved'}")
            for sentence in faults or findings.proved:
                print(f"  {sentence}")
            failed = failed or bool(faults)
    return 1 if failed else 0


def _any_in(file: Path) -> Edition:
    """The edition in a file, even one that has been changed: the proof reports what is wrong with it."""
    try:
        return unproved(file.read_bytes())
    except OSError as problem:
        raise Complaint(f"{file} cannot be read: {problem.strerror}") from None
    except BadEdition as problem:
        raise Complaint(f"{file} is refused: {problem}") from None


def _wrong_id(edition: Edition) -> list[str]:
    right = identify(edition).id
    return [] if right == edition.id else [f"its content belongs to the id {right}: it has been changed"]

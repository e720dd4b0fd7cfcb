"""`ubongo solve`: counts and fillings of tasks, one task per line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from math import prod
from typing import Annotated

import msgspec
from cyclopts import Parameter

from ubongo.commands import Complaint, Flag
from ubongo.commands._support.input_lines import BROKEN, LONGEST, NumberedLine, blocks, complaint, open_lines
from ubongo.commands._support.progress_bar import bar
from ubongo.lattice import LATTICES
from ubongo.picture import draw, names
from ubongo.tiling import BadTask, Filling, Puzzle, TilingSearch

# Fewer and smaller tasks than this are solved sooner than the compiled search is loaded.
FEW = 64
LITTLE_WORK = 20_000
LARGEST_PICTURE = 20_000

JsonCells = tuple[tuple[int, ...], ...]


class TaskLine(msgspec.Struct):
    lattice: str
    region: JsonCells
    pieces: tuple[JsonCells, ...]
    mirror: bool | None = None
    id: str | int | None = None


class IdOnly(msgspec.Struct):
    id: str | int | None = None


class SolveJob(msgspec.Struct, frozen=True):
    id: str | int
    puzzle: Puzzle


class SolveError(msgspec.Struct, frozen=True, omit_defaults=True):
    line: int
    error: str
    id: str | int | None = None


def solve(
    file: Annotated[str, Parameter(allow_leading_hyphen=True)],
    /,
    *,
    count: Flag = False,
    first: Flag = False,
    all_: Annotated[bool, Parameter(name="--all", show_default=False)] = False,
    limit: int | None = None,
    json: Flag = False,
    threads: int = 1,
) -> int:
    """
    Parameters
    ----------
    file
        Tasks, one JSON object per line; - reads standard input.
    count
        How many fillings each task has.
    first
        One filling of each task (the default).
    all_
        Every filling of each task.
    limit
        With --all: no more than this many.
    json
        JSON lines instead of pictures.
    threads
        How many threads search a big task.
    """
    if count + first + all_ > 1:
        raise Complaint("--count, --first and --all exclude each other; choose one")
    if limit is not None and not all_:
        raise Complaint("--limit goes with --all")
    if limit is not None and limit < 1:
        raise Complaint(f"--limit is {limit}; it is at least 1")
    if threads < 1:
        raise Complaint(f"--threads is {threads}; it is at least 1")
    answer = Answers(json, threads)
    write = answer.counts if count else answer.fillings(limit) if all_ else answer.first
    source = open_lines(file)
    with bar("solving", file if not sys.stdout.isatty() else None) as told:
        for lines in blocks(source, told):
            read = [task_of(line) for line in lines]
            sys.stdout.buffer.writelines(answer.in_order(read, write))
            sys.stdout.buffer.flush()
    return 1 if answer.faults else 0


_decode_task = msgspec.json.Decoder(TaskLine).decode
_decode_id = msgspec.json.Decoder(IdOnly).decode
_encode = msgspec.json.Encoder().encode


def task_of(line: NumberedLine) -> SolveJob | SolveError:
    """The task in a line, or what is wrong with it."""
    number, text = line
    if text is None:
        return SolveError(number, f"the line is longer than {LONGEST >> 20} MiB")
    try:
        task = _decode_task(text)
        name = number if task.id is None else task.id
        return SolveJob(name, Puzzle(task.lattice, task.region, task.pieces, task.mirror))
    except (*BROKEN, BadTask) as problem:
        return SolveError(number, complaint(problem), _id_in(text))


def _id_in(text: bytes) -> str | int | None:
    try:
        return _decode_id(text).id
    except BROKEN:
        return None


SolutionWriter = Callable[[Sequence[SolveJob]], Iterator[Iterable[bytes]]]


class Answers:
    """What is printed for tasks, as JSON or for people."""

    def __init__(self, json: bool, threads: int) -> None:
        self.faults = 0
        self._json = json
        self._threads = threads
        self._nodes = 0

    def in_order(self, read: Sequence[SolveJob | SolveError], write: SolutionWriter) -> Iterator[bytes]:
        answers = write([one for one in read if isinstance(one, SolveJob)])
        for one in read:
            yield from next(answers) if isinstance(one, SolveJob) else self._fault(one)

    def _fault(self, fault: SolveError) -> Iterator[bytes]:
        self.faults += 1
        if self._json:
            yield _encode(fault) + b"\n"
        else:
            print(f"line {fault.line}: {fault.error}", file=sys.stderr)

    def counts(self, tasks: Sequence[SolveJob]) -> Iterator[Iterable[bytes]]:
        for task, (number, nodes) in zip(tasks, self._counted([task.puzzle for task in tasks]), strict=True):
            if self._json:
                yield [_encode({"id": task.id, "count": number, "nodes": nodes}), b"\n"]
            else:
                fillings = "1 filling" if number == 1 else f"{number:,} fillings"
                yield [f"{task.id}: {fillings if number else _none(task.puzzle)}\n".encode()]

    def _counted(self, puzzles: Sequence[Puzzle]) -> Iterator[tuple[int, int]]:
        if len(puzzles) > FEW:
            from ubongo import kernel  # Numba takes half a second to load

            for done in kernel.work_batch(puzzles, self._threads, special=self._nodes > kernel.MUCH_WORK):
                self._nodes += done.nodes
                yield done.count, done.nodes
            return
        for puzzle in puzzles:
            search = TilingSearch(puzzle, LITTLE_WORK)
            number = search.count()
            if search.gave_up:
                from ubongo import kernel

                done = kernel.work(puzzle, self._threads)
                yield done.count, done.nodes
            else:
                yield number, search.nodes

    def first(self, tasks: Sequence[SolveJob]) -> Iterator[Iterable[bytes]]:
        for task in tasks:
            filling = next(_fillings(task.puzzle), None)
            if self._json:
                yield [_encode({"id": task.id, "solution": filling}), b"\n"]
            elif filling is None:
                yield [f"{task.id}: {_none(task.puzzle)}\n\n".encode()]
            else:
                yield [f"{task.id}\n{_picture(task.puzzle, filling)}\n\n".encode()]

    def fillings(self, limit: int | None) -> SolutionWriter:
        """Every filling, written as soon as it is found: all of them may not fit into memory."""

        def write(tasks: Sequence[SolveJob]) -> Iterator[Iterable[bytes]]:
            for task in tasks:
                found = islice(_fillings(task.puzzle), limit)
                yield self._all_json(task, found) if self._json else self._all_pictures(task, found)

        return write

    def _all_json(self, task: SolveJob, found: Iterator[Filling]) -> Iterator[bytes]:
        yield b'{"id":' + _encode(task.id) + b',"solutions":['
        for number, filling in enumerate(found):
            yield (b"," if number else b"") + _encode(filling)
        yield b"]}\n"

    def _all_pictures(self, task: SolveJob, found: Iterator[Filling]) -> Iterator[bytes]:
        number = 0
        for number, filling in enumerate(found, 1):
            yield f"{task.id}, filling {number}\n{_picture(task.puzzle, filling)}\n\n".encode()
        if not number:
            yield f"{task.id}: {_none(task.puzzle)}\n\n".encode()


def _fillings(puzzle: Puzzle) -> Iterator[Filling]:
    """All fillings: starts in plain Python; a longer search continues in compiled code after those already found."""
    search = TilingSearch(puzzle, LITTLE_WORK)
    done = 0
    for filling in search.fillings():
        yield filling
        done += 1
    if search.gave_up:
        from ubongo import kernel  # Numba takes half a second to load

        yield from islice(kernel.fillings(puzzle), done, None)


def _none(puzzle: Puzzle) -> str:
    if puzzle.adds_up:
        return "no filling"
    pieces, region = sum(map(len, puzzle.pieces)), len(puzzle.region)
    return f"no filling: the pieces have {pieces} cells together, the region has {region}"


def _picture(puzzle: Puzzle, filling: Filling) -> str:
    """The filling as a picture, or as a list if its cells are too far apart."""
    pieces = dict(zip(names(len(filling)), [laid.cells for laid in filling], strict=True))
    if prod(max(axis) - min(axis) + 1 for axis in zip(*puzzle.region, strict=True)) > LARGEST_PICTURE:
        return "\n".join(f"{name}: {' '.join(map(str, cells))}" for name, cells in pieces.items())
    return draw(LATTICES[puzzle.lattice], puzzle.region, pieces)

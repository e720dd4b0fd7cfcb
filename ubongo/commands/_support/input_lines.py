"""Reads files line by line in blocks: input from a pipe is processed at once, and memory use is constant."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable, Iterator
from typing import BinaryIO

import msgspec

from ubongo.commands import Complaint

BLOCK = 1 << 20
LONGEST = 4 << 20

NumberedLine = tuple[int, bytes | None]

# What decoding a line can raise; a byte that is not UTF-8 has an error of its own.
BROKEN = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def complaint(problem: Exception) -> str:
    """What was wrong with a line, in one sentence."""
    if isinstance(problem, RecursionError):
        return "it is nested too deep"
    if isinstance(problem, UnicodeDecodeError):
        return f"it is not UTF-8: {problem.reason}"
    return str(problem)


def open_lines(name: str) -> BinaryIO:
    """The file of that name, or standard input for `-`."""
    if name == "-":
        return sys.stdin.buffer
    try:
        return open(name, "rb")  # noqa: PTH123 - the caller reads it to its end
    except OSError as problem:
        raise Complaint(f"{name} cannot be read: {problem.strerror}") from None


def blocks(file: BinaryIO, told: Callable[[int], None]) -> Iterator[list[NumberedLine]]:
    """The lines as they arrive, each with its number; a line longer than LONGEST is None.

    `told` is called with the number of bytes read. Empty lines are counted and skipped.
    """
    # `read1` returns what is available; `read` would wait for a whole block.
    read = file.read1 if isinstance(file, io.BufferedReader) else file.read
    number, rest, overlong = 0, b"", False
    while block := read(BLOCK):
        told(len(block))
        *whole, rest = (rest + block).split(b"\n")
        lines: list[NumberedLine] = []
        for line in whole:
            number += 1
            if overlong or len(line) > LONGEST:
                lines.append((number, None))
            elif line.strip():
                lines.append((number, line))
            overlong = False
        if len(rest) > LONGEST:
            rest, overlong = b"", True
        if lines:
            yield lines
    if overlong or rest.strip():
        yield [(number + 1, None if overlong else rest)]

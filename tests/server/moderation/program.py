"""Runs the program in this process: a new process would take longer than the command."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from ubongo.cli import main


class Said(NamedTuple):
    status: int
    out: str
    err: str


class Program:
    def __init__(self, output: pytest.CaptureFixture[str]) -> None:
        self._output = output

    def __call__(self, *words: str | Path) -> Said:
        self._output.readouterr()
        with pytest.raises(SystemExit) as end:
            main([*map(str, words)])
        return Said(end.value.code or 0, *self._output.readouterr())  # type: ignore[arg-type] # an exit code or None

    def done(self, *words: str | Path) -> str:
        """Asserts that a server has carried it out; others may need a moment more."""
        status, out, err = self(*words)
        assert (status, err) == (0, "")
        assert out.endswith("; done\n"), out
        return out

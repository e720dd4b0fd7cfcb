"""The program in this process: a new one for each command would take longer than the commands."""

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
        return Said(end.value.code or 0, *self._output.readouterr())  # type: ignore[arg-type] # a number, or none

    def done(self, *words: str | Path) -> str:
        """Some server has carried it out; others may need a moment more."""
        status, out, err = self(*words)
        assert (status, err) == (0, "")
        assert out.endswith("; done\n"), out
        return out

"""The program, as a shell starts it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

UBONGO = (sys.executable, "-m", "ubongo")
PATIENCE_S = 600

# Counting the lines of long work would take longer than the work.
UNTRACED = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}


def ubongo(
    *words: str | Path, given: str = "", env: dict[str, str] | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs it to its end, whatever that is; `given` is what it reads."""
    return subprocess.run(
        [*UBONGO, *words],
        input=given,
        env=env,
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )

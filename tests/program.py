"""The program, as a shell starts it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

UBONGO = (sys.executable, "-m", "ubongo")
PATIENCE_S = 600

# Measuring the coverage of long work would take longer than the work.
UNTRACED = {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE_")}


def ubongo(
    *arguments: str | Path, stdin: str = "", env: dict[str, str] | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Runs it until it exits, with any status. `stdin` is its standard input."""
    return subprocess.run(
        [*UBONGO, *arguments],
        input=stdin,
        env=env,
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )

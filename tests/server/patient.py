"""A server that never takes a slow peer for dead: for tests in which servers are killed, or none is.

A killed process is detected by its closed connection, as everywhere. But a machine that runs many tests stalls
for seconds now and then, and then its peers would rightly take over, which these tests do not expect.

python -m tests.server.patient serve --port 0 --db postgresql://...
"""

from __future__ import annotations

from ubongo.cli import main
from ubongo.server.cluster import membership
from ubongo.server.store.postgres_migrations import MIGRATIONS
from ubongo.server.store.postgres_schema import migrate
from ubongo.server.wire import handoff
from ubongo.table import Millis

# Longer than any test lasts.
SLOW_S = 600
LIVES = "beat > clock_ms() - 4000"

assert any(LIVES in script for script in MIGRATIONS)
migrate.__defaults__ = (tuple(script.replace(LIVES, f"beat > clock_ms() - {SLOW_S * 1000}") for script in MIGRATIONS),)
membership.LATE = Millis(SLOW_S * 1000)
handoff.ALIVE_WITHIN_S = SLOW_S

if __name__ == "__main__":
    main()

"""How much a cluster takes: `python -m bench.cluster [--seconds N]`; prints figures, keeps none.

A PostgreSQL of its own, with every commit on the disk. What others do on the machine counts too: look at the load that
is printed first.
"""

from __future__ import annotations

import argparse
import os

from bench.appends import appends
from tests.postgres import Postgres


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=5)
    wanted = parser.parse_args()
    print(f"load of the machine before: {os.getloadavg()[0]:.1f}, of {os.cpu_count()} cores")
    server = Postgres(fsync="on")
    appends(server, wanted.seconds)


if __name__ == "__main__":
    main()

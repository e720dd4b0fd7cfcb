"""A server that loads nothing by itself once it serves, so that what its memory grows by is somebody's doing.

python -m tests.server.lean serve --port 0 --db log.db
"""

from __future__ import annotations

from ubongo.cli import main
from ubongo.server.lobby.bot_seats import BotSeats

# What bots are compiled with takes 50 MB, and is loaded a moment after the start.
setattr(BotSeats, "expect", lambda _bot_seats, _game: None)  # noqa: B010 - a method is not to be assigned to

if __name__ == "__main__":
    main()

"""A server that loads nothing in the background, so that its memory grows only because of its clients.

python -m tests.server.lean serve --port 0 --db log.db
"""

from __future__ import annotations

from ubongo.cli import main
from ubongo.server.lobby.bot_seats import BotSeats

# The compiler for bots takes 50 MB, and is loaded a moment after the start.
setattr(BotSeats, "expect", lambda _bot_seats, _game: None)  # noqa: B010 - mypy forbids assigning to a method

if __name__ == "__main__":
    main()

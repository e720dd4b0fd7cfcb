"""The server's own log: one JSON object a line on standard error, with nobody's name, token, address or link in it."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

# What every record has; any other attribute was passed as `extra`.
_OWN = {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName"}


class JsonFormatter(logging.Formatter):
    """A record as one JSON object, with what was passed as `extra` among its keys."""

    def format(self, record: logging.LogRecord) -> str:
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="microseconds")
        line = {
            "event": record.getMessage(),
            "level": record.levelname.lower(),
            "logger": record.name,
            **{name: value for name, value in vars(record).items() if name not in _OWN},
            "timestamp": moment.replace("+00:00", "Z"),
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, default=repr)


def configure(level: str) -> None:
    """Also for what libraries say: all of it goes the same way."""
    out = logging.StreamHandler(sys.stderr)
    out.setFormatter(JsonFormatter())
    logging.basicConfig(handlers=[out], level=level.upper(), force=True)
    # The socket tells of every connection, from where it comes and to which table.
    logging.getLogger("ubongo.server.wire").setLevel(max(logging.WARNING, logging.getLogger().level))
    # uvicorn warns of each that cannot be read: we count them.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)

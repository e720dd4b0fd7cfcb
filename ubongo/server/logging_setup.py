"""The server's log messages: one JSON object per line on standard error, without names, tokens, addresses or keys."""

from __future__ import annotations

import json
import logging
import sys
from datetime import UTC, datetime

# Attributes of every record. Any other one was passed as `extra`.
_OWN = {*vars(logging.makeLogRecord({})), "message", "asctime", "taskName"}


class JsonFormatter(logging.Formatter):
    """A record as one JSON object, with the keys of `extra`."""

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
    """Configures logging for the server and for all libraries."""
    out = logging.StreamHandler(sys.stderr)
    out.setFormatter(JsonFormatter())
    logging.basicConfig(handlers=[out], level=level.upper(), force=True)
    # Its info messages name addresses and tables' keys.
    logging.getLogger("ubongo.server.wire").setLevel(max(logging.WARNING, logging.getLogger().level))
    # uvicorn logs every malformed request: we count them.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)

"""The server's own log: one JSON object a line on standard error, with nobody's name, token, address or link in it."""

from __future__ import annotations

import logging
import sys

import structlog


def configure(level: str) -> None:
    """Also for what libraries say: all of it goes the same way."""
    line = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.stdlib.ExtraAdder(),
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
        ],
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, structlog.processors.JSONRenderer()],
    )
    out = logging.StreamHandler(sys.stderr)
    out.setFormatter(line)
    logging.basicConfig(handlers=[out], level=level.upper(), force=True)
    # The socket tells of every connection, from where it comes and to which table.
    logging.getLogger("ubongo.server.wire").setLevel(max(logging.WARNING, logging.getLogger().level))
    # uvicorn warns of each that cannot be read: we count them.
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)

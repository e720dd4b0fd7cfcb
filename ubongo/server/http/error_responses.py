"""How errors are answered: every one as JSON with a sentence and a code, and none shows how the server works."""

import logging
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

import msgspec
from litestar import MediaType, Request, Response
from litestar.exceptions import HTTPException, InternalServerException, ValidationException

from ubongo.server.errors import Denied
from ubongo.server.http.bounded_http import LONGEST_BODY
from ubongo.server.http.guests import address_of, guessing_of
from ubongo.server.lobby.table_keys import read_key
from ubongo.server.store import StoreError, Unreadable

# Litestar's own sentences are for developers; these are for users.
SENTENCES: Mapping[HTTPStatus, str] = {
    HTTPStatus.BAD_REQUEST: "This could not be read.",
    HTTPStatus.NOT_FOUND: "There is nothing at this address.",
    HTTPStatus.METHOD_NOT_ALLOWED: "This cannot be done at this address.",
    HTTPStatus.REQUEST_ENTITY_TOO_LARGE: f"This is too long; {LONGEST_BODY} bytes are the most.",
    HTTPStatus.INTERNAL_SERVER_ERROR: "Something broke on our side; it has been noted.",
}

log = logging.getLogger("ubongo.server")


class Refusal(msgspec.Struct, frozen=True, omit_defaults=True):
    """`edition` is the one that is missing, if that is the reason."""

    error: str
    code: str
    edition: str = ""


def denied(problem: Exception) -> Denied | None:  # noqa: PLR0911 - a case each
    """The refusal for an exception that is no fault of ours; None for all others."""
    match problem:
        case Denied():
            return problem
        case Unreadable():
            return Denied("damaged_file")
        case StoreError():
            return Denied("not_recorded")
        case RecursionError():
            return Denied("unreadable", why="it is nested too deep")
        case InternalServerException(detail="client disconnected prematurely"):
            # Litestar reports a lost connection as an internal error.
            return Denied("unreadable", why="it broke off")
        case UnicodeDecodeError():
            return Denied("unreadable", why="it is not UTF-8")
        case ValidationException(extra=[{"message": why, "key": key}, *_]):
            return Denied("unreadable", why=f"{key}: {why}")
        case ValidationException(extra=[{"message": why}, *_]):
            return Denied("unreadable", why=why)
    return None


def answer_error(request: Request[Any, Any, Any], problem: Exception) -> Response[Refusal]:
    no = denied(problem)
    if no is not None:
        if no.code == "no_such_table" and "table" in request.path_params:
            guessing_of(request.app.state).note_miss(read_key(request.path_params["table"]), address_of(request))
        return Response(Refusal(no.sentence, no.code, no.edition), status_code=no.status, media_type=MediaType.JSON)
    status = HTTPStatus(problem.status_code if isinstance(problem, HTTPException) else 500)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        # The route, not the path: a path may hold a table's key.
        log.error("%s %s failed", request.method, request.scope.get("path_template", ""), exc_info=problem)
    refusal = Refusal(error=SENTENCES.get(status, f"{status.phrase}."), code=status.name.lower())
    return Response(refusal, status_code=status, media_type=MediaType.JSON)

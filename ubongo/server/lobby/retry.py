"""Retries after a version conflict."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import wraps
from typing import ParamSpec, TypeVar

from ubongo.server.store import VersionConflict

MOST_RETRIES = 10

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def retry_on_conflict(function: Callable[Arguments, Awaitable[Result]]) -> Callable[Arguments, Awaitable[Result]]:
    """Calls the function again if another server has changed the table meanwhile. It has to read the table itself."""

    @wraps(function)
    async def retrying(*arguments: Arguments.args, **named: Arguments.kwargs) -> Result:
        for _ in range(MOST_RETRIES):
            try:
                return await function(*arguments, **named)
            except VersionConflict:
                continue
        return await function(*arguments, **named)

    return retrying

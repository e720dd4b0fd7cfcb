"""Refusals of requests: a closed list of codes, each with its HTTP status and an English sentence.

Programs read the code. The page has its own sentences, by code and in three languages; these are for other clients.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_OPTIONS = "These options do not work: {why}."

REASONS: Mapping[str, tuple[int, str]] = {
    "unreadable": (400, "This could not be read: {why}."),
    "unknown_host": (
        400,
        "This server does not have that name. Its operator can set it: ubongo serve --public-url.",
    ),
    "bad_name": (
        400,
        "A name has 1 to {longest} characters, none that cannot be seen, and at most two accents added to a letter.",
    ),
    "reserved_name": (400, "This looks like the name of a bot. Add something to it, or choose another."),
    "no_such_game": (400, "There is no game {game!r}; there are {games}."),
    "no_such_level": (400, "There is no level {level!r}; there are {levels}."),
    "too_many_bots": (400, "There are not enough seats for these bots: at most {free} of {seats}."),
    "no_bots_alone": (
        400,
        "A solo table has one seat, for a person. Open a table of a game to play with bots.",
    ),
    "too_few_seats": (400, "{taken} seats are taken. Free one before you take it away."),
    "bad_options": (400, _OPTIONS),
    "die_needed": (400, _OPTIONS),
    "five_areas": (400, _OPTIONS),
    "no_bots_on_paper": (400, _OPTIONS),
    "needs_paper": (409, "Players without a device can only sit at a companion table. Choose the companion."),
    "no_token": (401, "Say who you are: POST a name to /api/guests, and send the token that comes back."),
    "not_host": (403, "Only the host of this table can do that."),
    "not_seated": (403, "You have no seat at this table."),
    "removed": (403, "The host has removed you from this table. You can watch, or play at another one."),
    "another_site": (403, "This request came from another site's page."),
    "banned": (403, "You have been banned from this server. If you think that is a mistake, ask its operator."),
    "not_found": (404, "There is nothing at this address."),
    "no_such_table": (404, "There is no such table. Perhaps it was closed; open a new one."),
    "no_such_code": (404, "This code does not work. It may have been used already."),
    "too_many_devices": (409, "You are signed in on {devices} devices. Sign out one of them first."),
    "full": (409, "Every seat at this table is taken. You can watch."),
    "has_begun": (409, "The match has begun. You can watch."),
    "not_today": (409, "Today's puzzle is that of {today} (UTC). Open a table for it."),
    "no_ghost": (409, "Only a finished solo run can be raced. Choose another table."),
    "no_round_over": (409, "No round is over at the moment. Try again after the round."),
    "day_not_over": (409, "That day is not over yet, so its solutions are not shown. Come back tomorrow."),
    "no_edition": (
        409,
        "This server does not have the edition {edition} of this match, so it cannot be shown.",
    ),
    "damaged": (409, "The stored match is damaged, so it cannot be shown. Ask the operator of this server."),
    "damaged_file": (
        503,
        "Part of this server's database is damaged, so this cannot be done. Tell its operator.",
    ),
    "broken": (500, "This match cannot go on because of an error in the server. It has been logged."),
    "not_over": (409, "The match is not over yet."),
    "cannot_start": (409, "The match cannot start like this: {why}."),
    "seat_taken": (409, "The seat is taken. Free it first."),
    "too_fast": (429, "Too many requests. Wait a moment, then go on."),
    "too_many_connections": (
        429,
        "Too many connections are open from your network. Close some pages, then try again.",
    ),
    "too_many_guests": (429, "Too many new guests from your network. Wait a minute, then try again."),
    "too_many_misses": (
        429,
        "Too many wrong links were opened from your network. Wait a few minutes, then try yours again.",
    ),
    "too_many_tables": (429, "You have {tables} tables open. Close one first."),
    "too_many_tables_here": (
        429,
        "Too many tables are open from your network. Close one, or wait until a match is over.",
    ),
    "server_full": (503, "This server has no room for another table. Try again in a few minutes."),
    "out_of_space": (
        503,
        "This server has used up its disk space, so no new table can be opened. Matches go on.",
    ),
    "printing_busy": (429, "Too many are waiting to print. Try again in a minute."),
    "too_many_prints": (
        429,
        "Too much has been printed for your network. Wait a few minutes; earlier files are still available.",
    ),
    "not_recorded": (503, "This could not be saved, so it has not happened. Try again in a moment."),
}


class Denied(Exception):
    """A request was refused; nothing has happened. `edition` is the missing one, if that is the reason."""

    def __init__(self, code: str, **values: Any) -> None:
        super().__init__(code)
        self.code = code
        self.edition = str(values.get("edition", ""))
        self.status, sentence = REASONS[code]
        self.sentence = sentence.format_map(values)

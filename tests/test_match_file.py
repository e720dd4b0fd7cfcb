"""The file of a match: reading gives back what was written, and bad lines are refused with a clear message."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Raw

from ubongo.bots.pace import LEVELS
from ubongo.events import AnyEvent, Readied
from ubongo.game import BadOptions
from ubongo.games import GAMES
from ubongo.match_file import (
    BadLine,
    Bot,
    EventLine,
    Opening,
    RefusedLine,
    open_table,
    read_event,
    read_events,
    read_opening,
    refused_line,
    table_arguments,
    write_line,
    write_match,
)
from ubongo.moves import Refused
from ubongo.table import Instant, SeatNo
from ubongo.virtual import VirtualTable

names = st.text(st.characters(codec="utf-8"), min_size=1, max_size=60)
openings = st.builds(
    Opening,
    st.sampled_from(sorted(GAMES)),
    st.lists(names | st.builds(Bot, names, st.none() | st.sampled_from(LEVELS)), max_size=4).map(tuple),
    st.text(st.characters(codec="utf-8"), max_size=200),
    st.dictionaries(st.sampled_from(["ready_s", "first_seat"]), st.integers(0, 3)).map(
        lambda options: Raw(msgspec.json.encode(options))
    ),
)
instants = st.integers(0, 2**53).map(Instant)
events: st.SearchStrategy[Any] = st.from_type(AnyEvent)  # type: ignore[arg-type] # a union is a type to Hypothesis


@given(openings, st.lists(st.tuples(instants, events), max_size=5))
def test_what_is_written_is_read(opening: Opening, happened: list[tuple[Instant, AnyEvent]]) -> None:
    log = [EventLine(at, version, event) for version, (at, event) in enumerate(happened, 1)]
    written = write_match(opening, log)
    first, rest = written.split(b"\n", 1)
    assert (read_opening(first), read_events(rest)) == (opening, log)
    assert [read_event(line, version) for version, line in enumerate(rest.splitlines(), 1)] == log
    assert write_match(read_opening(first), read_events(rest)) == written


def test_the_bytes_of_every_line() -> None:
    opening = Opening("extreme", ("Ann", Bot("Bo", "easy")), "abc", Raw(b'{"side": 4}'))
    assert write_match(opening, [EventLine(Instant(5), 1, Readied(SeatNo(0)))]) == (
        b'{"game":"extreme","seats":["Ann",{"name":"Bo","bot":"easy"}],"seed":"abc","options":{"side": 4}}\n'
        b'{"at":5,"version":1,"event":{"type":"readied","seat":0}}\n'
    )
    refused = refused_line(Instant(7), "Ann", Refused("no_such_seat", seats=2))
    assert isinstance(refused, RefusedLine)
    assert write_line(refused) == (
        b'{"at":7,"seat":"Ann","refused":"There is no such seat at this table, which has 2. Choose one of those.",'
        b'"code":"no_such_seat","values":{"seats":2}}\n'
    )


def test_an_opening_opens_the_same_table_for_everybody() -> None:
    opening = read_opening(b'{"game": "extreme", "seats": ["Ann", {"name": "Bo", "bot": "easy"}], "seed": "abc"}')
    table = open_table(opening)
    assert [(seat.name, seat.bot) for seat in table.seats] == [("Ann", None), ("Bo", "easy")]
    assert VirtualTable(*table_arguments(opening)).opening == table


def test_a_seat_without_a_level_is_a_persons() -> None:
    opening = read_opening(b'{"game": "extreme", "seats": [{"name": "Ann"}, "Bo"], "seed": "abc"}')
    assert [seat.bot for seat in open_table(opening).seats] == [None, None]


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (b"not json", "JSON is malformed"),
        (b'{"game": "extreme", "seats": ["Ann", "Bo"]}', "missing required field `seed`"),
        (b'{"game": "extreme", "seats": ["", "Bo"], "seed": "x"}', "length >= 1"),
        (b'{"game": "chess", "seats": ["Ann", "Bo"], "seed": "x"}', "game is 'chess'; it is one of cards"),
        (
            b'{"game": "extreme", "seats": ["Ann", "Bo"], "seed": "x", "options": {"colour": 1}}',
            "options: Object contains unknown field `colour`; extreme has ready_s, ",
        ),
    ],
)
def test_a_bad_opening_is_refused(line: bytes, error: str) -> None:
    with pytest.raises(msgspec.DecodeError, match=error):
        open_table(read_opening(line))


def test_too_few_seats_are_bad_options() -> None:
    with pytest.raises(BadOptions, match="2 to 4 seats"):
        open_table(Opening("extreme", ("Ann",), "x"))


@pytest.mark.parametrize(
    ("line", "error"),
    [
        (b'{"at": 0, "version": 3, "event": {"type": "readied", "seat": 0}}', "version is 3; after 1 comes 2"),
        (b'{"at": 0, "event": {"type": "readied", "seat": 0}}', "version is missing; after 1 comes 2"),
    ],
)
def test_a_gap_between_events_is_refused(line: bytes, error: str) -> None:
    with pytest.raises(BadLine, match=error):
        read_event(line, 2)


@pytest.mark.parametrize(
    "line",
    [b'{"at": 0, "seat": 1, "refused": "no", "code": "over", "values": {}}', b'{"at": 0, "table": {}}'],
)
def test_a_refusal_or_a_table_is_no_event(line: bytes) -> None:
    assert read_event(line, 1) is None
    with pytest.raises(msgspec.ValidationError, match="missing required field"):
        read_events(line)

"""Seats: their order, which stay, and which contend."""

import msgspec
import pytest

from ubongo.games import GAMES
from ubongo.table import Options, Seat, SeatNo, Table, Task, contending, next_seat, staying, with_seat

SEATS = tuple(Seat(name) for name in "ABCD")
TABLE = Table("extreme", Options(first_seat=2), SEATS)

# Fields that other programs rely on; more may be added, none removed.
FIELDS = "game options phase round area playoff roller until glass dice display bag seed_hash seats last"
OF_A_SEAT = "name bot present gone ready passed stop task laid called wrong gems points"


def test_the_fields_that_other_programs_rely_on() -> None:
    built = msgspec.to_builtins(TABLE)
    assert set(FIELDS.split()) <= set(built)
    assert set(OF_A_SEAT.split()) <= set(built["seats"][0])


@pytest.mark.parametrize(
    ("after", "among", "expected"),
    [(0, [0, 1, 2, 3], 1), (3, [0, 1, 2, 3], 0), (0, [0, 3], 3), (0, [0], 0), (None, [0, 1, 3], 3), (1, [], None)],
)
def test_the_next_seat_clockwise(after: SeatNo | None, among: list[SeatNo], expected: SeatNo | None) -> None:
    assert next_seat(TABLE, after, among) == expected


def test_which_seats_stay_and_which_contend() -> None:
    table = with_seat(TABLE, SeatNo(1), Seat("B", gone=True, task=Task(())))
    table = with_seat(table, SeatNo(2), Seat("C", task=Task(())))
    assert staying(table) == [0, 2, 3]
    assert contending(table) == [2]


def test_with_seat_changes_no_other_seat() -> None:
    after = with_seat(TABLE, SeatNo(3), Seat("X"))
    assert [seat.name for seat in after.seats] == ["A", "B", "C", "X"]
    assert all(now is before for now, before in zip(after.seats[:3], SEATS[:3], strict=True))


# The public interface: every option with its default.
DEFAULTS: dict[str, dict[str, object]] = {
    "cards": {"auto_call": False, "checking": "at_call", "tie_ms": 150, "round_s": 0},
    "dice": {"grab_s": 20, "enter_s": 90, "places": "competition", "areas": 6},
    "extreme": {"side": 3, "hourglass_s": 60, "auto_call": True, "end": "itself"},
    "solo": {
        "of": "cubes",
        "side": 3,
        "die": "on",
        "mode": "clock",
        "minutes": 5,
        "tasks": 5,
        "day": "",
        "board": "",
        "number": "",
        "grade": 0,
        "scored": True,
        "ghost": "",
    },
    "cubes": {"side": 3, "hourglass_s": 90, "auto_call": True, "scoring": "gems", "die": "on", "end": "itself"},
}
ALL: dict[str, object] = {
    "ready_s": 30,
    "first_seat": 0,
    "reveal": "start",
    "edition": "",
    "takeover_s": 60,
    "companion": False,
    "count_in_s": 0,
}


@pytest.mark.parametrize("game", GAMES)
def test_the_options_and_their_defaults(game: str) -> None:
    assert msgspec.to_builtins(GAMES[game].OPTIONS()) == ALL | DEFAULTS[game]


@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("extreme", {"sides": 3}),
        ("extreme", {"die": "off"}),
        ("extreme", {"side": 5}),
        ("extreme", {"side": "3"}),
        ("extreme", {"hourglass_s": 0}),
        ("extreme", {"hourglass_s": 10**9}),
        ("extreme", {"auto_call": 1}),
        ("extreme", {"ready_s": -1}),
        ("extreme", {"ready_s": 1.5}),
        ("extreme", {"first_seat": 4}),
        ("extreme", {"count_in_s": 11}),
        ("dice", {"count_in_s": -1}),
        ("solo", {"count_in_s": 2.5}),
        ("extreme", {"reveal": "never"}),
        ("extreme", {"companion": 1}),
        ("cards", {"hourglass_s": 60}),
        ("cards", {"tie_ms": -1}),
        ("cards", {"checking": "never"}),
        ("dice", {"areas": 4}),
        ("dice", {"auto_call": True}),
        ("cubes", {"scoring": "points"}),
        ("solo", {"mode": "night"}),
        ("solo", {"of": "chess"}),
        ("solo", {"tasks": 7}),
        ("solo", {"mode": "day", "day": "15.11.2026"}),
        ("solo", {"mode": "practice", "grade": 6}),
        ("solo", {"minutes": 7}),
        ("solo", {"hourglass_s": 60}),
        ("cubes", {"tie_ms": 5}),
    ],
)
def test_bad_options_are_refused(game: str, options: dict[str, object]) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(options, GAMES[game].OPTIONS)

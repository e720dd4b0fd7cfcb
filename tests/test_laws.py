"""Properties of all games, tested with Hypothesis: any moves, at any time, by any seat."""

from collections import Counter

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.play import NAMES, replayed
from ubongo.evolve import evolve
from ubongo.games import GAMES
from ubongo.match_file import EventLine
from ubongo.moves import AnyMove, Grab, Lift, Move, Place, Refused
from ubongo.table import Instant, SeatNo, Table
from ubongo.veil import veil
from ubongo.virtual import VirtualTable

small = st.integers(-2, 12)
cells = st.lists(st.integers(-3, 9), min_size=2, max_size=3).map(tuple)
plain: st.SearchStrategy[Move] = st.from_type(AnyMove)  # type: ignore[arg-type] # a union is a type to Hypothesis
asks = st.tuples(
    st.integers(0, 3),
    st.one_of(plain, st.builds(Place, small, small, cells), st.builds(Lift, small), st.builds(Grab, small)),
    st.sampled_from([0, 0, 0, 40, 700, 2_500, 31_000, 100_000]),
)
counts = st.sampled_from([0, 1, 3, 10])
games = st.sampled_from([game for game in GAMES.values() if game.NAME != "solo"])


def gems(table: Table) -> Counter[str]:
    held = Counter[str](gem for seat in table.seats for gem in seat.gems)
    return held + Counter(table.display) + Counter(table.bag)


def run(match: VirtualTable, moves: list[tuple[int, Move, int]]) -> None:
    for seat, move, pause in moves:
        match.pass_to(Instant(match.now + pause))
        table = match.table
        try:
            match.ask(SeatNo(seat % len(table.seats)), move, match.now)
        except Refused:
            assert match.table is table, "a refusal changes nothing"


@settings(max_examples=60)
@given(games, st.integers(2, 4), st.text(max_size=5), st.lists(asks, max_size=40), counts)
def test_any_sequence_of_moves_leaves_a_log_that_replays(game, seats, seed, moves, count_in_s) -> None:  # type: ignore[no-untyped-def] # Hypothesis knows
    options = msgspec.structs.replace(game.OPTIONS(), count_in_s=count_in_s)
    match = VirtualTable(game, NAMES[:seats], options, seed)
    run(match, moves)
    log = msgspec.json.decode(msgspec.json.encode(match.log), type=list[EventLine])
    assert replayed(match.opening, log) == match.table
    table = match.opening
    for line in log:
        table = evolve(table, line.event)
        assert gems(table) == gems(match.opening), "gems are never created or lost"
    again = VirtualTable(game, NAMES[:seats], options, seed)
    run(again, moves)
    assert msgspec.json.encode(again.log) == msgspec.json.encode(match.log), "to the byte"


@settings(max_examples=60)
@given(games, st.integers(2, 4), st.lists(asks, max_size=25), st.sampled_from(["start", "deal"]), counts)
def test_hidden_data_does_not_affect_what_a_viewer_sees(game, seats, moves, reveal, count_in_s) -> None:  # type: ignore[no-untyped-def] # Hypothesis knows
    """Two tables that differ only in what a viewer may not see look the same to them."""
    options = msgspec.structs.replace(game.OPTIONS(), reveal=reveal, count_in_s=count_in_s)
    match = VirtualTable(game, NAMES[:seats], options, "one seed")
    run(match, moves)
    if match.table.phase == "over":
        return
    for viewer in (None, *range(seats)):
        assert veil(with_other_secrets(match.table, viewer), viewer) == veil(match.table, viewer)


def with_other_secrets(table: Table, viewer: int | None) -> Table:
    """The same table with different hidden data."""
    seats = []
    for number, seat in enumerate(table.seats):
        task = seat.task
        if task is not None and (task.face == "down" or (task.face == "hand" and number != viewer)):
            lying = {where.piece for where in seat.laid} if task.region is None else set()
            names = tuple(name if i in lying else "something else" for i, name in enumerate(task.pieces))
            task = msgspec.structs.replace(task, pieces=names, region=None if task.region is None else ((0, 0),))
        seats.append(msgspec.structs.replace(seat, task=task))
    return msgspec.structs.replace(table, seats=tuple(seats))

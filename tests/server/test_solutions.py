"""Solutions of a closed round's tasks: public, except that a hand is shown only to its owner."""

from __future__ import annotations

import pytest

from tests.play import Match
from tests.server.people import Person, table_for
from ubongo import layout
from ubongo.games import GAMES
from ubongo.moves import Stop
from ubongo.server.errors import Denied
from ubongo.server.records.solutions import solutions
from ubongo.table import SeatNo
from ubongo.veil import veil


@pytest.mark.parametrize("game", ["extreme", "cubes"])
@pytest.mark.parametrize("side", [3, 4])
def test_the_booklet_is_public_after_the_round(game: str, side: int) -> None:
    match = Match(game, 3, side=side)
    match.begin()
    with pytest.raises(Denied, match="no_round_over"):
        solutions(match.table)
    match.sand()
    assert match.table.last is not None
    for viewer in (None, SeatNo(0), SeatNo(1), SeatNo(2)):
        shown = solutions(veil(match.table, viewer))
        for had, found in zip(match.table.last, shown, strict=True):
            assert had.task is not None
            assert found is not None
            known = GAMES[game].pieces(match.table.options)
            assert GAMES[game].verdict(known, had.task, found).state == "solved"


def test_a_hand_is_solved_only_for_its_owner() -> None:
    match = Match("cards", 3)
    match.begin()
    for seat in range(3):
        match.ask(seat, Stop())
    assert match.table.last is not None
    assert solutions(veil(match.table, None)) == [None] * 3
    for viewer, had in enumerate(match.table.last):
        shown = solutions(veil(match.table, SeatNo(viewer)))
        assert [found is not None for found in shown] == [seat == viewer for seat in range(3)]
        mine = shown[viewer]
        assert mine is not None
        assert had.task is not None
        known = GAMES["cards"].pieces(match.table.options)
        assert layout.verdict([known[str(name)] for name in had.task.pieces], mine).state == "solved"


def test_the_search_in_a_hopeless_hand_is_bounded() -> None:
    cards = tuple(layout.card(f"c{i}", [[f"{i}{j}a", f"{i}{j}b"] for j in range(3)]) for i in range(9))
    search = layout.CardSearch(cards)
    assert search.layout() is None
    assert not search.gave_up
    bounded = layout.CardSearch(cards, most_nodes=2)
    assert bounded.layout() is None
    assert (bounded.gave_up, bounded.nodes) == (True, 2)


def test_a_player_who_is_not_in_the_round_has_no_solution(address: str) -> None:
    ann, bo = Person(address, "Ann"), Person(address, "Bo")
    key = table_for(ann, bo)
    path = f"/tables/{key}/solutions"
    devices = [person.sit_at(key) for person in (ann, bo)]
    for device in devices:
        device.ask(type="ready")
    for device in devices:
        device.see(lambda table: table["phase"] == "play")
    early = ann.ask("GET", path)
    assert (early.status_code, early.json()["code"]) == (409, "no_round_over")
    for device in devices:
        device.solve()
    shown = Person(address, "Cy").get(path)
    assert [sorted(one) for one in shown[0]] == [["at", "piece", "turn"]] * 3
    last = devices[0]
    last.see(lambda table: table["last"] is not None)
    assert [sorted(one["piece"] for one in found) for found in shown] == [[0, 1, 2]] * 2
    assert all(
        {(one["piece"], one["turn"], *one["at"]) for one in found}
        == {(one["piece"], one["turn"], *one["at"]) for one in had["laid"]}
        for had, found in zip(last.table["last"], shown, strict=True)
    ), "there is one filling"

"""What a screen reader says at a table: each thing once, by a name, and not every move of the others."""

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.others import Others
from tests.browser.seen import Seen


def heard(page: Page) -> str:
    return page.locator("body").aria_snapshot()


def at_a_table(browser: Browser, address: str, game: str) -> tuple[Others, Seen]:
    """Ann sees the first round on a page; Bo has laid something."""
    others, seen = Others(address, 2, game), Seen(browser)
    others.show(0, seen)
    if game == "cubes":
        others.throw()
    others.begin_round()
    others.lay(1, 1)
    expect(seen.page.get_by_role("img", name="Bo: 1 of")).to_be_visible()
    return others, seen


@pytest.mark.parametrize("game", ["extreme", "cubes"])
def test_gems_are_counted_not_listed(browser: Browser, address: str, game: str) -> None:
    others, seen = at_a_table(browser, address, game)
    page = seen.page
    said = heard(page)
    assert said.count('img "sapphire') == said.count('img "amber') == 1
    assert "9 sapphires and 9 ambers left" in said
    others.devices[1].solve()
    expect(page.get_by_text("taken by Bo")).to_be_attached()
    assert "8 sapphires and 9 ambers left" in heard(page)
    for device in others.devices:
        device.hang_up()
    seen.close()


def test_what_was_won_is_said_once_on_the_result_and_at_the_end(browser: Browser, address: str) -> None:
    others, seen = Others(address), Seen(browser)
    others.show(0, seen)
    others.play_round()
    page = seen.page
    won = {seat: counted(others.devices[1].table["seats"][seat]["gems"]) for seat in (0, 1)}
    for heading in ("Ready for round 2", "Rematch"):
        expect(page.get_by_role("button", name=heading)).to_be_visible()
        for seat, gems in won.items():
            said = page.locator(f"main [data-seat='{seat}']").aria_snapshot()
            assert said.count(gems) == 1, said
            assert not re.search('img "(ruby|sapphire|emerald|amber)', said), said
        if heading != "Rematch":
            others.end()
    seen.close()


def counted(gems: list[str]) -> str:
    """'2 rubies, 1 amber', from the dearest on."""
    many = {"ruby": "rubies", "sapphire": "sapphires", "emerald": "emeralds", "amber": "ambers"}
    found = [(gems.count(gem), gem, more) for gem, more in many.items() if gem in gems]
    return ", ".join(f"{number} {gem if number == 1 else more}" for number, gem, more in found)


@pytest.mark.parametrize("game", ["extreme", "cards", "cubes"])
def test_pieces_are_called_by_their_shapes(browser: Browser, address: str, game: str) -> None:
    others, seen = at_a_table(browser, address, game)
    page = seen.page
    pieces = page.locator("[data-piece]")
    expect(pieces.first).to_be_visible()
    for piece in pieces.all():
        name = piece.get_attribute("aria-label") or ""
        # 'Piece 2: hook of four, in the tray'; 'Card 3 of round 1: T, square; Y, L of five; T, Y, in your hand'.
        assert re.fullmatch(r"(Piece \d+|Card \d of round 1): [^:]+, in (the tray|your hand)", name), name
        # No name of ours: L4, type-3.
        assert not re.search(r"[A-Z]\d|type", name), name
    page.keyboard.press("1")
    spoken = page.get_by_role("status").filter(has_text="fit")
    expect(spoken).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.get_by_role("status").filter(has_text="Put down: ")).to_have_count(1)
    # The others' moves are seen, but not spoken.
    assert "laid a card" not in heard(page)
    expect(page.get_by_role("article", name="Bo")).to_contain_text("points")
    for device in others.devices:
        device.hang_up()
    seen.close()

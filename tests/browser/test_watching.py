"""Who only looks on sees all boards, live; after a round the result, at the end the standing."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.others import Others
from tests.browser.seen import DESK, PHONE, Seen


@pytest.mark.parametrize(
    ("size", "scheme", "language", "people"),
    [(DESK, "light", "en", 2), (DESK, "dark", "de", 3), (PHONE, "light", "de", 3), (PHONE, "dark", "pl", 4)],
)
def test_all_boards_are_seen_as_large_as_they_can_be(
    browser: Browser, address: str, size: tuple[int, int], scheme: str, language: str, people: int
) -> None:
    others = Others(address, people)
    others.begin_round()
    eve = Seen(browser, size, scheme, language)
    eve.page.goto(f"{address}t/{others.key}")
    boards = eve.page.locator(".seat .picture svg")
    expect(boards).to_have_count(people)
    others.lay(0, 2)
    others.devices[1].solve()
    expect(eve.page.locator(".seat .tile")).to_have_count(5)
    expect(eve.page.locator(".seat.won .state .gem")).to_have_count(2)
    expect(eve.page.get_by_role("timer")).to_be_visible()
    eve.look(f"watch-{size[0]}-{language}-{scheme}-{people}")
    # No seat is offered in a match that runs.
    expect(eve.page.locator("main button")).to_have_count(0)
    # Every board has a fair share of the screen.
    boxes = [board.bounding_box() for board in boards.all()]
    assert all(box is not None and min(box["width"], box["height"]) > size[0] / people / 2 for box in boxes), boxes
    eve.close()


def test_seven_cards_are_counted_on_half_a_phone(browser: Browser, address: str) -> None:
    others = Others(address, 3, "cards")
    others.begin_round()
    eve = Seen(browser, PHONE, "dark", "de")
    eve.page.goto(f"{address}t/{others.key}")
    expect(eve.page.get_by_text("0 von 7")).to_have_count(3)
    others.lay(0, 2)
    expect(eve.page.get_by_text("2 von 7")).to_be_visible()
    # Which cards lie everybody sees; the rest of a hand is its owner's.
    expect(eve.page.locator(".seat .hand")).to_have_count(0)
    eve.fits("watch-cards-375-de-dark")
    eve.close()


@pytest.mark.parametrize(("size", "scheme", "language", "people"), [(DESK, "light", "en", 2), (PHONE, "dark", "de", 4)])
def test_the_dice_in_the_middle_are_seen_too(
    browser: Browser, address: str, size: tuple[int, int], scheme: str, language: str, people: int
) -> None:
    others = Others(address, people, "dice")
    eve = Seen(browser, size, scheme, language)
    eve.page.goto(f"{address}t/{others.key}")
    expect(eve.page.locator(".pool .blank")).to_have_count(2 * people)
    others.throw()
    expect(eve.page.locator(".pool .blank")).to_have_count(0)
    others.devices[0].ask(type="grab", die=0)
    expect(eve.page.locator(".pool .gone")).to_have_count(1)
    expect(eve.page.locator(".pool .die .mark")).to_have_count(2 * people - 1)
    expect(eve.page.locator("main button")).to_have_count(0)
    eve.look(f"watch-dice-{size[0]}-{language}-{scheme}")
    eve.close()


def test_from_the_first_round_to_the_end(browser: Browser, address: str) -> None:
    others = Others(address)
    eve = Seen(browser)
    page = eve.page
    page.goto(f"{address}t/{others.key}")
    expect(page.get_by_text("Waiting for Ann, Bo")).to_be_visible()
    others.play_round()
    expect(page.get_by_role("heading", name="Ann was first")).to_be_visible()
    expect(page.get_by_role("img", name="Bo: 3 of 3 laid")).to_be_visible()
    # X9: the first takes a sapphire and a gem, the second an amber and a gem; who comes anew sees it, too.
    expect(page.locator("main .won .gem")).to_have_count(4)
    page.reload()
    expect(page.locator("main .won .gem")).to_have_count(4)
    eve.look("watch-result-1400-light")
    others.begin_round()
    expect(page.get_by_role("img", name="Ann: 0 of 3 laid")).to_be_visible()
    others.lay(0, 1)
    expect(page.get_by_role("img", name="Ann: 1 of 3 laid")).to_be_visible()
    others.end()
    # T11: Bo, who left, may have drawn the better gem, and comes behind Ann all the same.
    expect(page.get_by_role("heading", name="Ann wins")).to_be_visible()
    expect(page.get_by_role("link", name="Watch again")).to_be_visible()
    expect(page.get_by_role("button", name="Rematch")).to_have_count(0)
    eve.close()

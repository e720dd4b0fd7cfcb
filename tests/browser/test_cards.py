"""The card game in real browsers: two people play each other by mouse, finger, taps and keys, to the final standing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.card_hands import CardHands, answers, centre
from tests.browser.friends import two_at_a_table, with_bots
from tests.browser.leaping import Lived
from tests.browser.others import Others
from tests.browser.reach import recorded
from tests.browser.seen import DESK, PHONE, Opens, Seen
from tests.server.people import Device
from ubongo.pieces import Placement
from ubongo.server.wire.admission import COOKIE

CALM = {"ready_s": 0}


def in_a_round(address: str, ann: Seen, bo: Seen, **options: Any) -> None:
    two_at_a_table(address, ann, bo, "cards", **{**CALM, **options})
    bo.page.get_by_role("button", name="Ready for round 1").click()
    for person in (ann, bo):
        expect(person.page.locator(".hand-cards button")).to_have_count(9)


def laid(page: Page, number: int) -> None:
    expect(page.locator("svg.mine .laid")).to_have_count(number)
    said = "now" if number == 7 else f"{number} of 7"
    expect(page.get_by_role("button", name=f"Ubongo! {said}")).to_be_visible()


def lay(page: Page, layout: list[Placement], how: Callable[[CardHands, Placement], None]) -> None:
    hands = CardHands(page)
    before = page.locator("svg.mine .laid").count()
    for number, where in enumerate(layout, before + 1):
        how(hands, where)
        laid(page, number)


def far_side(page: Page, x: float) -> tuple[float, float]:
    """A place on the open table far from there, on the screen."""
    box = page.locator(".open").bounding_box()
    assert box is not None
    middle = box["x"] + box["width"] / 2
    return middle + (-1 if x > middle else 1) * (box["width"] / 2 - 140), box["y"] + box["height"] / 2


def test_two_play_a_round_by_mouse_and_by_finger(opens: Opens, address: str) -> None:
    ann, bo = opens("Ann"), opens("Bo", PHONE, "dark", has_touch=True)
    in_a_round(address, ann, bo)
    ann.look("cards-deal-1400-light")
    bo.look("cards-deal-375-dark")
    lay(bo.page, answers(bo.page, 1)[:4], CardHands.by_finger)
    expect(ann.page.get_by_role("img", name="Bo: 4 of 7 laid")).to_be_visible()
    expect(ann.page.get_by_text("Bo laid a card")).to_be_visible()
    lay(ann.page, answers(ann.page, 0), CardHands.by_mouse)
    ann.look("cards-play-1400-light")
    bo.look("cards-play-375-dark")
    ann.page.get_by_role("button", name="Ubongo! now").click()
    expect(ann.page.get_by_role("heading", name="You called, and all was right")).to_be_visible()
    expect(bo.page.get_by_role("heading", name="Ann called, and all was right")).to_be_visible()
    for person in (ann, bo):
        expect(person.page.get_by_text("+10")).to_be_visible()
        expect(person.page.get_by_text("+4")).to_be_visible()
    ann.look("cards-result-1400-light")
    bo.look("cards-result-375-dark")


def test_a_card_that_a_program_lays_far_away_does_not_stop_the_page(opens: Opens, address: str) -> None:
    """A bot at the same seat may lay it anywhere. It is out of sight; the rest is played as ever."""
    ann, bo = opens("Ann"), opens("Bo")
    in_a_round(address, ann, bo)
    layout = answers(ann.page, 0)
    lay(ann.page, layout[:2], CardHands.by_mouse)
    token = next(one["value"] for one in ann.context.cookies() if one["name"] == COOKIE)
    bot = Device(address, ann.page.url.rpartition("/")[2], token=token)
    assert bot.ask(type="place", piece=layout[-1].piece, turn=0, at=[1_000_000, 1_000_000])["type"] == "update"
    laid(ann.page, 3)
    lay(ann.page, layout[2:-1], CardHands.by_mouse)
    assert bot.ask(type="lift", piece=layout[-1].piece)["type"] == "update"
    laid(ann.page, 6)


def test_the_same_by_keyboard_alone_and_by_taps(opens: Opens, address: str) -> None:
    """A wrong call is judged on the screen: which cards were wrong, and that it ends the round for nothing."""
    ann, bo = opens("Ann", DESK, "dark"), opens("Bo", PHONE, has_touch=True)
    in_a_round(address, ann, bo)
    lay(bo.page, answers(bo.page, 1)[:2], CardHands.by_taps)
    *right, last = answers(ann.page, 0)
    lay(ann.page, right, CardHands.by_keys)
    # The seventh far from the rest: down, but not joined.
    lay(ann.page, [Placement(last.piece, last.turn, (max(where.at[0] for where in right) + 5, 0))], CardHands.by_keys)
    bo.page.locator(".hand-cards button").first.tap()
    bo.look("cards-chosen-375-light")
    ann.page.get_by_role("button", name="Ubongo! now").focus()
    ann.page.keyboard.press("Enter")
    expect(ann.page.get_by_role("heading", name="You called, but something was wrong")).to_be_visible()
    expect(bo.page.get_by_role("heading", name="Ann called, but something was wrong")).to_be_visible()
    expect(bo.page.locator(".judgement .wrong")).to_have_count(1)
    expect(ann.page.get_by_text("+0")).to_be_visible()
    expect(ann.page.get_by_text("+2")).to_be_visible()
    ann.look("cards-wrong-1400-dark")


def test_what_lies_can_be_moved_and_lifted(opens: Opens, address: str) -> None:
    ann, bo = opens("Ann"), opens("Bo")
    in_a_round(address, ann, bo, checking="live")
    page, hands = ann.page, CardHands(ann.page)
    first, second, third, *_ = answers(page, 0)
    lay(page, [first, second, third], CardHands.by_mouse)
    # K12: with live checking what fits glows, for its owner only.
    expect(page.locator(".judgement .fits")).to_have_count(4)
    expect(bo.page.get_by_role("img", name="Ann: 3 of 7 laid")).to_be_visible()
    expect(bo.page.locator(".judgement .fits")).to_have_count(0)
    page.locator(".hand-cards button").first.click()
    ann.look("cards-live-1400-light")
    page.keyboard.press("Escape")
    # Moved by dragging it where it lies; there it is wrong, and shown so.
    page.mouse.move(*hands.on_screen(*centre(third)))
    page.mouse.down()
    page.mouse.move(*far_side(page, hands.on_screen(*centre(third))[0]), steps=3)
    page.mouse.up()
    # Where it held another one, that one is wrong too.
    expect(page.locator(".judgement .wrong").first).to_be_visible()
    laid(page, 3)
    # Lifted by a tap on it; it stays turned as it lay.
    page.locator(f"svg.mine .laid[data-piece='{third.piece}']").click()
    laid(page, 2)
    expect(hands.slot(third.piece).locator(".card > g")).to_have_attribute("transform", f"rotate({90 * third.turn})")
    # Lifted by dragging it out, and by Backspace.
    page.mouse.move(*hands.on_screen(*centre(second)))
    page.mouse.down()
    page.mouse.move(500, 880, steps=3)
    page.mouse.up()
    laid(page, 1)
    page.locator("svg.mine .laid").focus()
    page.keyboard.press("Backspace")
    laid(page, 0)
    # What has no room is shown so, and is not laid; a call too early is refused, with what to do instead.
    lay(page, [first], CardHands.by_keys)
    page.keyboard.press(str(second.piece + 1))
    while page.locator(".ghost .bad").count() == 0:
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(page.get_by_text("There is already a card there.")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Ubongo! 1 of 7").click()
    expect(page.locator(".refused")).to_be_visible()


def test_a_reload_brings_the_layout_back(browser: Browser, address: str) -> None:
    others, ann = Others(address, game="cards", round_s=900), Seen(browser)
    others.begin_round()
    others.show(0, ann)
    expect(ann.page.locator(".hand-cards button")).to_have_count(9)
    lay(ann.page, answers(ann.page, 0)[:3], CardHands.by_keys)
    recorded(ann.page, 3)
    ann.page.reload()
    laid(ann.page, 3)
    expect(ann.page.locator(".hand-cards button")).to_have_count(6)
    assert 0 < int(ann.page.locator(".time b").inner_text()) <= 900
    ann.close()


def test_a_match_to_the_final_standing(opens: Opens, address: str) -> None:
    """Six rounds that both agree to end, white cards and black; Ann has something down in each, Bo nothing."""
    ann, bo = opens("Ann", DESK, "dark"), opens("Bo", PHONE)
    in_a_round(address, ann, bo)
    for number in range(1, 7):
        if number > 1:
            for person in (ann, bo):
                person.page.get_by_role("button", name=f"Ready for round {number}").click()
        expect(ann.page.locator(".hand-cards button")).to_have_count(9)
        black = "" if number % 2 else ".black"
        expect(ann.page.locator(f".hand-cards .card{black}")).to_have_count(9)
        lay(ann.page, answers(ann.page, 0)[:5] if number == 2 else [Placement(0, 0, (0, 0))], CardHands.by_keys)
        if number == 2:
            ann.look("cards-black-1400-dark")
        ann.page.get_by_role("button", name="End the round together").click()
        expect(bo.page.get_by_role("button", name="Agreed: Ann")).to_be_visible()
        if number == 2:
            bo.look("cards-agreed-375-light")
        bo.page.get_by_role("button", name="End the round together").click()
    expect(ann.page.get_by_role("heading", name="You win")).to_be_visible()
    expect(bo.page.get_by_role("heading", name="Ann wins")).to_be_visible()
    expect(bo.page.get_by_role("img", name="Points by round")).to_be_visible()
    ann.look("cards-final-1400-dark")
    bo.look("cards-final-375-light")


@pytest.mark.parametrize(
    ("size", "scheme", "language"),
    [
        (PHONE, "light", "de"),
        (PHONE, "dark", "pl"),
        (DESK, "light", "pl"),
        (DESK, "dark", "de"),
    ],
)
def test_every_view_on_the_way_to_a_round(
    browser: Browser, lived: Lived, size: tuple[int, int], scheme: str, language: str
) -> None:
    name = f"cards-{{}}-{size[0]}-{language}-{scheme}"
    seen = Seen(browser, size, scheme, language)
    page = seen.page
    address, clock = lived
    # Of three bots one may have its seven after twenty seconds, and its call would end the round.
    with clock.standing():
        with_bots(seen, address, "cards", language, chips=7, bots=3, name=name)
        expect(page.locator(".hand-cards button")).to_have_count(9)
        for where in answers(page, 0)[:3]:
            CardHands(page).by_keys(where)
        expect(page.locator("svg.mine .laid")).to_have_count(3)
        page.locator(".hand-cards button").first.click()
        seen.look(name.format("play"))
        assert page.locator(".stop").evaluate("one => one.scrollHeight <= one.clientHeight"), "higher than its button"
        page.locator(".stop").click()
        expect(page.locator(".stop:disabled")).to_be_visible()
        seen.look(name.format("stop"))
    seen.close()

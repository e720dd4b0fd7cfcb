"""Playing alone in a real browser: whole runs of every mode, of all four games, to what they came to."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.alone import begins, device_of, roll, solo, wrong_place
from tests.browser.hands import Hands, answers
from tests.browser.seen import DESK, PHONE, Opens
from tests.server.people import hang_up_all

COPIES = "navigator.share = undefined; navigator.clipboard.writeText = async (text) => { window.copied = text; }"
# Keeps what it says: it is gone again before anybody could look.
JUST_SOLVED = """() => {
  window.solved = [];
  new MutationObserver((changes) => {
    for (const { addedNodes } of changes) for (const node of addedNodes)
      if (node.className?.includes?.("just")) window.solved.push(node.textContent.trim());
  }).observe(document, { childList: true, subtree: true });
}"""


@pytest.fixture(autouse=True)
def quiet() -> Any:
    yield
    hang_up_all()


def test_five_boards_of_extreme_from_home_to_a_new_best(opens: Opens) -> None:
    ann = opens("Ann")
    page = ann.page
    page.locator("a[href='/#solo-extreme']").click()
    expect(page.get_by_role("button", name="5 boards")).to_be_visible()
    ann.look("solo-setup")
    page.get_by_role("button", name="5 boards").click()
    begins(ann)
    expect(page.get_by_text("0 solved")).to_be_visible()
    ann.look("solo-extreme")
    page.evaluate(JUST_SOLVED)
    hands = Hands(page, 0)
    for answer in answers(page, 0):
        hands.by_keys(answer)
    expect(page.get_by_text("1 solved")).to_be_visible()
    # It was seen once more, small, with its time.
    [time] = page.evaluate("window.solved")
    assert re.fullmatch(r"\d:\d\d\.\d", time)
    page.get_by_role("button", name="Skip", exact=True).click()
    expect(page.locator(".story")).to_contain_text("Skipped.")
    device = device_of(ann)
    for _ in range(4):
        device.see(lambda table: table["phase"] == "play")
        device.solve()
    expect(page.get_by_role("heading", name="A new best")).to_be_visible()
    # Others who are tested on this server may have been quicker, or there is nobody else.
    expect(
        page.get_by_text(re.compile(r"^(\d+(st|nd|rd|th) of \d+|the only one on this list so far)$"))
    ).to_be_visible()
    # Every board has its time, also the one that was set aside; the fastest one is marked.
    expect(page.get_by_role("img", name=re.compile(r"^No\. \d$"))).to_have_count(6)
    expect(page.get_by_text("fastest", exact=True)).to_have_count(1)
    expect(page.get_by_text("skipped", exact=True)).to_have_count(1)
    page.evaluate(COPIES)
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    shared = page.evaluate("window.copied")
    assert shared.startswith("Ubongo · Extreme · 5 boards, 3 pieces")
    assert shared.endswith(page.url.replace("/t/", "/ghost/"))
    ann.look("solo-record")
    ann.fits_in_every_language("solo-record")
    page.get_by_role("button", name="Again").click()
    begins(ann)
    ann.in_bar("Leave").click()
    ann.look("solo-leave")
    page.get_by_role("button", name="Give up").click()
    expect(page.get_by_role("heading", name="You left this run")).to_be_visible()


def test_hands_of_cards_alone_are_judged_when_asked(opens: Opens, address: str) -> None:
    bo = opens("Bo", DESK, "dark")
    solo(bo, address, "cards")
    bo.page.get_by_role("button", name="5 hands").click()
    device = begins(bo)
    for piece in range(7):
        device.ask(type="place", piece=piece, turn=0, at=[2 * piece, 0])
    bo.page.get_by_role("button", name="Ubongo! now").click()
    expect(bo.page.locator(".story")).to_contain_text("Something doesn’t fit")
    bo.look("solo-cards")
    for piece in range(7):
        device.ask(type="lift", piece=piece)
    for _ in range(5):
        device.solve()
    expect(bo.page.get_by_role("heading", name="A new best")).to_be_visible()
    bo.page.get_by_role("link", name="Other modes").click()
    expect(bo.page.get_by_role("heading", name="Card game, alone")).to_be_visible()
    # Who has played this needs no first lesson in it.
    bo.page.goto(f"{address}learn")
    expect(bo.page.locator("li:has(a[href='/learn/cards']) small")).to_be_visible()
    expect(bo.page.locator("li:has(a[href='/learn/extreme']) small")).to_have_count(0)


def test_3d_marks_what_cannot_stay_in_space_too(opens: Opens, address: str) -> None:
    fay = opens("Fay")
    solo(fay, address, "cubes")
    page = fay.page
    page.get_by_role("button", name="Practise").click()
    device = begins(fay)
    right = {(one["piece"], one["turn"], tuple(one["at"])) for one in device.solution()}
    device.ask(**wrong_place(device, 0, right))
    expect(page.locator(".slot .pale")).to_have_count(1)
    expect(page.locator("svg.mine .hatch")).to_have_count(0)
    page.get_by_role("button", name="Hint").click()
    expect(page.locator("svg.mine .crossed")).to_have_count(1)
    expect(page.locator("svg.mine .cube.wrong .hatch").first).to_be_visible()
    fay.look("solo-cubes-wrong")


def test_the_dice_of_the_day_on_a_phone(opens: Opens, address: str) -> None:
    di = opens("Di", PHONE)
    solo(di, address, "dice")
    di.look("solo-setup-dice")
    di.page.get_by_role("button", name="Play", exact=True).click()
    device = begins(di)
    di.look("solo-dice-throw")
    di.page.get_by_role("button", name="Throw the dice").click()
    expect(di.page.locator("button.spot")).to_have_count(8)
    di.look("solo-dice")
    di.fits_in_every_language("solo-dice")
    device.see(lambda table: table["phase"] == "grab")
    for _ in range(200):
        if device.table["phase"] == "over":
            break
        roll(device)
    expect(di.page.get_by_role("heading", name=re.compile(r"^Solved in \d+ rounds?$"))).to_be_visible()
    di.look("solo-dice-over")
    di.fits_in_every_language("solo-dice-over")
    di.page.get_by_role("button", name="Once more, as practice").click()
    begins(di)
    expect(di.page.get_by_text("does not count")).to_be_visible()


def test_practice_gives_hints_and_marks_what_cannot_stay(opens: Opens, address: str) -> None:
    ed = opens("Ed", PHONE, "dark")
    solo(ed, address, "extreme")
    page = ed.page
    page.get_by_role("combobox", name="Board").select_option("7")
    page.get_by_label("Task").select_option("red")
    page.get_by_role("button", name="Practise").click()
    device = begins(ed)
    hint = page.get_by_role("button", name="Hint")
    hint.press("Enter")
    expect(page.locator(".story")).to_contain_text("This is where it goes.")
    expect(hint).to_be_focused()
    first = device_of(ed).table["seats"][0]["laid"][0]
    right = {(one["piece"], one["turn"], tuple(one["at"])) for one in device.solution()}
    device = device_of(ed)
    device.ask(type="lift", piece=first["piece"])
    wrong = wrong_place(device, first["piece"], right)
    device.ask(**wrong)
    hint.click()
    expect(page.locator(".story")).to_contain_text("The marked piece is in the wrong place.")
    expect(page.get_by_role("button", name="in the wrong place")).to_have_count(1)
    ed.look("solo-hint")
    ed.fits_in_every_language("solo-hint")
    device.ask(type="lift", piece=first["piece"])
    for number in (3, 4, 5):
        hint.click()
        expect(page.get_by_text(f"with {number} hints")).to_be_visible()
    expect(page.get_by_text("1 solved")).to_be_visible()
    ed.in_bar("Leave").click()
    page.get_by_role("button", name="Enough for now").click()
    expect(page.get_by_role("heading", name="1 solved")).to_be_visible()
    ed.look("solo-practised")
    ed.fits_in_every_language("solo-practised")

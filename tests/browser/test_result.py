"""After a round: what everybody had and got for it, and how the boards go that nobody filled."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.browser.leaping import Lived
from tests.browser.others import CALM, Others
from tests.browser.seen import DESK, PHONE, Seen


def test_a_board_that_stayed_open_shows_its_solution(browser: Browser, lived: Lived) -> None:
    address, clock = lived
    others = Others(address, 3)
    ann, bo = Seen(browser), Seen(browser, PHONE, "dark")
    others.show(0, ann)
    others.show(1, bo)
    others.begin_round()
    others.devices[0].solve()
    others.lay(1, 2)
    # The sand runs out when they have done so, and not before.
    clock.leap(CALM["extreme"]["hourglass_s"] * 1000)
    expect(ann.page.get_by_role("heading", name="You were first")).to_be_visible()
    # Whose result it is; the word for the next round is on its button.
    expect(ann.page.locator("header").get_by_text("Round 1", exact=True)).to_be_visible()
    expect(ann.page.get_by_role("button", name="Ready for round 2")).to_be_visible()
    # Ann needs none.
    solutions = ann.page.get_by_role("button", name="Solution")
    expect(solutions).to_have_count(2)
    expect(ann.page.get_by_role("img", name="Bo: 2 of 3 laid")).to_be_visible()
    ann.look("result-open-1400-light")
    solutions.first.click()
    shown = ann.page.get_by_role("img", name="How Bo’s board is filled")
    expect(shown.locator(".tile")).to_have_count(3)
    # What Bo had laid of it is his; the last piece is only meant.
    expect(shown.locator(".tile.meant")).to_have_count(1)
    expect(ann.page.get_by_role("img", name="Cy: 0 of 3 laid")).to_be_visible()
    ann.look("result-solution-1400-light")
    solutions.first.click()
    expect(ann.page.get_by_role("img", name="Bo: 2 of 3 laid")).to_be_visible()
    expect(bo.page.get_by_role("button", name="Solution")).to_have_count(2)
    bo.page.get_by_role("button", name="Solution").first.click()
    bo.look("result-solution-375-dark")
    bo.fits_in_every_language("result-open-375")
    # A reload keeps what was won.
    ann.page.reload()
    expect(ann.page.locator("main .won .gem")).to_have_count(2)
    for seen in (ann, bo):
        seen.close()


def test_who_is_ready_and_sees_the_next_board_sees_which_round_it_is_for(browser: Browser, address: str) -> None:
    others = Others(address, 2, "cards", reveal="deal")
    others.begin_round()
    ann = Seen(browser)
    others.show(0, ann)
    now = ann.page.locator("[aria-current='step'] span[aria-hidden]")
    expect(now).to_have_text("1")
    for device in others.devices:
        device.ask(type="stop")
    button = ann.page.get_by_role("button", name="Ready for round 2")
    expect(button).to_be_visible()
    expect(now).to_have_text("1")
    button.click()
    expect(ann.page.locator("svg.mine")).to_be_visible()
    expect(ann.page.locator("header b", has_text="Round 2")).to_be_visible()
    expect(now).to_have_text("2")
    expect(ann.page.get_by_text("Waiting for Bo")).to_be_visible()
    ann.look("early-1400-light")
    ann.close()


def test_Q18_the_last_round_has_its_result_before_the_play_off(browser: Browser, lived: Lived) -> None:
    address, clock = lived
    # Without luck: each is first as often as the other, and of the last round nobody has anything.
    others = Others(address, 2, "cubes", scoring="ladder", die="off")
    for number in range(8):
        others.begin_round()
        for device in others.devices[:: 1 if number % 2 else -1]:
            device.solve()
    ann = Seen(browser, PHONE)
    others.show(0, ann)
    others.begin_round()
    head = ann.page.locator("header")
    clock.leap(CALM["cubes"]["hourglass_s"] * 1000)
    # Q13: nobody is done, so the glass is turned once more.
    others.devices[1].see(lambda table: table["glass"]["turned"] == 2)
    clock.leap(CALM["cubes"]["hourglass_s"] * 1000)
    expect(ann.page.get_by_text("A tie: one more board")).to_be_visible()
    expect(head.get_by_text("Round 9", exact=True)).to_be_visible()
    ann.look("before-playoff-375-light")
    others.throw()
    others.begin_round()
    expect(head.get_by_text("Play-off", exact=True)).to_be_visible()
    expect(ann.page.locator("svg.mine")).to_be_visible()
    # The dock has room for the call alone.
    expect(ann.page.get_by_role("button", name="Share the win")).to_be_in_viewport(ratio=1)
    board, call = (ann.page.locator(one).bounding_box() for one in (".board", ".call"))
    assert board is not None
    assert call is not None
    assert board["y"] + board["height"] <= call["y"]
    ann.look("playoff-375-light")
    ann.fits_in_every_language("playoff-375")
    ann.close()


def test_the_others_are_named_as_long_as_they_are_not_ready(browser: Browser, address: str) -> None:
    others = Others(address, 3, ready_s=900)
    ann = Seen(browser, DESK, "dark")
    others.show(0, ann)
    expect(ann.page.get_by_text("Waiting for Bo, Cy")).to_be_visible()
    others.devices[1].ask(type="ready")
    expect(ann.page.get_by_text("Waiting for Cy")).to_be_visible()
    expect(ann.page.get_by_role("button", name="Ready for round 1")).to_contain_text("8")
    ann.close()

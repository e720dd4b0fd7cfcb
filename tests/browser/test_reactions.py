"""Five reactions between rounds and at the end: shown beside their sender; anybody can mute them, the host for all."""

from __future__ import annotations

from playwright.sync_api import Browser, expect

from tests.browser.others import Others
from tests.browser.seen import PHONE, Seen


def test_reactions_are_shown_beside_their_sender_until_somebody_mutes_them(browser: Browser, address: str) -> None:
    others = Others(address, 3)
    others.play_round()
    ann, bo, eve = Seen(browser), Seen(browser, PHONE, "dark"), Seen(browser)
    others.show(0, ann)
    others.show(1, bo)
    eve.page.goto(f"{address}t/{others.key}")
    reactions = bo.page.get_by_role("group", name="Reactions")
    expect(reactions.get_by_role("button")).to_have_count(6)
    # Who watches shows none, but sees them.
    expect(eve.page.get_by_role("heading", name="Ann was first")).to_be_visible()
    expect(eve.page.get_by_role("group", name="Reactions")).to_have_count(0)
    reactions.get_by_role("button", name="So close").click()
    for seen in (ann, bo, eve):
        expect(seen.page.locator("[data-seat='1'] [data-reaction='close']")).to_be_visible()
    expect(ann.page.get_by_role("status").filter(has_text="Bo: So close")).to_be_attached()
    bo.look("reactions-375-dark")
    ann.look("reactions-1400-light")
    bo.fits_in_every_language("reactions-375")
    # It goes by itself.
    expect(ann.page.locator("[data-reaction]")).to_have_count(0)
    # Bo wants to see none; that is remembered.
    reactions.get_by_role("button", name="Mute reactions").click()
    expect(reactions.get_by_role("button")).to_have_count(1)
    bo.page.reload()
    expect(reactions.get_by_role("button", name="Show reactions")).to_be_visible()
    reactions.get_by_role("button", name="Show reactions").click()
    expect(reactions.get_by_role("button")).to_have_count(6)
    # The host does so for all.
    ann.page.get_by_role("button", name="Turn reactions off for everyone").click()
    expect(bo.page.get_by_text("The host has turned reactions off.")).to_be_visible()
    expect(reactions.get_by_role("button")).to_have_count(0)
    ann.page.get_by_role("button", name="Turn reactions on for everyone").click()
    others.people[2].post(f"/tables/{others.key}/leave")
    expect(reactions.get_by_role("button")).to_have_count(6)
    for seen in (ann, bo, eve):
        seen.close()


def test_at_the_end_they_stand_beside_the_podium_and_bots_have_no_eyes_for_them(browser: Browser, address: str) -> None:
    others = Others(address, 3)
    others.play_round()
    ann = Seen(browser, PHONE)
    others.show(0, ann)
    others.people[2].post(f"/tables/{others.key}/leave")
    others.people[1].post(f"/tables/{others.key}/leave")
    expect(ann.page.get_by_role("heading", name="You win")).to_be_visible()
    ann.page.get_by_role("button", name="Love it").press("Enter")
    expect(ann.page.locator("ol [data-seat='0'] [data-reaction='heart']")).to_be_visible()
    ann.look("final-reactions-375-light")
    ann.close()

"""The end of a match: the podium, what is worth telling of it, the link to its replay, and who wants another one."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.others import Others
from tests.browser.seen import DESK, PHONE, Seen

# The bits of paper are gone before anybody could look.
WATCHED = """
window.thrown = 0;
new MutationObserver((changes) => {
  for (const { addedNodes } of changes) for (const node of addedNodes)
    window.thrown += node.querySelectorAll?.(".confetti i").length ?? 0;
}).observe(document, { childList: true, subtree: true });
"""
MOVES = "document.getAnimations().filter((one) => one.effect.target.closest('main')).length"


def played(others: Others, rounds: int = 2) -> None:
    """Some rounds: the first seat is first in each."""
    for _ in range(rounds):
        others.play_round()


def test_three_stand_on_the_podium_and_who_left_below_it(browser: Browser, address: str) -> None:
    others = Others(address, 4)
    played(others)
    ann, bo = Seen(browser), Seen(browser, PHONE, "dark")
    others.show(0, ann)
    others.show(1, bo)
    for person in reversed(others.people[1:]):
        person.post(f"/tables/{others.key}/leave")
    expect(ann.page.get_by_role("heading", name="You win")).to_be_visible()
    expect(bo.page.get_by_role("heading", name="Ann wins")).to_be_visible()
    standing = ann.page.get_by_role("list", name="The final standing").get_by_role("listitem")
    expect(standing).to_have_count(4)
    expect(ann.page.locator("ol .step")).to_have_count(1)
    expect(ann.page.locator("ol .crown")).to_have_count(1)
    expect(ann.page.locator("ol .rest")).to_have_count(3)
    expect(ann.page.get_by_text("has left")).to_have_count(3)
    ann.look("final-left-1400-light")
    bo.look("final-left-375-dark")
    ann.close()
    bo.close()


@pytest.mark.parametrize("game", ["extreme", "cubes"])
def test_the_facts_of_a_match_are_told_to_who_comes_late(browser: Browser, address: str, game: str) -> None:
    options: dict[str, Any] = {"scoring": "ladder", "die": "off"} if game == "cubes" else {}
    others = Others(address, 3, game, **options)
    for _ in range(9):
        others.play_round()
    others.devices[0].see(lambda table: table["phase"] == "over")
    eve = Seen(browser, PHONE)
    eve.page.goto(f"{address}t/{others.key}")
    facts = eve.page.get_by_label("About this match")
    for name in ("Fastest board", "Closest finish", "Played for"):
        expect(facts.get_by_text(name)).to_be_visible()
    if game == "cubes":
        expect(eve.page.get_by_role("heading", name="Ann wins by 9 points")).to_be_visible()
        expect(eve.page.get_by_text("Ann led from start to finish.")).to_be_visible()
    eve.look(f"{game}-final-watched-375-light")
    eve.fits_in_every_language(f"{game}-final-watched-375")
    eve.close()


def test_on_a_small_phone_the_podium_and_the_rematch_are_there_at_once(browser: Browser, address: str) -> None:
    others = Others(address, 3)
    played(others, 1)
    bo = Seen(browser, PHONE)
    others.show(0, bo)
    others.people[2].post(f"/tables/{others.key}/leave")
    others.end()
    rematch = bo.page.get_by_role("button", name="Rematch")
    expect(rematch).to_be_visible()
    low = bo.page.locator("ol .step").last.bounding_box()
    button = rematch.bounding_box()
    assert low is not None
    assert button is not None
    assert low["y"] + low["height"] <= button["y"]
    assert button["y"] + button["height"] <= PHONE[1]
    bo.close()


def test_the_replay_is_shared_and_a_rematch_is_asked_for(browser: Browser, address: str) -> None:
    others = Others(address, 2)
    played(others, 1)
    ann, bo = Seen(browser, DESK, "dark"), Seen(browser, PHONE)
    others.show(0, ann)
    others.show(1, bo)
    others.people[1].post(f"/tables/{others.key}/leave")
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ann.page.get_by_role("button", name="Share the replay").click()
    expect(ann.page.get_by_role("button", name="Copied")).to_be_visible()
    assert ann.page.evaluate("navigator.clipboard.readText()") == f"{address}replay/{others.key}"
    bo.page.get_by_role("button", name="Rematch").click()
    expect(bo.page.get_by_role("status").filter(has_text="The others have been asked.")).to_be_visible()
    bo.look("gather-rematch-375-light")
    bo.fits_in_every_language("gather-rematch-375")
    expect(ann.page.get_by_text("Bo wants a rematch")).to_be_visible()
    ann.look("final-wanted-1400-dark")
    # Who has gone elsewhere is told so there, and goes only if they want to.
    ann.page.goto(f"{address}rules/extreme")
    expect(ann.page.get_by_text("Bo wants a rematch")).to_be_visible()
    ann.page.get_by_role("link", name="Home").click()
    expect(ann.page.get_by_text("Bo wants a rematch")).to_be_visible()
    ann.look("home-rematch-1400-dark")
    ann.fits_in_every_language("home-rematch-1400")
    ann.page.get_by_role("button", name="To the rematch").press("Enter")
    expect(ann.page.get_by_role("button", name="Get up")).to_be_visible()
    expect(bo.page.get_by_role("button", name="Start")).to_be_enabled()
    # They have answered: nobody asks again.
    ann.page.goto(f"{address}rules/extreme")
    expect(ann.page.get_by_role("heading", level=1)).to_be_visible()
    expect(ann.page.get_by_text("Bo wants a rematch")).to_have_count(0)
    ann.close()
    bo.close()


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_who_wins_is_celebrated_once(browser: Browser, address: str, motion: str) -> None:
    others = Others(address, 2)
    played(others, 1)
    ann = Seen(browser)
    ann.page.emulate_media(reduced_motion="reduce" if motion == "reduce" else "no-preference")
    ann.context.add_init_script(WATCHED)
    others.show(0, ann)
    expect(ann.page.get_by_role("button", name="Ready for round 2")).to_be_visible()
    others.people[1].post(f"/tables/{others.key}/leave")
    expect(ann.page.get_by_role("heading", name="You win")).to_be_visible()
    assert ann.page.evaluate("window.thrown") > 0
    if motion == "reduce":
        assert ann.page.evaluate(MOVES) == 0
    # Who comes back has seen it.
    ann.page.reload()
    expect(ann.page.get_by_role("heading", name="You win")).to_be_visible()
    assert ann.page.evaluate("window.thrown") == 0
    ann.close()

"""Only bots still play: nobody has to wait for them."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.hands import Hands
from tests.browser.others import known_as
from tests.browser.seen import DESK, PHONE, Seen
from tests.browser.test_extreme import solve
from tests.server.people import Person

# Nobody waits so long for a beginner: the round ends by what is pressed.
SLOW = {"hourglass_s": 900, "ready_s": 0}


def at_a_table_with_bots(seen: Seen, person: Person, game: str = "extreme") -> None:
    body = {"game": game, "seats": 3, "bots": ["beginner", "beginner"], "options": SLOW}
    key = person.post("/tables", body)["table"]
    person.post(f"/tables/{key}/start")
    known_as(person, seen)
    seen.page.goto(f"{person.address}/t/{key}")
    seen.page.get_by_role("button", name="Ready for round 1").click()


@pytest.mark.parametrize(
    ("size", "scheme", "button"), [(PHONE, "dark", "Skip to the result"), (DESK, "light", "8× speed")]
)
def test_who_is_done_need_not_wait_for_bots(
    browser: Browser, address: str, size: tuple[int, int], scheme: str, button: str
) -> None:
    seen, ann = Seen(browser, size, scheme), Person(address, "Ann")
    page = seen.page
    at_a_table_with_bots(seen, ann)
    choice = page.get_by_role("group", name="Only bots are still playing.")
    expect(page.locator("svg.mine")).to_be_visible()
    expect(choice).to_have_count(0)
    solve(page, 0, Hands.by_keys)
    expect(choice.get_by_role("button")).to_have_count(2)
    seen.look(f"fast-forward-{size[0]}-{scheme}")
    if size == PHONE:
        seen.fits_in_every_language("fast-forward-375")
    choice.get_by_role("button", name=button).click()
    # Beginners take half a minute for a board; here it is over before that.
    expect(page.get_by_role("heading", name="You were first")).to_be_visible()
    expect(page.get_by_role("button", name="Ready for round 2")).to_be_visible()
    # And the next round is as long as ever.
    page.get_by_role("button", name="Ready for round 2").click()
    expect(page.locator("svg.mine")).to_be_visible()
    assert int(page.locator(".time b").first.inner_text()) > 880
    seen.close()

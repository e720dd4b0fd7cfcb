"""Playing with friends: a table at once, its link in words, a seat by one tap, and a table that is full says so."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.seen import DESK, ONCE, PHONE, Opens, Seen, table_of

SAYABLE = re.compile(r"/t/[a-z]+-[a-z]+-\d{4}$")


def lobby(host: Seen, address: str) -> str:
    """By its button, from home."""
    host.page.goto(address)
    host.page.get_by_role("link", name="With friends").first.click()
    expect(host.page).to_have_url(SAYABLE)
    expect(host.page.get_by_role("heading", name="Your table is open")).to_be_visible()
    return host.page.url.rpartition("/")[2]


def in_sight(page: Page, name: str) -> bool:
    """Whether a button can be pressed as the page lies, without scrolling."""
    box = page.get_by_role("button", name=name).bounding_box()
    size = page.viewport_size
    assert box is not None
    assert size is not None
    return box["y"] >= 0 and box["y"] + box["height"] <= size["height"] and page.evaluate("scrollY") == 0


def test_a_friend_comes_by_words_that_were_said(opens: Opens, address: str) -> None:
    ann, bo = opens("Ann"), opens("", PHONE)
    key = lobby(ann, address)
    assert ann.page.locator("#link").inner_text().split() == " - ".join(key.split("-")).split()
    ann.look("lobby-1400-light")
    bo.page.goto(address)
    said = bo.page.get_by_role("textbox", name="Have a link?")
    said.fill("no such table 1234")
    said.press("Enter")
    expect(bo.page.get_by_role("alert").filter(has_text="This table no longer exists")).to_be_visible()
    # The browser tells of the refusal, too.
    bo.complaints = [one for one in bo.complaints if "404" not in one]
    said.fill(key.replace("-", " ").upper())
    said.press("Enter")
    expect(bo.page).to_have_url(f"{address}t/{key}")
    expect(bo.page.get_by_text("Ann’s table")).to_be_visible()
    assert in_sight(bo.page, "Take a seat")
    bo.look("lobby-visitor-375-light")
    bo.page.get_by_role("button", name="Take a seat").click()
    bo.say_name("Bo")
    expect(ann.page.get_by_text("came by the link")).to_be_visible()
    expect(ann.page.get_by_text("Two of four seats are taken. Start now, or wait for a friend.")).to_be_visible()
    expect(bo.page.get_by_role("button", name="Get up")).to_be_visible()
    bo.look("lobby-guest-375-light")
    ann.page.get_by_role("button", name="Start").click()
    expect(bo.page.get_by_role("button", name="Ready for round 1")).to_be_visible()


def test_an_address_is_read_however_it_was_typed(opens: Opens, address: str) -> None:
    ann, bo = opens("Ann"), opens("Bo")
    key = lobby(ann, address)
    for typed in (key.replace("-", "%20").title(), key.replace("-", "")):
        bo.page.goto(f"{address}t/{typed}")
        expect(bo.page.get_by_role("button", name="Take a seat")).to_be_visible()


def test_the_way_back_opens_no_other_table(opens: Opens, address: str) -> None:
    ann = opens("Ann")
    page = ann.page
    page.goto(address)
    page.goto(f"{address}#friends-extreme")
    expect(page).to_have_url(SAYABLE)
    page.go_back()
    expect(page).to_have_url(address)
    expect(page.get_by_role("link", name="With friends").first).to_be_visible()


def test_who_says_no_name_stays_at_home(opens: Opens, address: str) -> None:
    bo = opens("")
    page = bo.page
    page.goto(f"{address}#friends-cards")
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page).to_have_url(address)
    opener = page.get_by_role("link", name="With friends").first
    opener.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(opener).to_be_focused()


def test_the_host_changes_what_is_said_and_everybody_sees_it(opens: Opens, address: str) -> None:
    ann, bo = opens("Ann", PHONE, "dark"), opens("Bo")
    key = lobby(ann, address)
    page = ann.page
    bo.page.goto(f"{address}t/{key}")
    expect(bo.page.get_by_text("60 s of sand")).to_be_visible()
    expect(bo.page.locator(".chips").get_by_role("button")).to_have_text(["More options"])
    chips = page.locator(".chips")
    chips.get_by_role("button", name="60 s of sand").click()
    page.get_by_role("radio", name="90").check()
    expect(bo.page.get_by_text("90 s of sand")).to_be_visible()
    chips.get_by_role("button", name="4 seats").click()
    expect(page.get_by_role("radiogroup")).to_have_count(1)
    page.get_by_role("radiogroup").get_by_role("radio", name="2").check()
    for one in (ann, bo):
        expect(one.page.get_by_text("One of two seats is taken.")).to_be_visible()
    page.get_by_role("button", name="Runa, Hard").click()
    expect(bo.page.get_by_text("Both seats are taken. You can watch.")).to_be_visible()
    page.get_by_role("button", name="Another bot instead of Runa").click()
    page.get_by_role("button", name="Momo, Beginner").click()
    expect(bo.page.locator("li.bot")).to_contain_text("Momo")
    expect(page.get_by_role("button", name="Runa, Hard")).to_have_count(0)
    ann.look("lobby-full-375-dark")


def test_join_at_an_open_table_is_a_seat(opens: Opens, address: str) -> None:
    ann, bo, cy = opens("Ann"), opens("Bo", PHONE), opens("Cy")
    key = lobby(ann, address)
    ann.page.get_by_role("button", name="Only with the link").click()
    ann.page.get_by_role("radio", name="Yes").check()
    expect(ann.page.get_by_role("button", name="Everybody can find it")).to_be_visible()
    ann.page.get_by_role("button", name="4 seats").click()
    ann.page.get_by_role("radiogroup").get_by_role("radio", name="2").check()
    expect(ann.page.get_by_text("One of two seats is taken.")).to_be_visible()
    for one in (bo, cy):
        one.page.goto(address)
        expect(table(one.page, "Ann").get_by_role("button", name="Join")).to_be_visible()
    table(bo.page, "Ann").get_by_role("button", name="Join").click()
    expect(bo.page).to_have_url(f"{address}t/{key}")
    expect(bo.page.get_by_role("button", name="Get up")).to_be_visible()
    # Somebody was quicker: the table says so, and can be watched.
    table(cy.page, "Ann").get_by_role("button", name="Join").click()
    expect(cy.page.get_by_text("Both seats are taken. You can watch.")).to_be_visible()
    # The browser tells of the refusal, too.
    cy.complaints = [one for one in cy.complaints if "409" not in one]


def table(page: Page, host: str) -> Locator:
    return page.get_by_role("listitem").filter(has_text=f"at {host}’s table")


def test_a_full_table_says_so_and_can_be_watched(opens: Opens, address: str) -> None:
    ann, bo, cy = opens("Ann"), opens("", PHONE, "dark"), opens("Cy", DESK, "dark")
    link = table_of(ann, address, "extreme", 4, ["easy", "easy", "easy"], hourglass_s=600)
    bo.page.goto(link)
    expect(bo.page.get_by_text("All four seats are taken. You can watch.")).to_be_visible()
    assert in_sight(bo.page, "Watch")
    bo.look("lobby-watch-375-dark")
    bo.page.get_by_role("button", name="Watch").click()
    expect(bo.page.get_by_text("The match shows here as soon as it starts.")).to_be_visible()
    ann.page.get_by_role("button", name="Start").click()
    expect(bo.page.get_by_role("heading", name="Watching")).to_be_attached()
    # Who comes later is told that it has begun.
    cy.page.goto(link)
    expect(cy.page.get_by_text("The match has begun. You are watching.")).to_be_visible()


def test_who_is_away_is_seen_to_be(opens: Opens, address: str) -> None:
    ann, bo = opens("Ann"), opens("Bo")
    key = lobby(ann, address)
    bo.page.goto(f"{address}t/{key}")
    bo.page.get_by_role("button", name="Take a seat").click()
    expect(ann.page.locator("li", has_text="Bo").get_by_text("ready")).to_be_visible()
    bo.page.goto("about:blank")
    expect(ann.page.locator("li.away", has_text="Bo")).to_be_visible()


def test_a_link_of_old_is_shown_as_it_is(opens: Opens, address: str) -> None:
    ann = opens("Ann")
    made = ann.page.request.post(f"{address}api/tables", data={"game": "solo"}, headers=ONCE)
    ann.page.goto(f"{address}t/{made.json()['table']}")
    expect(ann.page.locator("#link")).to_contain_text(made.json()["table"])


def test_who_was_removed_is_told_so_and_may_be_let_back_in(opens: Opens, address: str) -> None:
    ann, bo = opens("Ann", PHONE, "dark"), opens("Bo", DESK)
    key = lobby(ann, address)
    bo.page.goto(f"{address}t/{key}")
    bo.page.get_by_role("button", name="Take a seat").click()
    ann.page.get_by_role("button", name="Remove Bo from the table").click()
    bo.page.get_by_role("button", name="Take a seat").click()
    expect(bo.page.get_by_role("status").filter(has_text="The host removed you from this table.")).to_be_visible()
    # The browser tells of the refusal, too.
    bo.complaints = [one for one in bo.complaints if "403" not in one]
    expect(ann.page.get_by_role("button", name="Let Bo back in")).to_be_visible()
    ann.look("lobby-removed-375-dark")
    bo.look("lobby-removed-1400-light")
    ann.page.get_by_role("button", name="Let Bo back in").press("Enter")
    expect(ann.page.get_by_role("button", name="Let Bo back in")).to_have_count(0)
    bo.page.get_by_role("button", name="Take a seat").click()
    expect(bo.page.get_by_role("button", name="Get up")).to_be_visible()

"""One person on two devices, by a link that works once; and somebody who wants to be forgotten."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.others import Others
from tests.browser.seen import DESK, PHONE, Seen


def open_me(seen: Seen) -> None:
    seen.in_bar("Settings").click()
    seen.page.get_by_role("dialog").get_by_role("button", name="Ann").click()


def test_a_link_takes_somebody_to_another_device_once(browser: Browser, address: str) -> None:
    others = Others(address)
    desk, phone = Seen(browser, DESK), Seen(browser, PHONE)
    others.show(0, desk)
    others.begin_round()
    expect(desk.page.locator("svg.mine")).to_be_visible()
    open_me(desk)
    desk.page.get_by_role("button", name="Show the link").click()
    link = desk.page.locator("#mylink").inner_text()
    expect(desk.page.get_by_role("dialog").get_by_role("img")).to_be_visible()
    desk.look("me-1400-light")
    phone.page.goto(link)
    expect(phone.page.get_by_role("button", name="That’s me")).to_be_visible()
    phone.look("arrive-375-light")
    phone.page.get_by_role("button", name="That’s me").click()
    expect(phone.page.get_by_role("button", name="Ann")).to_be_visible()
    # The seat is theirs here, too.
    phone.page.goto(desk.page.url)
    expect(phone.page.locator("svg.mine")).to_be_visible()
    # It has been used, pasted or followed; who tries in vain stays who they are.
    open_me(phone)
    phone.page.get_by_label("Do you have such a link?").fill(link)
    phone.page.get_by_role("button", name="That’s me").click()
    expect(phone.page.get_by_text("it may have been used already")).to_be_visible()
    phone.complaints[:] = [one for one in phone.complaints if "Failed to load resource" not in one]
    # A fresh one can be pasted whole.
    third = Seen(browser)
    desk.page.reload()
    open_me(desk)
    desk.page.get_by_role("button", name="Show the link").click()
    third.page.goto(address)
    third.page.get_by_role("button", name="Settings").click()
    third.page.get_by_role("dialog").get_by_role("button", name="Your name").click()
    third.page.get_by_label("Do you have such a link?").fill(desk.page.locator("#mylink").inner_text())
    third.page.get_by_role("button", name="That’s me").click()
    expect(third.page.get_by_role("button", name="Ann")).to_be_visible()
    for seen in (desk, phone, third):
        seen.close()


def test_a_device_is_signed_out_by_keys_and_leaves_its_table_at_once(browser: Browser, address: str) -> None:
    others = Others(address)
    desk, phone = Seen(browser, DESK, "dark"), Seen(browser, PHONE)
    others.show(0, desk)
    others.begin_round()
    open_me(desk)
    desk.page.get_by_role("button", name="Show the link").click()
    phone.page.goto(desk.page.locator("#mylink").inner_text())
    phone.page.get_by_role("button", name="That’s me").click()
    expect(phone.page.get_by_role("button", name="Ann")).to_be_visible()
    phone.page.goto(desk.page.url)
    expect(phone.page.locator("svg.mine")).to_be_visible()
    desk.page.reload()
    open_me(desk)
    listed = desk.page.get_by_role("list", name="Your devices").get_by_role("listitem")
    expect(listed.filter(has_text="this device")).to_have_count(1)
    expect(listed.filter(has_text="last seen")).to_have_count(1)
    desk.look("devices-1400-dark")
    listed.filter(has_text="last seen").get_by_role("button").press("Enter")
    expect(desk.page.get_by_role("status").filter(has_text="Signed out: ")).to_be_visible()
    expect(desk.page.get_by_role("list", name="Your devices")).to_be_focused()
    expect(listed).to_have_count(1)
    # There the table is left at once, and nobody has a name.
    expect(phone.page.get_by_role("button", name="Your name")).to_be_visible()
    assert phone.page.url == address
    # This device asks twice.
    listed.get_by_role("button").press("Enter")
    listed.get_by_role("button", name="Yes, sign out").press("Enter")
    expect(desk.page.get_by_role("button", name="Your name")).to_be_visible()
    for seen in (desk, phone):
        seen.close()


def test_who_wants_to_be_forgotten_is(browser: Browser, address: str) -> None:
    others = Others(address, 3)
    ann, bo = Seen(browser), Seen(browser)
    others.show(0, ann)
    others.show(1, bo)
    others.begin_round()
    expect(ann.page.locator("svg.mine")).to_be_visible()
    ann.page.goto(address)
    way_back = ann.page.get_by_role("link", name="Back to the table")
    expect(way_back).to_be_visible()
    open_me(ann)
    ann.page.get_by_role("button", name="Forget me").click()
    expect(bo.page.locator("svg.mine")).to_be_visible()
    ann.page.get_by_role("button", name="Yes, forget me").click()
    expect(ann.page.get_by_role("button", name="Your name")).to_be_visible()
    expect(way_back).to_have_count(0)
    expect(bo.page.get_by_text("has left for good")).to_be_visible()
    for seen in (ann, bo):
        seen.close()


@pytest.mark.parametrize(
    ("scheme", "language", "settings"), [("dark", "de", "Einstellungen"), ("light", "pl", "Ustawienia")]
)
def test_it_can_be_read_on_a_phone(browser: Browser, address: str, scheme: str, language: str, settings: str) -> None:
    others = Others(address)
    ann = Seen(browser, PHONE, scheme, language)
    others.show(0, ann)
    expect(ann.page.locator("h1")).to_be_visible()
    ann.in_bar(settings).click()
    ann.page.get_by_role("dialog").get_by_role("button", name="Ann").click()
    ann.page.get_by_role("dialog").locator("li").nth(1).get_by_role("button").click()
    expect(ann.page.locator("#mylink")).to_be_visible()
    ann.look(f"me-375-{language}-{scheme}")
    ann.page.get_by_role("dialog").get_by_role("list").last.scroll_into_view_if_needed()
    ann.look(f"devices-375-{language}-{scheme}")
    ann.close()

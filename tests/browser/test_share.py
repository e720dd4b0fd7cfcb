"""The link to a table: shown, copied, and drawn as a code that a camera reads."""

from io import BytesIO

import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.browser.seen import DESK, ONCE, PHONE, Seen


def open_table(page: Page, address: str) -> str:
    page.request.post(f"{address}api/guests", data={"name": "Ann"}, headers=ONCE)
    body = {"game": "extreme", "seats": 3, "bots": ["easy"]}
    made = page.request.post(f"{address}api/tables", data=body, headers=ONCE)
    link = f"{address}t/{made.json()['table']}"
    page.goto(link)
    expect(page.locator(".code")).to_be_visible()
    return link


def drawn(page: Page) -> str:
    return page.locator(".code path").get_attribute("d") or ""


@pytest.mark.parametrize(
    ("size", "scheme", "language"),
    [(DESK, "light", "en"), (PHONE, "dark", "de"), (PHONE, "light", "pl"), (DESK, "dark", "pl")],
)
def test_the_link_is_a_code_too(
    browser: Browser, address: str, size: tuple[int, int], scheme: str, language: str
) -> None:
    seen = Seen(browser, size, scheme, language)
    page = seen.page
    link = open_table(page, address)
    [code] = zxingcpp.read_barcodes(Image.open(BytesIO(page.locator(".code").screenshot())))
    assert code.text == link, "as a phone reads it"
    seen.look(f"share-{size[0]}-{language}-{scheme}")
    # Dark on light, whatever the theme, and large enough for a camera: at least three pixels a module.
    dark, light = page.locator(".code").evaluate(
        "(code) => [...code.children].reverse().map((one) => getComputedStyle(one).fill)"
    )
    assert (dark, light) == ("rgb(42, 33, 24)", "rgb(255, 252, 246)")
    box = page.locator(".code").bounding_box()
    view = page.locator(".code").get_attribute("viewBox") or ""
    assert box is not None
    assert box["width"] / float(view.split()[2]) >= 3
    seen.close()


def test_each_table_has_its_own(browser: Browser, address: str) -> None:
    seen = Seen(browser)
    page = seen.page
    link = open_table(page, address)
    first = drawn(page)
    # What stands behind a question mark or a hash is not the table's.
    page.goto(f"{link}#anything")
    expect(page.locator(".code")).to_be_visible()
    assert drawn(page) == first
    open_table(page, address)
    assert drawn(page) != first
    seen.close()


def test_it_can_be_copied(browser: Browser, address: str) -> None:
    seen = Seen(browser, permissions=["clipboard-read", "clipboard-write"])
    link = open_table(seen.page, address)
    seen.page.get_by_role("button", name="Copy").click()
    expect(seen.page.get_by_role("button", name="Copied")).to_be_visible()
    assert seen.page.evaluate("navigator.clipboard.readText()") == link
    seen.close()

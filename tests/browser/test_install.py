"""Ubongo on a phone's home screen: the browser itself says whether it could be installed."""

import re
import struct

import pytest
from playwright.sync_api import Browser, expect

from hatch_build import WEB
from tests.browser.seen import ONCE, Seen
from web.icons import SIZES, target

PNG = b"\x89PNG\r\n\x1a\n"


def test_chromium_would_install_it(browser: Browser, address: str) -> None:
    seen = Seen(browser)
    seen.page.goto(address)
    line = seen.context.new_cdp_session(seen.page)
    told = line.send("Page.getAppManifest")
    assert told["url"] == f"{address}manifest.webmanifest"
    assert not told["errors"], told["errors"]
    missing = {one["errorId"] for one in line.send("Page.getInstallabilityErrors")["installabilityErrors"]}
    # Every page of a test is a private one.
    assert missing <= {"in-incognito"}
    seen.close()


def test_what_the_manifest_names_is_served(browser: Browser, address: str) -> None:
    seen = Seen(browser)
    answer = seen.page.request.get(f"{address}manifest.webmanifest", headers=ONCE)
    assert answer.headers["content-type"] == "application/manifest+json"
    for icon in answer.json()["icons"]:
        found = seen.page.request.get(address + icon["src"].lstrip("/"), headers=ONCE)
        assert found.status == 200
        assert found.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            assert icon["sizes"] == "{}x{}".format(*struct.unpack(">II", found.body()[16:24]))
    seen.close()


@pytest.mark.parametrize("size", SIZES)
def test_icons_fill_their_square(size: int) -> None:
    """A phone cuts them to its own form, so they are opaque to the rim."""
    data = target(size).read_bytes()
    assert data.startswith(PNG)
    # Colour type 2: no transparency.
    assert data[25] == 2


def test_the_frame_around_the_page_has_its_colour(browser: Browser, address: str) -> None:
    """The browser's own, by what the system likes, and by what was chosen here."""
    page_says = dict(
        re.findall(r'content="(#\w+)" media="\(prefers-color-scheme: (\w+)\)"', (WEB / "index.html").read_text())
    )
    assert set(page_says.values()) == {"light", "dark"}
    seen = Seen(browser)
    seen.page.goto(address)
    tints = seen.page.locator("meta[name=theme-color]")
    expect(tints.nth(0)).to_have_attribute("content", "#FCF8F0")
    expect(tints.nth(1)).to_have_attribute("content", "#2A2521")
    seen.page.get_by_role("button", name="Switch to dark").click()
    expect(tints.nth(0)).to_have_attribute("content", "#2A2521")
    seen.close()

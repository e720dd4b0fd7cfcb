"""Without a line: who opens or reloads a page is told so by one that the browser has kept, and nothing else is kept."""

import re

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.seen import DESK, PHONE, Seen

KEPT = """async () => {
  await navigator.serviceWorker.ready;
  const names = await caches.keys();
  const all = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
  return all.flat().map(({ url }) => new URL(url).pathname).sort();
}"""


@pytest.mark.parametrize(
    ("size", "scheme", "language", "lost", "home"),
    [
        (PHONE, "dark", "de", "Keine Verbindung", "Vier Legespiele"),
        (DESK, "light", "pl", "Brak połączenia", "Cztery układanki"),
    ],
)
def test_a_reload_without_a_line_says_so_and_goes_on(
    browser: Browser, address: str, size: tuple[int, int], scheme: str, language: str, lost: str, home: str
) -> None:
    seen = Seen(browser, size, scheme, language)
    page = seen.page
    page.goto(address)
    # No file of the program: what is played is always the server's newest.
    assert page.evaluate(KEPT) == ["/favicon.svg", "/offline.css", "/offline.html", "/offline.js"]
    seen.context.set_offline(True)
    found = page.reload()
    assert found is not None
    assert "default-src 'none'" in found.headers["content-security-policy"]
    expect(page.get_by_role("heading", name=lost)).to_be_visible()
    expect(page).to_have_url(address)
    seen.look(f"offline-{size[0]}-{language}-{scheme}")
    seen.context.set_offline(False)
    expect(page.get_by_role("heading", name=home)).to_be_visible()
    seen.complaints[:] = [one for one in seen.complaints if "ERR_INTERNET_DISCONNECTED" not in one]
    seen.close()


@pytest.mark.parametrize("part", ["rest-*.js", "Records-*.js", "Records-*.css"])
def test_a_part_that_fails_to_load_can_be_loaded_again(browser: Browser, address: str, part: str) -> None:
    seen = Seen(browser)
    page = seen.page
    failed: list[str] = []

    def fail(route: Route) -> None:
        failed.append(route.request.url)
        route.abort("connectionreset")

    page.goto(address)
    page.route(f"**/assets/{part}", fail, times=1)
    page.get_by_role("link", name="Records").first.click()
    expect(page.get_by_role("alert")).to_contain_text("Part of this page didn’t load.")
    assert len(failed) == 1
    seen.look(f"incomplete-{DESK[0]}-en-light")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("heading", level=1, name="Records")).to_be_visible()
    expect(page.get_by_role("alert")).to_have_count(0)
    seen.complaints[:] = [one for one in seen.complaints if not re.search("ERR_CONNECTION_RESET|to fetch|preload", one)]
    seen.close()


def test_after_a_failure_the_next_page_is_loaded_in_full(browser: Browser, address: str) -> None:
    seen = Seen(browser)
    page = seen.page
    page.goto(address)
    page.route("**/assets/rest-*.js", lambda route: route.abort("connectionreset"), times=1)
    page.get_by_role("button", name="Settings").click()
    # Home stays, and says what is missing.
    alert = page.get_by_role("alert").filter(has_text="Part of this page didn’t load.")
    expect(alert).to_be_visible()
    seen.look(f"incomplete-home-{DESK[0]}-en-light")
    page.get_by_role("link", name="Records").first.click()
    expect(page.get_by_role("heading", level=1, name="Records")).to_be_visible()
    expect(alert).to_have_count(0)
    seen.complaints[:] = [one for one in seen.complaints if not re.search("ERR_CONNECTION_RESET|to fetch|preload", one)]
    seen.close()

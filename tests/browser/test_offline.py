"""Without a line: who opens or reloads a page is told so by one that the browser has kept, and nothing else is kept."""

import pytest
from playwright.sync_api import Browser, expect

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

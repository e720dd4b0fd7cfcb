"""The rules, as pages of their own and during play: every number on them, in three languages, on any screen."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.seen import DESK, ONCE, PHONE, Seen

RULES = Path(__file__).parents[2] / "docs" / "rules"
LINK = {"en": "Rules", "de": "Regeln", "pl": "Zasady"}
WHOLE = {"en": "All the rules", "de": "Alle Regeln", "pl": "Wszystkie zasady"}
GAMES = ["extreme", "cards", "dice", "cubes"]


def numbers(game: str, language: str) -> list[str]:
    folder = RULES if language == "en" else RULES / language
    pages = [(folder / f"{name}.md").read_text(encoding="utf-8") for name in (game, "shared")]
    return re.findall(r"^\| \*\*(\w+)\*\*", "\n".join(pages), re.MULTILINE)


@pytest.mark.parametrize(
    ("size", "scheme", "language"),
    [(DESK, "light", "en"), (PHONE, "dark", "de"), (PHONE, "light", "pl"), (DESK, "dark", "pl")],
)
def test_every_game_has_its_page(
    browser: Browser, address: str, size: tuple[int, int], scheme: str, language: str
) -> None:
    seen = Seen(browser, size, scheme, language)
    page = seen.page
    page.goto(address)
    page.get_by_role("link", name=LINK[language], exact=True).first.click()
    for number, game in enumerate(GAMES):
        page.get_by_role("navigation").get_by_role("link").nth(number).click()
        expect(page).to_have_url(f"{address}rules/{game}")
        expect(page.locator("dt")).to_have_text(numbers(game, language))
        seen.look(f"rules-{game}-{size[0]}-{language}-{scheme}")
    # What is read can be sent to somebody, and read again.
    page.reload()
    expect(page.locator("dt")).to_have_text(numbers("cubes", language))
    page.get_by_role("link", name="Solo").click()
    expect(page.locator("#rules-solo")).to_be_in_viewport()
    expect(page).to_have_url(f"{address}rules/cubes")
    seen.close()


def test_another_language_at_once(browser: Browser, address: str) -> None:
    seen = Seen(browser)
    seen.page.goto(f"{address}rules/dice")
    expect(seen.page.get_by_role("heading", name="The dice game")).to_be_visible()
    seen.page.get_by_role("combobox").select_option("pl")
    expect(seen.page.get_by_role("heading", name="Co łączy wszystkie gry")).to_be_visible()
    expect(seen.page).to_have_title("Gra w kości · Zasady · Ubongo")
    seen.close()


@pytest.mark.parametrize(("size", "scheme", "language"), [(DESK, "dark", "de"), (PHONE, "light", "pl")])
def test_they_can_be_read_at_the_table(
    browser: Browser, address: str, size: tuple[int, int], scheme: str, language: str
) -> None:
    """In short first, in full for who asks; the table stays where it is."""
    seen = Seen(browser, size, scheme, language)
    page = seen.page
    page.goto(address)
    page.request.post(f"{address}api/guests", data={"name": "Ann"}, headers=ONCE)
    body = {"game": "extreme", "seats": 2, "bots": ["easy"]}
    made = page.request.post(f"{address}api/tables", data=body, headers=ONCE)
    link = f"{address}t/{made.json()['table']}"
    page.goto(link)
    page.locator(".game button").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("ol li").first).to_be_visible()
    expect(dialog.locator("dt")).to_have_count(0)
    dialog.get_by_role("button", name=WHOLE[language]).press("Enter")
    expect(dialog.locator(".whole")).to_be_focused()
    expect(dialog.locator("dt")).to_have_text(numbers("extreme", language))
    seen.look(f"rules-dialog-{size[0]}-{language}-{scheme}")
    dialog.get_by_role("link").click()
    expect(page.locator("#rules-shared h2")).to_be_in_viewport()
    seen.look(f"rules-dialog-shared-{size[0]}-{language}-{scheme}")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page).to_have_url(link)
    seen.close()

"""The rules, as pages of their own and during play: with pictures for families, every number behind them, in three
languages, on any screen.
"""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.others import Others
from tests.browser.seen import DESK, ONCE, PHONE, Seen
from ubongo.words import LANGUAGES

RULES = Path(__file__).parents[2] / "docs" / "rules"
LINK = {"en": "Rules", "de": "Regeln", "pl": "Zasady"}
WITH_PICTURES = {"en": "The rules with pictures", "de": "Die Regeln mit Bildern", "pl": "Zasady z obrazkami"}
PRECISE = {"en": "Precise rules", "de": "Genaue Regeln", "pl": "Dokładne zasady"}
GAMES = ["extreme", "cards", "dice", "cubes"]
# What programs call an option or a seat: nobody sees it.
FOR_PROGRAMS = re.compile(r"[a-z]+_[a-z]|`|seat 0|Platz 0|miejsce 0")
# Pictures that are too small to be made out, or empty. What lies beside the text has its own size.
POOR = """all => all.filter((one) => {
  const { width, height } = one.getBoundingClientRect();
  return one.querySelector("svg") === null || width < 40 || height < 30;
}).map((one) => one.dataset.picture)"""


def numbers(game: str, language: str) -> list[str]:
    folder = RULES if language == "en" else RULES / language
    pages = [(folder / f"{name}.md").read_text(encoding="utf-8") for name in (game, "shared")]
    return re.findall(r"^\| \*\*(\w+)\*\*", "\n".join(pages), re.MULTILINE)


def sections(game: str, language: str) -> list[str]:
    page = (RULES / "family" / language / f"{game}.md").read_text(encoding="utf-8")
    return re.findall(r"^## (?:\{screen: )?([^{}]+?)\}? \{#", page, re.MULTILINE)


def pictures(game: str) -> int:
    return (RULES / "family" / "en" / f"{game}.md").read_text(encoding="utf-8").count("\n![")


def precise(page: Page) -> Locator:
    return page.locator("main .end a[href$='#precise']")


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
        page.get_by_role("navigation").first.get_by_role("link").nth(number).click()
        expect(page).to_have_url(f"{address}rules/{game}")
        expect(page.locator(".family h2")).to_have_text(sections(game, language))
        expect(page.locator("[data-picture]")).to_have_count(pictures(game))
        assert page.locator("[data-picture]").evaluate_all(POOR) == []
        seen.look(f"rules-{game}-{size[0]}-{language}-{scheme}")
        # Every case is one tap behind.
        precise(page).click()
        expect(page).to_have_url(f"{address}rules/{game}#precise")
        expect(page.locator("dt")).to_have_text(numbers(game, language))
        seen.look(f"rules-precise-{game}-{size[0]}-{language}-{scheme}")
        page.get_by_role("link", name=WITH_PICTURES[language]).click()
        expect(page.locator(".family")).to_be_visible()
    # What is read can be sent to somebody, and read again.
    page.goto(f"{address}rules/cubes#precise")
    expect(page.locator("dt")).to_have_text(numbers("cubes", language))
    page.get_by_role("link", name="Solo").click()
    expect(page.locator("#rules-solo")).to_be_in_viewport()
    expect(page).to_have_url(f"{address}rules/cubes#precise")
    seen.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_reads_names_that_are_for_programs(browser: Browser, address: str, language: str) -> None:
    seen = Seen(browser, language=language)
    page = seen.page
    for game in GAMES:
        page.goto(f"{address}rules/{game}")
        expect(page.locator(".family h2")).to_have_text(sections(game, language))
        page.locator("details").evaluate_all("all => all.forEach((one) => (one.open = true))")
        assert not FOR_PROGRAMS.findall(page.locator("main").inner_text())
        page.goto(f"{address}rules/{game}#precise")
        expect(page.locator("dt")).to_have_text(numbers(game, language))
        assert not FOR_PROGRAMS.findall(page.locator("main").inner_text())
    page.goto(f"{address}companion/extreme")
    page.locator("summary").last.click()
    expect(page.locator("dt").first).to_be_visible()
    assert not FOR_PROGRAMS.findall(page.locator("details").last.inner_text())
    seen.close()


def test_an_option_is_called_as_in_the_lobby(browser: Browser, address: str) -> None:
    seen = Seen(browser)
    page = seen.page
    Others(address, 2, start=False).show(0, seen)
    page.get_by_role("button", name="of sand").click()
    expect(page.get_by_role("radiogroup", name="Hourglass")).to_be_visible()
    page.goto(f"{address}rules/extreme#precise")
    expect(page.locator("dl > div").filter(has_text="X7")).to_contain_text("60 seconds Hourglass.")
    seen.close()


def test_by_keys_to_a_part_and_to_the_precise_rules(browser: Browser, address: str) -> None:
    seen = Seen(browser)
    page = seen.page
    page.goto(f"{address}rules/extreme")
    contents = page.get_by_role("navigation", name="On this page")
    part = contents.get_by_role("link", name="Second chance")
    part.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#rules-second")).to_be_focused()
    expect(page.locator("#rules-second")).to_be_in_viewport()
    expect(part).to_have_attribute("aria-current", "location")
    precise(page).focus()
    page.keyboard.press("Enter")
    expect(page.locator("dt")).to_have_text(numbers("extreme", "en"))
    # The way back is the browser's, too.
    page.go_back()
    expect(page.locator(".family")).to_be_visible()
    expect(contents.get_by_role("link", name="Print these rules")).to_have_attribute("target", "_blank")
    seen.close()


@pytest.mark.parametrize("game", GAMES)
def test_every_join_has_its_mark(browser: Browser, address: str, game: str) -> None:
    """Only cards have some: a tick or a cross on every contact."""
    seen = Seen(browser)
    page = seen.page
    page.goto(f"{address}rules/{game}")
    expect(page.locator(".family h2").first).to_be_visible()
    ticks, crosses = page.locator("[data-picture] .ticked"), page.locator("[data-picture] .crossed")
    expect(ticks).to_have_count(13 if game == "cards" else 0)
    expect(crosses).to_have_count(7 if game == "cards" else 0)
    seen.close()


def test_another_language_at_once(browser: Browser, address: str) -> None:
    seen = Seen(browser)
    seen.page.goto(f"{address}rules/dice")
    expect(seen.page.get_by_role("heading", name="Points for an area")).to_be_visible()
    seen.page.get_by_role("combobox").select_option("pl")
    expect(seen.page.get_by_role("heading", name="Punkty za obszar")).to_be_visible()
    expect(seen.page).to_have_title("Gra w kości · Zasady · Ubongo")
    seen.close()


@pytest.mark.parametrize(("size", "scheme", "language"), [(DESK, "dark", "de"), (PHONE, "light", "pl")])
def test_they_can_be_read_at_the_table(
    browser: Browser, address: str, size: tuple[int, int], scheme: str, language: str
) -> None:
    """In short first, with pictures or every case for who asks; the table stays where it is."""
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
    dialog.get_by_role("button", name=WITH_PICTURES[language]).press("Enter")
    expect(dialog.locator(".whole")).to_be_focused()
    expect(dialog.locator(".family h2")).to_have_text(sections("extreme", language))
    assert dialog.locator("[data-picture]").evaluate_all(POOR) == []
    seen.look(f"rules-dialog-{size[0]}-{language}-{scheme}")
    dialog.get_by_role("button", name=PRECISE[language]).press("Enter")
    expect(dialog.locator(".whole")).to_be_focused()
    expect(dialog.locator("dt")).to_have_text(numbers("extreme", language))
    seen.look(f"rules-dialog-precise-{size[0]}-{language}-{scheme}")
    dialog.get_by_role("link").click()
    expect(page.locator("#rules-shared h2")).to_be_in_viewport()
    seen.look(f"rules-dialog-shared-{size[0]}-{language}-{scheme}")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(page).to_have_url(link)
    seen.close()

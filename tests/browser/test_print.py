"""Paper from the page: the choices lead to a PDF, on any screen and in every language."""

import re
from pathlib import Path

import httpx
import msgspec
import pypdfium2
import pytest
from playwright.sync_api import Browser, expect

from tests.browser.seen import DESK, PHONE, Seen
from tests.conftest import start
from ubongo.material import encode, identify, shipped
from ubongo.material.extreme import ExtremeEdition

OPEN = {"en": "Open the PDF", "de": "PDF öffnen", "pl": "Otwórz PDF"}
PRINT = {"en": "Print", "de": "Drucken", "pl": "Drukuj"}


@pytest.mark.parametrize(
    ("size", "scheme", "language", "game"),
    [(DESK, "light", "en", "extreme"), (PHONE, "dark", "de", "cubes"), (PHONE, "light", "pl", "dice")],
)
def test_what_is_chosen_is_printed(
    browser: Browser, address: str, size: tuple[int, int], scheme: str, language: str, game: str
) -> None:
    seen = Seen(browser, size, scheme, language)
    page = seen.page
    page.goto(f"{address}rules/{game}")
    page.get_by_role("link", name=PRINT[language], exact=True).click()
    expect(page).to_have_url(f"{address}#print-{game}")
    # Before anything is printed it says how much paper that takes.
    for part in ("starter", "all"):
        said = page.locator(f"[data-part={part}]")
        expect(said).to_be_visible()
        if part == "starter":
            assert 8 <= int(said.inner_text().split()[0]) <= 12
    expect(page.get_by_role("link", name=OPEN[language])).to_have_attribute("href", re.compile("part=starter"))
    seen.look(f"print-starter-{game}-{size[0]}-{language}-{scheme}")
    page.locator("#part").select_option("rules")
    expect(page.locator("[data-part=rules]")).to_contain_text("2")
    page.get_by_role("radio", name="Letter").check()
    seen.look(f"print-{game}-{size[0]}-{language}-{scheme}")
    link = page.get_by_role("link", name=OPEN[language])
    expect(link).to_have_attribute("target", "_blank")
    href = link.get_attribute("href")
    assert href is not None
    answer = httpx.get(address.rstrip("/") + href, timeout=120)
    assert answer.status_code == 200
    document = pypdfium2.PdfDocument(answer.content)
    assert len(document) == 2
    assert document[0].get_size() == pytest.approx((612, 792), abs=0.1)


def test_an_edition_of_ones_own_can_be_chosen(browser: Browser, tmp_path: Path) -> None:
    edition = shipped("extreme")
    assert isinstance(edition, ExtremeEdition)
    own = identify(msgspec.structs.replace(edition, boards=edition.boards[::-1]))
    (tmp_path / "own.json").write_bytes(encode(own))
    with start("--editions", str(tmp_path)) as running:
        seen = Seen(browser, PHONE, "dark")
        seen.page.goto(f"{running.address}#print-extreme")
        seen.page.locator("#edition").select_option(own.id)
        seen.look("print-edition-375-dark")
        expect(seen.page.get_by_role("link", name="Open the PDF")).to_have_attribute("href", re.compile(own.id))
        seen.page.goto(f"{running.address}b/{own.id}/17")
        expect(seen.page.get_by_role("heading", level=1)).to_contain_text("Board 17")
        seen.page.get_by_role("link", name="On paper").click()
        expect(seen.page.locator("#edition")).to_have_value(own.id)
        seen.close()

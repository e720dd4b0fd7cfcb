"""The puzzle of the day, records, ghosts and one's own page in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import expect

from tests.browser.alone import begins, solo
from tests.browser.seen import DESK, PHONE, Opens
from tests.server.people import Person, hang_up_all, table_for

COPIES = "navigator.share = undefined; navigator.clipboard.writeText = async (text) => { window.copied = text; }"


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    yield
    hang_up_all()


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "light"), (DESK, "dark")], ids=["phone", "desk"])
def test_the_day_at_home_from_to_do_to_a_streak(opens: Opens, size: tuple[int, int], scheme: str) -> None:
    ann = opens("Ann", size, scheme)
    page = ann.page
    expect(page.get_by_text("Solve one today to begin a streak.")).to_be_visible()
    page.get_by_role("button", name="Play: Extreme").click()
    begins(ann).solve()
    expect(page.get_by_role("heading", name="Solved in 0:")).to_be_visible()
    page.evaluate(COPIES)
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_text("Copied")).to_be_visible()
    shared = page.evaluate("window.copied")
    page.get_by_role("link", name="Home").click()
    expect(page.get_by_text("1 day in a row")).to_be_visible()
    expect(page.get_by_role("button", name="Play: Extreme")).to_have_count(0)
    page.evaluate("window.copied = ''")
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_text("Copied")).to_be_visible()
    assert page.evaluate("window.copied") == shared
    # The link in it leads to the day's card.
    page.goto(shared.splitlines()[-1])
    page.reload()
    expect(page.get_by_role("region", name="Puzzles of the day")).to_be_focused()
    expect(page.get_by_role("heading", name="Puzzles of the day")).to_be_in_viewport()
    ann.look(f"day-{size[0]}")
    # What was solved leads back to its result.
    page.locator("#day").get_by_role("link", name="0:").click()
    expect(page.get_by_role("heading", name="Everybody’s times")).to_be_visible()
    page.go_back()
    page.get_by_role("link", name="Yesterday’s solutions").click()
    expect(page.get_by_role("img", name="Solution: ")).to_have_count(4)
    ann.look(f"day-solved-{size[0]}")


def test_a_day_that_is_not_over_keeps_its_solutions(opens: Opens, address: str) -> None:
    ann = opens("Ann")
    later = datetime.now(UTC).date() + timedelta(days=3)
    ann.page.goto(f"{address}day/{later}")
    expect(ann.page.get_by_role("alert")).to_contain_text("That day isn’t over yet.")
    expect(ann.page.get_by_role("main").get_by_role("link", name="Home")).to_be_visible()
    ann.complaints.clear()  # The browser tells of every refusal.


def test_a_record_is_listed_raced_and_told_of(opens: Opens, address: str) -> None:
    bo = opens("Bo", DESK)
    page = bo.page
    solo(bo, address, "cubes")
    page.get_by_role("button", name="5 boards").click()
    device = begins(bo)
    for _ in range(5):
        device.solve()
    page.get_by_role("link", name="Records").click()
    expect(page.get_by_role("listitem").filter(has_text="you")).to_be_visible()
    bo.look("records")
    page.get_by_role("radio", name="This week").check()
    expect(page.get_by_role("listitem").filter(has_text="you")).to_be_visible()
    page.get_by_role("radio", name="4 pieces").check()
    expect(page.get_by_text("Nobody has played this yet.")).to_be_visible()
    page.get_by_role("radio", name="3 pieces").check()
    page.evaluate(COPIES)
    page.get_by_role("button", name="Link for a friend").click()
    expect(page.get_by_text("Copied")).to_be_visible()
    link = page.evaluate("window.copied")

    cy = opens("Cy", PHONE, "dark")
    cy.page.goto(link)
    expect(cy.page.get_by_role("heading", name=re.compile(r"^Bo challenges you: \d:\d\d$"))).to_be_visible()
    cy.look("ghost-link")
    cy.page.get_by_role("button", name="Race").click()
    device = begins(cy)
    ghost = cy.page.locator("article.seat")
    expect(ghost).to_contain_text("Ghost: Bo")
    # By now the ghost has solved all, as it did then.
    expect(ghost.locator(".points")).to_have_text("5")
    expect(cy.page.get_by_text(re.compile(r"^done in \d+:\d\d$"))).to_be_visible()
    cy.look("ghost-phone")
    cy.fits_in_every_language("ghost-phone")
    for _ in range(5):
        device.solve()
    # Who won, and by how much, as a whole and board by board.
    expect(cy.page.get_by_role("heading", name=re.compile(r"^\d+\.\d s behind Bo$"))).to_be_visible()
    expect(cy.page.get_by_text("A race against a ghost doesn’t count for records.")).to_be_visible()
    expect(cy.page.get_by_text(re.compile(r"^[+−]\d+\.\d+$"))).to_have_count(5)
    cy.look("ghost-verdict")
    cy.fits_in_every_language("ghost-verdict")

    page.get_by_role("button", name="Race it").click()
    begins(bo)
    expect(page.locator("article.seat")).to_contain_text("Ghost: Bo")
    bo.look("ghost-desk")
    page.goto(f"{address}me")
    expect(page.get_by_role("heading", name="Your games")).to_be_visible()
    expect(page.get_by_role("img", name="Time by difficulty for 5 solved tasks of 3-D")).to_be_visible()
    bo.look("profile")


def test_the_pages_for_somebody_new(opens: Opens, address: str) -> None:
    di = opens("Di", PHONE, "dark")
    di.page.get_by_role("combobox").select_option("pl")
    expect(di.page.get_by_role("heading", name="Zagadki dnia")).to_be_visible()
    # Who plays alone and lets others watch is listed with the game that lies there.
    table_for(Person(address, "Eve"), game="solo", public=True, options={"of": "extreme"})
    di.page.reload()
    expect(di.page.get_by_role("listitem").filter(has_text="Extreme").filter(has_text="Eve")).to_contain_text("Solo")
    di.look("home-strip-pl")
    for place in ("records", "me"):
        di.page.goto(f"{address}{place}")
        expect(di.page.get_by_role("heading", level=1)).to_be_visible()
        expect(di.page.get_by_role("heading", level=2).first).to_be_visible()
        di.look(f"{place}-new")
    di.page.goto(f"{address}#solo-dice")
    di.page.reload()
    expect(di.page.get_by_role("button", name="Cały arkusz")).to_be_visible()
    di.look("solo-setup-pl")

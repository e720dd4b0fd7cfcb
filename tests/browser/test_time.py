"""Runs alone in which minutes go by: against the clock to its very end, and beside a ghost that takes its time."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.alone import begins
from tests.browser.leaping import Lived
from tests.browser.others import known_as
from tests.browser.seen import PHONE, Seen
from tests.server.people import Device, Person, hang_up_all, table_for

TEN_MINUTES = 600_000


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    yield
    hang_up_all()


def left(device: Device) -> int:
    """How many milliseconds are left by the server's clock."""
    device.say({"type": "ping", "at": 0})
    now: int = device.until(lambda said: said["type"] == "pong")["now"]
    until: int = device.table["until"]
    return until - now


@pytest.mark.parametrize(
    ("game", "scheme", "language", "words"),
    [
        ("cubes", "dark", "de", ("5 Minuten", "Neue Bestleistung")),
        ("cards", "light", "pl", ("5 minut", "Nowy rekord")),
    ],
)
def test_a_run_against_the_clock_to_its_end(
    browser: Browser, lived: Lived, game: str, scheme: str, language: str, words: tuple[str, str]
) -> None:
    """What is solved by then counts, what lies then does not; and it is a record at once."""
    address, clock = lived
    minutes, best = words
    name = f"clock-{{}}-375-{language}-{scheme}"
    seen = Seen(browser, PHONE, scheme, language)
    page = seen.page
    known_as(Person(address, "Ann"), seen)
    page.goto(f"{address}#solo-{game}")
    page.get_by_role("button", name=minutes, exact=True).click()
    device = begins(seen)
    device.solve()
    device.ask(**device.solution()[0])
    # Some of the five minutes has gone by, on a slow machine more.
    expect(page.get_by_role("timer")).to_contain_text(re.compile(r"[0-4]:\d\d"))
    seen.look(name.format("begun"))
    # Nearly five minutes later, as the page learns when it says hello anew.
    with clock.standing():
        clock.leap(left(device) - 4000)
        page.reload()
        expect(page.get_by_role("timer")).to_contain_text("0:0")
        seen.look(name.format("ends"))
    expect(page.get_by_role("heading", name=best)).to_be_visible()
    expect(page.locator(".big-figure")).to_contain_text("1")
    seen.look(name.format("over"))
    seen.close()


def test_a_ghost_lays_piece_by_piece_as_it_did(browser: Browser, lived: Lived) -> None:
    """Ten minutes for each of its pieces, then as now; and it is ahead of who dawdles."""
    address, clock = lived
    bo = Person(address, "Bo")
    options = {"of": "extreme", "mode": "count", "tasks": 5}
    key = table_for(bo, game="solo", options=options)
    device = bo.sit_at(key)
    device.ask(type="ready")
    for _ in range(5):
        for move in device.solution():
            clock.leap(TEN_MINUTES)
            device.ask(**move)
    assert device.table["phase"] == "over"
    seen = Seen(browser)
    page = seen.page
    known_as(Person(address, "Cy"), seen)
    page.goto(f"{address}ghost/{key}")
    page.get_by_role("button", name="Race").click()
    begins(seen)
    ghost = page.locator("article.seat")
    lies(page, 0)
    # So far between two of its pieces that no machine is too slow to look.
    clock.leap(TEN_MINUTES // 2)
    for number in (1, 2):
        clock.leap(TEN_MINUTES)
        page.reload()
        lies(page, number)
    seen.look("ghost-two-1400-light")
    # With its third it has solved the first board, and begins the next.
    clock.leap(TEN_MINUTES)
    page.reload()
    expect(ghost.locator(".points")).to_have_text("1")
    lies(page, 0)
    seen.close()


def lies(page: Page, number: int) -> None:
    expect(page.locator("article.seat")).to_contain_text("Ghost: Bo")
    expect(page.locator("article.seat .tile")).to_have_count(number)

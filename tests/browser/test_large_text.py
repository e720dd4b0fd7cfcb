"""Text twice as large: every view keeps working, nothing is cut off and nothing lost."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from hatch_build import WEB
from tests.browser.alone import begins
from tests.browser.hands import Hands, answers
from tests.browser.lessons import solution
from tests.browser.others import Others, known_as
from tests.browser.seen import DESK, ONCE, PHONE, Seen
from tests.browser.stops import tabbed
from tests.server.people import Person, hang_up_all, table_for


@pytest.mark.parametrize(
    ("size", "scheme", "language"), [(PHONE, "light", "de"), (DESK, "dark", "pl"), ((768, 1024), "light", "en")]
)
def test_every_view_on_the_way_to_a_result(
    large: Browser, address: str, size: tuple[int, int], scheme: str, language: str
) -> None:
    name = f"{size[0]}-{language}-{scheme}"
    seen = Seen(large, size, scheme, language)
    page = seen.page
    page.goto(address)
    assert page.evaluate("parseFloat(getComputedStyle(document.documentElement).fontSize)") == 32
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    seen.look(f"large-home-{name}")
    for game in ("cards", "cubes"):
        page.goto(f"{address}rules/{game}")
        expect(page.locator("details").last).to_be_visible()
        seen.look(f"large-rules-{game}-{name}")
    page.goto(f"{address}rules/cards#precise")
    expect(page.locator("dt").last).to_be_visible()
    seen.look(f"large-rules-precise-{name}")
    for game in ("extreme", "cubes"):
        page.goto(f"{address}learn/{game}")
        expect(page.locator("svg.mine")).to_be_visible()
        seen.look(f"large-lesson-{game}-{name}")
    page.goto(f"{address}play/extreme")
    expect(page.get_by_role("radio")).to_have_count(5)
    seen.look(f"large-play-now-{name}")
    page.goto(f"{address}#friends-extreme")
    expect(page.get_by_role("dialog")).to_be_visible()
    seen.look(f"large-name-{name}")
    page.get_by_role("dialog").get_by_role("textbox").press("Enter")
    expect(page.locator(".code")).to_be_visible()
    # A table of two against a bot, with a glass that is soon empty; its host sees the round, the result and the next.
    body = {"game": "extreme", "seats": 2, "bots": ["beginner"], "options": {"hourglass_s": 600}}
    made = page.request.post(f"{address}api/tables", data=body, headers=ONCE)
    page.goto(f"{address}t/{made.json()['table']}")
    expect(page.locator(".code")).to_be_visible()
    seen.look(f"large-gather-{name}")
    page.locator(".go button.first").click()
    expect(page.locator("svg.mine")).to_be_visible()
    for number, answer in enumerate(answers(page, 0), 1):
        if number == 3:
            page.keyboard.press("3")
            seen.look(f"large-play-{name}")
            page.keyboard.press("Escape")
        Hands(page, 0).by_keys(answer)
    seen.look(f"large-called-{name}")
    seen.close()


def test_the_end_of_a_lesson(large: Browser, address: str) -> None:
    seen = Seen(large, PHONE, "dark", "de")
    page = seen.page
    page.goto(f"{address}learn/extreme")
    for number, answer in enumerate(solution("extreme"), 1):
        expect(page.locator("svg.mine")).to_be_visible()
        Hands(page, 0).by_keys(answer)
        expect(page.locator("svg.mine .laid")).to_have_count(number)
    page.get_by_role("button", name="Ubongo!").click()
    expect(page.locator(".ways")).to_be_visible()
    seen.look("large-lesson-end-375-de-dark")
    seen.close()


@pytest.mark.parametrize(("size", "scheme", "language"), [(PHONE, "dark", "pl"), (DESK, "light", "de")])
def test_the_screens_of_the_other_games_and_what_comes_after_a_round(
    large: Browser, address: str, size: tuple[int, int], scheme: str, language: str
) -> None:
    name = f"large-{{}}-{size[0]}-{language}-{scheme}"
    seen = Seen(large, size, scheme, language)
    page = seen.page
    cards = Others(address, game="cards")
    cards.begin_round()
    cards.lay(0, 3)
    cards.show(0, seen)
    page.locator(".hand-cards button").first.click()
    seen.look(name.format("cards"))
    cubes = Others(address, cards.people, "cubes")
    cubes.throw()
    cubes.begin_round()
    cubes.lay(0, 1)
    cubes.show(0, seen)
    expect(page.locator(".slot .pale")).to_have_count(1)
    page.locator("[data-piece]:not(:has(.pale))").first.click()
    seen.look(name.format("cubes"))
    dice = Others(address, cards.people, "dice")
    dice.show(0, seen)
    expect(page.locator(".pictures li")).to_have_count(3)
    seen.look(name.format("throw"))
    dice.throw()
    expect(page.locator("button.spot")).to_have_count(4)
    seen.look(name.format("grab"))
    dice.grab()
    page.locator("[data-piece]").first.click()
    seen.look(name.format("enter"))
    extreme = Others(address, cards.people)
    extreme.show(0, seen)
    expect(page.locator(".pictures li")).to_have_count(3)
    seen.look(name.format("begins"))
    extreme.play_round()
    expect(page.locator("main .won .gem")).to_have_count(4)
    seen.look(name.format("result"))
    extreme.end()
    expect(page.locator("ol li")).to_have_count(2)
    seen.look(name.format("final"))
    hang_up_all()
    seen.close()


@pytest.mark.parametrize(("size", "scheme", "language"), [(PHONE, "light", "de"), (DESK, "dark", "pl")])
def test_the_pages_of_who_plays_alone_also_by_keyboard(
    large: Browser, address: str, size: tuple[int, int], scheme: str, language: str
) -> None:
    """Solo, a day, records, a ghost, one's own page; a run by keys in which Enter lays, whatever was pressed before."""
    name = f"large-{{}}-{size[0]}-{language}-{scheme}"
    seen = Seen(large, size, scheme, language)
    page, ann = seen.page, Person(address, "Ann")
    known_as(ann, seen)
    key = table_for(ann, game="solo", options={"of": "extreme", "mode": "count", "tasks": 5})
    device = ann.sit_at(key)
    device.ask(type="ready")
    for _ in range(5):
        device.solve()
    yesterday = datetime.now(UTC).date() - timedelta(days=1)
    for place in (f"t/{key}", "records", "me", f"day/{yesterday}", f"ghost/{key}", "#solo-extreme"):
        page.goto(f"{address}{place}")
        expect(page.locator("main h1")).to_be_visible()
        expect(page.locator("main button, main svg, main select").last).to_be_visible()
        tabbed(page)
        seen.look(name.format(place.split("/")[0].strip("#")))
    page.locator("section").first.get_by_role("button").first.focus()
    page.keyboard.press("Enter")
    begins(seen)
    aside, board = page.locator(".asks button"), page.locator("svg.mine .cells")
    before = board.get_attribute("d") or ""
    aside.focus()
    page.keyboard.press("Enter")
    expect(board).not_to_have_attribute("d", before)
    aside.focus()
    Hands(page, 0).by_keys(answers(page, 0)[0])
    expect(page.locator("svg.mine .laid")).to_have_count(1)
    seen.look(name.format("run"))
    hang_up_all()
    seen.close()


def test_widths_that_change_a_view_grow_with_the_text() -> None:
    """In em: a wide screen with large text is then laid out like a narrow one, which has the room."""
    sources = [file for folder in ("*.svelte", "*.css") for file in Path(WEB / "src").rglob(folder)]
    found = [
        (file.name, query)
        for file in sources
        for query in re.findall(r"\((?:max|min)-(?:width|height): \d+px\)", file.read_text())
    ]
    assert len(sources) > 40
    assert not found

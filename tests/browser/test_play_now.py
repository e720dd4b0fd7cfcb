"""Play now: an opponent is chosen by face, a harder one suggested, and who is new has a first round in peace."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.alone import begins, roll
from tests.browser.hands import Hands, answers
from tests.browser.opponents import play_now
from tests.browser.others import Others, known_as
from tests.browser.seen import DESK, PHONE, Opens, Seen
from tests.browser.stops import tabbed
from tests.server.people import Person, hang_up_all, table_for

GAMES = ("extreme", "cards", "dice", "cubes")
# Otto was beaten three times in a row.
BEATEN = {"level": "medium", "beaten": "medium", "wins": 3}


def opponents(page: Page) -> dict[str, Any]:
    """What the browser remembers of them."""
    kept: dict[str, Any] = json.loads(page.evaluate("localStorage.ubongo"))["opponents"]
    return kept


def remembers(seen: Seen, **kept: Any) -> None:
    seen.context.add_init_script(f"localStorage.ubongo ??= {json.dumps(json.dumps(kept))}")


def chosen(page: Page, name: str) -> None:
    expect(page.get_by_role("radio", name=name)).to_be_checked()
    expect(page.get_by_role("button", name=f"Play {name}")).to_be_visible()


def test_by_keyboard_alone_and_remembered_by_game(browser: Browser, address: str) -> None:
    seen = Seen(browser)
    page = seen.page
    page.goto(f"{address}play/extreme")
    chosen(page, "Otto")
    tabbed(page)
    page.get_by_role("radio", name="Otto").focus()
    page.keyboard.press("ArrowRight")
    chosen(page, "Runa")
    page.keyboard.press("Enter")
    seen.say_name("Ann")
    # The chosen one, and one who is easier.
    expect(page.locator(".others .who")).to_have_count(2)
    for name in ("Runa", "Otto"):
        expect(page.locator(".others")).to_contain_text(name)
    page.goto(address)
    page.get_by_role("article").filter(has_text="Extreme").get_by_role("link", name="Play now").click()
    chosen(page, "Runa")
    page.goto(f"{address}play/cards")
    chosen(page, "Otto")
    # A choice is one, also where nothing was played.
    page.get_by_role("radio", name="Momo").check()
    page.reload()
    chosen(page, "Momo")
    seen.close()


def test_after_three_wins_a_harder_one_is_suggested_once(browser: Browser, address: str) -> None:
    seen = Seen(browser, PHONE, "dark")
    remembers(seen, name="Ann", opponents={"extreme": BEATEN}, learned=["extreme"])
    page = seen.page
    page.goto(f"{address}play/extreme")
    expect(page.get_by_role("status")).to_have_text("Three wins against Otto. Try Runa?")
    chosen(page, "Runa")
    seen.look("play-now-suggested-375-dark")
    seen.fits_in_every_language("play-now-suggested-375-dark")
    # Who would rather stay is not asked again at once.
    page.get_by_role("radio", name="Otto").check()
    page.get_by_role("button", name="Play Otto").click()
    expect(page.locator(".others .who")).to_have_count(2)
    page.goto(f"{address}play/extreme")
    chosen(page, "Otto")
    expect(page.get_by_role("status")).to_have_count(0)
    seen.close()


def test_a_match_against_bots_counts_when_it_is_over(browser: Browser, address: str) -> None:
    ann = Person(address, "Ann")
    seen = Seen(browser)
    two_wins = {"extreme": {**BEATEN, "wins": 2}}
    remembers(seen, name="Ann", known=True, opponents=two_wins)
    known_as(ann, seen)
    # So little sand that no bot is in time.
    options = {"hourglass_s": 1, "ready_s": 0}
    key = table_for(ann, seats=2, bots=["medium"], options=options)
    device = ann.sit_at(key)
    page = seen.page
    page.goto(f"{address}t/{key}")
    expect(page.get_by_role("button", name="Ready for round 1")).to_be_visible()
    for _ in range(9):
        device.see(lambda table: table["phase"] == "ready")
        device.ask(type="ready")
        device.see(lambda table: table["phase"] == "play")
        device.solve()
    expect(page.get_by_text("The match is over", exact=True)).to_be_visible()
    page.wait_for_function("JSON.parse(localStorage.ubongo).opponents.extreme.wins === 3")
    # Who looks at it again has not won again.
    page.reload()
    expect(page.get_by_text("The match is over", exact=True)).to_be_visible()
    page.goto(f"{address}play/extreme")
    chosen(page, "Runa")
    assert opponents(page)["extreme"] == BEATEN
    hang_up_all()
    seen.close()


@pytest.mark.parametrize("game", GAMES)
def test_the_first_time_there_is_a_round_without_a_limit(opens: Opens, address: str, game: str) -> None:
    ann = opens("Ann", PHONE)
    page = ann.page
    page.goto(f"{address}play/{game}")
    expect(page.get_by_role("heading", name="First time?")).to_be_visible()
    expect(page.get_by_role("link", name="One-minute lesson")).to_be_in_viewport()
    ann.look(f"play-now-{game}-375-light")
    ann.fits_in_every_language(f"play-now-{game}-375-light")
    page.get_by_role("radio", name="Pip").check()
    page.get_by_role("button", name="A round").click()
    device = begins(ann)
    assert device.table["options"]["mode"] == "practice"
    if game == "dice":
        for _ in range(200):
            if sum(device.table["seats"][0]["points"]):
                break
            roll(device)
    elif game == "extreme":
        for answer in answers(page, 0):
            Hands(page, 0).by_keys(answer)
    else:
        device.solve()
    expect(page.get_by_role("heading", name="That was a whole round")).to_be_visible()
    board = page.get_by_role("img", name="Your board, solved")
    expect(board).to_be_visible()
    if game == "extreme":
        expect(board.locator(".tile")).to_have_count(3)
    ann.look(f"warm-up-{game}-375-light")
    # That is remembered: it is not offered again, and a link to the lesson stays.
    page.get_by_role("link", name="Pick another opponent").click()
    chosen(page, "Pip")
    expect(page.get_by_role("heading", name="First time?")).to_have_count(0)
    expect(page.get_by_role("link", name="One-minute lesson")).to_be_visible()
    page.go_back()
    page.get_by_role("button", name="Play Pip").click()
    expect(page.locator(".others .who")).to_have_count(2)
    page.goto(address)
    play_now(page, game, "Momo")
    expect(page.locator(".others .who")).to_have_count(1)
    device.hang_up()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "light"), (DESK, "dark")], ids=["phone", "desk"])
def test_who_waits_for_round_1_sees_the_game_in_three_pictures(
    browser: Browser, address: str, game: str, size: tuple[int, int], scheme: str
) -> None:
    others, seen = Others(address, game=game), Seen(browser, size, scheme)
    others.show(0, seen)
    page = seen.page
    expect(page.locator(".pictures li")).to_have_count(3)
    for picture in page.locator(".pictures li").all():
        expect(picture.locator("svg").first).to_be_visible()
        expect(picture.locator("p")).not_to_be_empty()
    name = f"pictures-{game}-{size[0]}-{scheme}"
    seen.look(name)
    if game != "dice":
        seen.fits_in_every_language(name)
    if game in ("dice", "cubes"):
        others.throw()
    if game != "dice":
        others.begin_round()
    expect(page.locator(".pictures")).to_have_count(0)
    hang_up_all()
    seen.close()


def test_other_numbers_of_pieces_are_said_and_shown(browser: Browser, address: str) -> None:
    others, seen = Others(address, side=4), Seen(browser)
    others.show(0, seen)
    expect(seen.page.get_by_text("an area and four pieces")).to_be_visible()
    expect(seen.page.locator(".beside svg")).to_have_count(4)
    hang_up_all()
    seen.close()

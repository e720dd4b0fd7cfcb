"""The referee for real tables: one phone in the middle, a whole match, and what the rules make of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, WebSocketRoute, expect

from tests.browser.reach import told
from tests.browser.seen import DESK, ONCE, PHONE, Opens, Seen, table_of
from tests.play import Match
from ubongo.moves import Claim, Move, Pass, Ready, TakeBack, Throw

NAMES = ("Ann", "Bo", "Cy")


class Referee:
    """A phone that speaks for all, and what it has said."""

    def __init__(self, seen: Seen) -> None:
        self.seen = seen
        self.said: list[tuple[int, Move]] = []

    @property
    def page(self) -> Page:
        return self.seen.page

    def set_up(self, address: str, game: str, people: int = 3) -> None:
        self.page.goto(f"{address}companion/{game}")
        self.page.get_by_role("radiogroup", name="How many play").get_by_role("radio", name=str(people)).check()
        for number, name in enumerate(NAMES[1:people], 2):
            self.page.get_by_role("textbox", name=f"Name {number}").fill(name)

    def begin(self) -> None:
        self.page.get_by_role("button", name="Start", exact=True).click()
        expect(self.page).to_have_url(re.compile("/t/"))

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def turn(self, seats: Sequence[int] = range(3)) -> None:
        """Everyone has what they need: a throw where there is a die, and the glass."""
        throws = self.page.get_by_role("button", name=" throws")
        glass = self.button("Turn the hourglass")
        expect(throws.or_(glass).or_(self.button("Begin")).first).to_be_visible()
        if throws.count():
            roller = NAMES.index((throws.text_content() or "").split()[0])
            throws.click()
            self.said.append((roller, Throw()))
        self.button("Turn the hourglass").or_(self.button("Begin")).click()
        self.said += [(seat, Ready()) for seat in seats]

    def claim(self, *seats: int) -> None:
        for seat in seats:
            self.button(f"{NAMES[seat]}: finished").click()
            self.said.append((seat, Claim()))

    def take_back(self, seat: int) -> None:
        self.button(f"Take back: {NAMES[seat]}").click()
        self.said.append((seat, TakeBack()))

    def go_on(self, seats: Sequence[int] = range(3)) -> None:
        names = ("All correct, go on", "End the round", "Turn the hourglass once more")
        self.page.get_by_role("button", name=re.compile(f"^({'|'.join(names)})$")).click()
        self.said += [(seat, Pass()) for seat in seats]

    def in_round(self, number: int, of: int = 9) -> None:
        expect(self.page.locator("header").get_by_text(f"Round {number} of {of}")).to_be_visible()

    def end_together(self, number: int, cards: str) -> None:
        """A round of cards that nobody called, and what lies."""
        self.in_round(number, 6)
        self.button("Begin").click()
        self.button("We end this round").click()
        expect(self.page.get_by_text("Does everybody agree?")).to_be_visible()
        self.button("We end this round").click()
        for name, lie in zip(NAMES, cards, strict=True):
            self.page.get_by_role("radiogroup", name=f"Cards of {name}").get_by_role("radio", name=lie).check()
        self.button("Write it down").click()

    def fill(self, roller: str, *seats: int) -> None:
        """A round of dice in which these fill their areas."""
        self.button(f"{roller} throws").click()
        for seat in seats:
            self.button(f"{NAMES[seat]}: full").click()
        self.button("Done, next throw").click()


@pytest.fixture
def referee(opens: Opens) -> Referee:
    return Referee(opens("Ann", PHONE))


@pytest.mark.parametrize("game", ["extreme", "cubes"])
def test_a_match_on_one_phone_comes_to_what_the_rules_say(referee: Referee, address: str, game: str) -> None:
    page, seen = referee.page, referee.seen

    def look(what: str) -> None:
        """What both games have alike is looked at once."""
        if game == "extreme":
            seen.look(f"companion-{game}-{what}-375-light")

    referee.set_up(address, game)
    look("setup")
    referee.begin()
    expect(page.get_by_text("Good to know")).to_be_visible()
    seen.look(f"companion-{game}-prepare-375-light")

    referee.turn()
    expect(page.get_by_role("timer")).to_be_visible()
    # T14: which board somebody has, and of 3-D what was thrown, is in sight.
    for seat, one in enumerate(told(page)["seats"]):
        expect(page.locator(f"[data-seat='{seat}']")).to_contain_text(one["task"]["board"])
    if game == "cubes":
        expect(page.locator(".die")).to_contain_text(str(told(page)["dice"][0]["face"]))
    look("play")
    referee.claim(1, 0, 2)
    expect(page.get_by_text("Check each other’s boards")).to_be_visible()
    seen.look(f"companion-{game}-check-375-light")
    referee.go_on()

    referee.in_round(2)
    expect(page.get_by_text("Won in the last round")).to_be_visible()
    seen.look(f"companion-{game}-won-375-light")
    referee.turn()
    referee.claim(2, 1)
    referee.take_back(2)
    referee.go_on()

    referee.in_round(3)
    referee.turn()
    expect(page.get_by_role("timer")).to_be_visible()
    # The sand runs and nobody has finished: there is nothing to go on to.
    expect(page.locator(".go")).to_have_count(0)
    referee.claim(0)
    referee.go_on()

    # Off the network: the glass runs on, and what is tapped is sent after it.
    referee.in_round(4)
    referee.turn()
    expect(page.get_by_role("timer")).to_be_visible()
    seen.context.set_offline(True)
    expect(page.get_by_text("No connection. Keep tapping")).to_be_visible()
    left = page.get_by_role("timer").text_content()
    expect(page.get_by_role("timer")).not_to_have_text(left or "")
    referee.claim(2, 0)
    referee.go_on()
    expect(page.get_by_text("5 taps will be sent")).to_be_visible()
    look("offline")
    assert told_seats(page) == [None] * 3, "nothing has come through"
    seen.context.set_offline(False)
    referee.in_round(5)
    seen.complaints[:] = [one for one in seen.complaints if "ERR_INTERNET_DISCONNECTED" not in one]

    for number in range(5, 10):
        referee.in_round(number)
        referee.turn()
        referee.claim(number % 3)
        referee.go_on()
    standing, playoff = page.locator("main ol li"), page.get_by_role("heading", name="Play-off")
    expect(standing.or_(playoff).first).to_be_visible()
    if playoff.count():
        # Which gems come is luck, and so is a tie.
        among = told(page)["among"]
        referee.turn(among)
        referee.claim(among[0])
        referee.go_on(among)
        expect(standing.first).to_be_visible()
    look("final")

    found = told(page)
    again = Match(game, 3, found["seed"], companion=True, ready_s=0, end="pass")
    for seat, move in referee.said:
        again.ask(seat, move)
    assert again.table.phase == "over"
    assert [[*seat.gems] for seat in again.table.seats] == [seat["gems"] for seat in found["seats"]]
    assert again.table.standing is not None
    assert [[*place] for place in again.table.standing] == found["standing"]
    shown = page.locator("main ol .total").all_inner_texts()
    assert [int(total) for total in shown] == sorted(found["totals"], reverse=True)
    page.get_by_role("link", name="Watch again").click()
    expect(
        page.get_by_role("button", name="Play", exact=True).or_(page.get_by_role("button", name="Pause"))
    ).to_be_visible()


@pytest.mark.parametrize("game", ["extreme", "cubes"])
def test_a_second_chance_is_for_when_the_sand_is_out_and_can_be_undone(
    referee: Referee, address: str, game: str
) -> None:
    page, both = referee.page, (0, 1)
    glass = {"companion": True, "end": "pass", "ready_s": 0, "hourglass_s": 1}
    key = table_of(referee.seen, address, game, 2, [], **glass).removeprefix(f"{address}t/")
    page.request.put(f"{address}api/tables/{key}/seats/1", data={"name": "Bo"}, headers=ONCE)
    page.request.post(f"{address}api/tables/{key}/start", headers=ONCE)
    undo, second = referee.button("Undo the second chance"), page.get_by_text("Second chance:")
    referee.turn(both)
    expect(page.get_by_text("Stop! The sand has run out.")).to_be_visible()
    referee.go_on(both)
    expect(second).to_be_visible()
    if game == "extreme":
        referee.seen.look("companion-extreme-second-375-light")
    undo.click()
    expect(second).to_have_count(0)
    referee.go_on(both)
    expect(second).to_be_visible()
    referee.claim(0)
    expect(undo).to_have_count(0)
    referee.take_back(0)
    expect(undo).to_be_visible()
    referee.claim(0)
    # In Extreme that was all: nobody is offered what would be refused.
    expect(page.get_by_role("button", name=": finished")).to_have_count(0 if game == "extreme" else 1)
    referee.go_on(both)
    referee.in_round(2)


def test_what_was_tapped_survives_a_reload(referee: Referee, address: str) -> None:
    page = referee.page
    cut = False
    lines: list[WebSocketRoute] = []

    def connect(line: WebSocketRoute) -> None:
        lines.append(line)
        if cut:
            line.close(code=1012)
        else:
            line.connect_to_server()

    page.route_web_socket(re.compile("/ws/tables/"), connect)
    referee.set_up(address, "extreme")
    referee.begin()
    referee.turn()
    expect(page.get_by_role("timer")).to_be_visible()
    cut = True
    lines[-1].close(code=1012)
    referee.claim(2)
    expect(page.get_by_text("1 tap will be sent")).to_be_visible()
    page.reload()
    expect(page.get_by_text("Connection lost")).to_be_visible()
    assert told_seats(page) == [None] * 3
    cut = False
    expect(page.locator("[data-seat='2']")).to_contain_text("1st")
    expect(page.locator("[data-seat='2'] .gem").first).to_be_visible()
    assert [called is not None for called in told_seats(page)] == [False, False, True]


def test_cards_and_dice_on_one_phone(referee: Referee, address: str) -> None:
    """Cards that are counted by hand, and areas of dice, to the end: points and places are those of the books."""
    page, seen = referee.page, referee.seen
    referee.set_up(address, "cards")
    referee.begin()
    expect(page.get_by_text("Deal everyone nine cards with a white 1")).to_be_visible()
    seen.look("companion-cards-prepare-375-light")
    referee.button("Begin").click()
    # A slip: all lay on, and what was written after it is not left over for the next call.
    referee.button("Cy: Ubongo!").click()
    page.get_by_role("radiogroup", name="Cards of Ann").get_by_role("radio", name="4").check()
    referee.button("Take back: Cy").click()
    referee.button("Bo: Ubongo!").click()
    expect(page.get_by_text("Stop laying.")).to_be_visible()
    expect(page.get_by_role("radiogroup", name="Cards of Ann").get_by_role("radio", checked=True)).to_have_count(0)
    page.get_by_role("radiogroup", name="Cards of Ann").get_by_role("radio", name="5").check()
    referee.page.locator("[data-seat='2']").get_by_role("button", name="called too").click()
    page.get_by_role("radiogroup", name="Cards of Cy").get_by_role("radio", name="Something wrong").check()
    seen.look("companion-cards-count-375-light")
    referee.button("Write it down").click()
    expect(page.get_by_text("Round 2 of 6")).to_be_visible()
    assert [seat["points"] for seat in told(page)["seats"]] == [[5], [10], [0]]
    expect(page.get_by_text("turns the same nine cards over, so that the black 2")).to_be_visible()
    referee.end_together(2, "720")
    expect(page.locator("[data-seat='0']")).to_contain_text("5 + 7")
    assert [seat["points"] for seat in told(page)["seats"]] == [[5, 7], [10, 2], [0, 0]]
    for number in range(3, 7):
        referee.end_together(number, "333")
    expect(page.get_by_role("heading", name="Bo wins")).to_be_visible()
    assert (told(page)["totals"], told(page)["standing"]) == ([24, 24, 12], [[1], [0], [2]]), "K19: Bo has a ten"
    assert page.get_by_role("link", name="Watch again").count() == 0, "nobody has seen the cards"

    referee.set_up(address, "dice")
    referee.begin()
    expect(page.get_by_role("button", name="Ann throws")).to_be_visible()
    seen.look("companion-dice-prepare-375-light")
    page.get_by_role("button", name="Ann throws").click()
    referee.button("Cy: full").click()
    referee.button("Bo: full").click()
    referee.button("Bo: full").click()
    seen.look("companion-dice-enter-375-light")
    referee.button("Done, next throw").click()
    expect(page.locator("[data-seat='2']")).to_contain_text("has filled it and is waiting")
    referee.fill("Bo", 0)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Area 2")
    assert [seat["points"] for seat in told(page)["seats"]] == [[2], [1], [3]]
    referee.fill("Cy", 1)
    expect(page.locator("[data-seat='1']")).to_contain_text("has filled it and is waiting")
    referee.fill("Ann", 0, 2)
    for roller in ("Bo", "Cy", "Ann", "Bo"):
        referee.fill(roller, 0, 1, 2)
    expect(page.get_by_role("heading", name="Cy wins")).to_be_visible()
    assert (told(page)["totals"], told(page)["standing"]) == ([16, 16, 17], [[2], [0, 1]]), "W18: they share the place"


def test_everyone_with_their_own_phone(opens: Opens, address: str) -> None:
    """Each speaks for themselves, the host for who has none; a wide screen by night, in German."""
    ann, bo = Referee(opens("Ann", DESK, "dark")), opens("Bo", PHONE, "dark")
    ann.set_up(address, "extreme")
    ann.page.get_by_role("radio", name="One each").check()
    ann.seen.look("companion-extreme-own-1400-dark")
    ann.button("Open the table").click()
    expect(ann.page).to_have_url(re.compile("/t/"))
    bo.page.goto(ann.page.url)
    bo.page.get_by_role("button", name="Take a seat").click()
    free = ann.page.get_by_role("textbox", name="Name")
    expect(free).to_have_count(1)
    free.fill("Cy")
    ann.button("Without a phone").click()
    expect(bo.page.get_by_text("no phone: the host taps")).to_be_visible()
    ann.seen.look("companion-extreme-gather-1400-dark")
    bo.look("companion-extreme-gather-375-dark")
    ann.button("Start").click()
    ann.button("Turn the hourglass").click()
    expect(ann.page.get_by_text("Waiting for Bo")).to_be_visible()
    ann.seen.look("companion-extreme-prepare-1400-dark")
    bo.page.get_by_role("button", name="Turn the hourglass").click()
    bo.page.get_by_role("button", name="Bo: finished").click()
    expect(ann.page.locator("[data-seat='1']")).to_contain_text("1st")
    expect(bo.page.get_by_role("button", name="finished")).to_have_count(0)
    expect(ann.page.get_by_role("button", name=": finished")).to_have_count(2)
    ann.button("Cy: finished").click()
    ann.seen.look("companion-extreme-play-1400-dark")
    bo.look("companion-extreme-play-375-dark")


def test_a_printed_board_by_its_code(browser: Browser, address: str) -> None:
    seen = Seen(browser, PHONE, "dark")
    page = seen.page
    for game, board, task in (("extreme", "17", "Red"), ("cubes", "A25", "3|4")):
        known = page.request.get(f"{address}api/games", headers=ONCE).json()
        edition = next(one["editions"][0] for one in known if one["game"] == game)
        page.goto(f"{address}b/{edition}/{board}")
        expect(page.get_by_role("heading", level=1)).to_contain_text(f"Board {board}")
        page.get_by_role("button", name="Turn the hourglass").click()
        page.locator("section.panel").get_by_role("button", name=task).first.click()
        page.get_by_role("button", name="Solution").click()
        assert page.locator(".picture .tile, .picture .cube").count() == 0, "one tap does not give it away"
        seen.look(f"board-{game}-375-dark")
        page.get_by_role("button", name="Yes, show it").click()
        expect(page.get_by_text("This is the one in the booklet")).to_be_visible()
        seen.look(f"board-{game}-solution-375-dark")
    page.goto(f"{address}b/extreme-000000000000/1")
    expect(page.get_by_role("alert")).to_be_visible()
    seen.complaints[:] = [one for one in seen.complaints if "404" not in one]
    seen.close()


def told_seats(page: Page) -> list[Any]:
    """Whether the server has heard of anybody who finished."""
    return [seat["called"] for seat in told(page)["seats"]]

"""The dice game in real browsers: thrown, grabbed by mouse, finger and keys, entered, to the final standing."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any
from urllib.parse import urlsplit

import msgspec
import pytest
from playwright.sync_api import Browser, Page, expect
from websockets.sync.client import ClientConnection, connect

from tests.browser.friends import two_at_a_table, with_bots
from tests.browser.hands import Hands, entries, fits, on_squares
from tests.browser.leaping import Lived
from tests.browser.reach import known_pieces, recorded, told, until
from tests.browser.seen import DESK, PATIENCE, PHONE, Opens, Seen
from ubongo.table import Millis

# Long enough for a slow machine: a phase ends when both are done.
CALM = {"grab_s": 900, "enter_s": 900, "ready_s": 0}
SECOND = Millis(1000)


def in_an_area(address: str, ann: Seen, bo: Seen, **options: Any) -> None:
    two_at_a_table(address, ann, bo, "dice", **{**CALM, **options})
    for person in (ann, bo):
        expect(person.page.get_by_role("heading", name="Area 1", exact=True)).to_be_visible()


def die(page: Page, number: int) -> Any:
    return page.get_by_role("button", name=f"die {number}: ")


def entering(page: Page) -> None:
    expect(page.get_by_role("button", name="Done", exact=True)).to_be_visible()


def in_pool(page: Page, number: int) -> None:
    """So many dice lie there still."""
    expect(page.locator("button.spot")).to_have_count(number)


def hands(page: Page, seat: int) -> Hands:
    return Hands(page, seat, on_squares)


def on_the_sheet(page: Page, number: int) -> None:
    expect(page.locator("svg.mine .laid")).to_have_count(number)


def test_two_play_rounds_by_mouse_finger_and_keys(opens: Opens, address: str) -> None:
    ann, bo = opens("Ann"), opens("Bo", PHONE, "dark", has_touch=True)
    asked: list[str] = []
    bo.page.on("request", lambda request: asked.append(request.url) if "/sheets/" in request.url else None)
    in_an_area(address, ann, bo)
    expect(bo.page.get_by_text("Ann throws")).to_be_visible()
    ann.look("dice-throw-1400-light")
    bo.look("dice-wait-375-dark")
    ann.page.get_by_role("button", name="Throw the dice").click()
    in_pool(bo.page, 4)
    # W7: one black and one white each; what somebody has is gone, and what I may not take is pale.
    die(ann.page, 1).click()
    expect(bo.page.get_by_text("Ann has taken a black one")).to_be_visible()
    in_pool(ann.page, 3)
    expect(die(ann.page, 2)).to_be_disabled()
    expect(die(bo.page, 2)).to_be_enabled()
    expect(ann.page.get_by_text("a white one", exact=True)).to_be_visible()
    ann.look("dice-grab-1400-light")
    bo.look("dice-grab-375-dark")
    bo.page.keyboard.press("1")
    expect(bo.page.get_by_text("Ann was faster.")).to_be_visible()
    die(bo.page, 2).tap()
    die(bo.page, 3).tap()
    die(ann.page, 4).click()
    # Entered by mouse, and by finger.
    for person in (ann, bo):
        entering(person.page)
    # Two long shapes do not always fit beside each other, even into an empty area.
    first = entries(ann.page, 0)
    for entry in first:
        hands(ann.page, 0).by_mouse(entry)
    on_the_sheet(ann.page, len(first))
    second = entries(bo.page, 1)
    for entry in second:
        hands(bo.page, 1).by_finger(entry)
    on_the_sheet(bo.page, len(second))
    # W9: until it is ink it can be lifted, here by a tap on its die; it stays turned as it lay.
    ann.page.locator(f"[data-piece='{first[0].piece}']").click()
    on_the_sheet(ann.page, len(first) - 1)
    ann.look("dice-enter-1400-light")
    hands(ann.page, 0).by_mouse(first[0]._replace(twists=""))
    on_the_sheet(ann.page, len(first))
    bo.look("dice-enter-375-dark")
    ann.page.get_by_role("button", name="Done", exact=True).click()
    expect(bo.page.get_by_text("Ann is done")).to_be_visible()
    expect(ann.page.get_by_text("Waiting for Bo")).to_be_visible()
    ann.look("dice-done-1400-light")
    bo.page.get_by_role("button", name="Done", exact=True).tap()
    second_round_by_keyboard_alone(ann, bo, len(first))
    assert len(asked) == 1, "the areas to come are asked for once, however often the table changes"


def second_round_by_keyboard_alone(ann: Seen, bo: Seen, ink: int) -> None:
    """W5: now Bo throws. Ann grabs and enters by keys; what she entered before stays, also over a reload."""
    page = ann.page
    bo.page.get_by_role("button", name="Throw the dice").tap()
    in_pool(page, 4)
    page.keyboard.press("2")
    page.keyboard.press("3")
    in_pool(page, 2)
    # As the server has it, too: a page shows at once what it only hopes for.
    until(page, lambda table: sum(one["taken"] is not None for one in table["dice"]) == 2)
    page.reload()
    in_pool(page, 2)
    expect(page.get_by_text("yours", exact=True)).to_have_count(2)
    die(bo.page, 1).tap()
    die(bo.page, 4).tap()
    entering(page)
    expect(page.locator("svg.mine .tile.ink")).to_have_count(ink)
    page.mouse.click(*hands(page, 0).over(covered(page)))
    on_the_sheet(page, ink)
    found = entries(page, 0)
    done = page.get_by_role("button", name="Done", exact=True)
    for entry in found:
        # Whatever has the focus: as long as there is a shape in the hand, Enter enters it.
        done.focus()
        hands(page, 0).by_keys(entry)
    laid = ink + len(found)
    on_the_sheet(page, laid)
    faces = page.locator("svg.mine .laid .face").evaluate_all("all => all.map((one) => one.getAttribute('d'))")
    recorded(page, laid)
    page.reload()
    on_the_sheet(page, laid)
    assert page.locator("svg.mine .laid .face").evaluate_all("all => all.map((one) => one.getAttribute('d'))") == faces
    expect(page.locator("svg.mine .tile.ink")).to_have_count(ink)
    while not done.evaluate("one => one === document.activeElement"):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_text("Waiting for Bo")).to_be_visible()


def covered(page: Page) -> list[tuple[int, int]]:
    """The squares under the first shape that Ann has on her sheet."""
    known = known_pieces(page, "dice")
    me = told(page)["seats"][0]
    where = me["laid"][0]
    shape = known[me["task"]["pieces"][where["piece"]]]["shapes"][where["turn"]]
    return [(where["at"][0] + x, where["at"][1] + y) for x, y in shape]


class Swift:
    """A second line to somebody's seat: it plays as fast as the server answers, and their page looks on."""

    def __init__(self, line: ClientConnection) -> None:
        self.line = line
        self.line.send('{"type": "hello"}')
        welcome = msgspec.json.decode(self.line.recv())
        self.table: dict[str, Any] = welcome["table"]
        self.seat: int = welcome["seat"]
        self.asked = 0

    def ask(self, **move: Any) -> None:
        self.asked += 1
        self.line.send(msgspec.json.encode({"type": "ask", "n": self.asked, "move": move}).decode())
        while True:
            said = self.hear()
            assert said["type"] == "update", said
            if said["acked"] == self.asked:
                return

    def hear(self) -> dict[str, Any]:
        said: dict[str, Any] = msgspec.json.decode(self.line.recv(timeout=PATIENCE / 1000))
        if said["type"] == "update":
            seats = said["table"].pop("seats", {})
            self.table.update(said["table"])
            for number, fields in seats.items():
                self.table["seats"][int(number)].update(fields)
        return said

    def until(self, **fields: Any) -> None:
        while any(self.table[name] != value for name, value in fields.items()):
            self.hear()

    @property
    def me(self) -> dict[str, Any]:
        seat: dict[str, Any] = self.table["seats"][self.seat]
        return seat


def line_of(person: Seen) -> AbstractContextManager[ClientConnection]:
    link = urlsplit(person.page.url)
    cookies = "; ".join(f"{one['name']}={one['value']}" for one in person.context.cookies())
    address = f"ws://{link.netloc}/ws/tables/{link.path.removeprefix('/t/')}"
    return connect(address, additional_headers={"Cookie": cookies}, open_timeout=PATIENCE / 1000)


def play_swiftly(players: list[Swift], people: list[Seen], known: dict[str, Any], areas: int) -> None:
    """Rounds until so many areas are over. Both take the smallest shapes and enter whatever fits."""
    while players[0].table["area"] <= areas:
        number, area = players[0].table["round"], players[0].table["area"]
        roller = players[players[0].table["roller"]]
        roller.until(phase="throw", round=number)
        roller.ask(type="throw")
        for before, player in enumerate(players):
            player.until(round=number, phase="grab")
            while sum(one["taken"] is not None for one in player.table["dice"]) < 2 * before:
                player.hear()
            for colour in ("black", "white"):
                dice = [i for i, one in enumerate(player.table["dice"]) if one["colour"] == colour]
                free = [i for i in dice if player.table["dice"][i]["taken"] is None]
                player.ask(type="grab", die=min(free, key=lambda i: player.table["dice"][i]["face"][1:]))
        for player in players:
            player.until(round=number, phase="enter")
            for piece, _, turn, at, _ in fits(player.me, known):
                player.ask(type="place", piece=piece, turn=turn, at=at)
        for player in players:
            player.ask(type="pass")
        for player in players:
            player.until(round=number + 1, phase="throw")
        if players[0].table["area"] > area:
            # A slow page is waited for, before it has so much to catch up on that it takes its line for dead.
            for person in people:
                expect(person.page.get_by_role("heading", name=f"Area {area + 1}", exact=True)).to_be_visible()


def test_a_match_to_the_final_standing(opens: Opens, address: str) -> None:
    ann, bo = opens("Ann"), opens("Bo", PHONE)
    in_an_area(address, ann, bo, areas=5)
    with line_of(ann) as one, line_of(bo) as other:
        play_swiftly([Swift(one), Swift(other)], [ann, bo], known_pieces(ann.page, "dice"), 4)
    table = told(ann.page)
    assert table["area"] == 5
    for person in (ann, bo):
        page = person.page
        expect(page.get_by_role("heading", name="Area 5", exact=True)).to_be_visible()
        expect(page.get_by_role("heading", name="Area 4 is over")).to_be_visible()
        # The whole sheet is in view, with what was entered and what it gave.
        expect(page.locator(".strip .small")).to_have_count(5)
        expect(page.locator(".strip .tile.ink").first).to_be_attached()
    points = [str(one) for one in table["seats"][0]["points"]]
    assert [text.strip()[:1] for text in ann.page.locator(".strip b").all_inner_texts()[:4]] == points
    ann.look("dice-over-1400-light")
    bo.look("dice-over-375-light")
    # W17: the last one is given up, by both.
    ann.page.get_by_role("button", name="Give up this area").click()
    expect(bo.page.get_by_text("Ann offers to give up this area")).to_be_visible()
    bo.page.get_by_role("button", name="Give up this area").click()
    for person in (ann, bo):
        expect(person.page.get_by_role("heading", name="Points by area")).to_be_visible()
        expect(person.page.locator("ol li")).to_have_count(2)
        expect(person.page.get_by_text("Watching")).to_have_count(0)
    expect(ann.page.get_by_text("The match is over", exact=True)).to_be_visible()
    totals = [sum(seat["points"]) for seat in table["seats"]]
    assert sorted(ann.page.locator("ol .total").all_inner_texts()) == sorted(map(str, totals))
    ann.look("dice-final-1400-light")
    bo.page.emulate_media(color_scheme="dark")
    bo.look("dice-final-375-dark")
    # Who has played needs no first lesson.
    bo.page.goto(f"{address}learn")
    expect(bo.page.locator("main small")).to_have_count(1)
    expect(bo.page.locator("li:has(a[href='/learn/dice']) small")).to_be_visible()
    # And watched again, what was given up was not full.
    ann.page.get_by_role("link", name="Watch again").click()
    expect(ann.page.get_by_role("slider")).to_be_visible()
    ann.page.keyboard.press("End")
    expect(ann.page.get_by_text("+0", exact=True)).to_have_count(2)
    expect(ann.page.locator(".seat.won")).to_have_count(0)


@pytest.mark.parametrize(
    ("size", "scheme", "language", "throw"),
    [
        (PHONE, "light", "de", "Würfel werfen"),
        (PHONE, "dark", "pl", "Rzuć kostkami"),
        (DESK, "dark", "en", "Throw the dice"),
    ],
)
def test_every_view_against_three_bots(
    browser: Browser, lived: Lived, size: tuple[int, int], scheme: str, language: str, throw: str
) -> None:
    """With friends: how we play, the table with bots, the throw, the grab and the entering."""
    address, clock = lived
    name = f"dice-{{}}-{size[0]}-{language}-{scheme}"
    seen = Seen(browser, size, scheme, language)
    page = seen.page
    with_bots(seen, address, "dice", language, chips=7, bots=3, name=name)
    page.get_by_role("button", name=throw).click()
    expect(page.locator(".need")).to_be_visible()
    seen.look(name.format("grab"))
    with clock.standing():
        for number in range(1, 9):
            page.keyboard.press(str(number))
        until(page, lambda table: sum(one["taken"] == 0 for one in table["dice"]) == 2)
    # Bots take their time to choose.
    while told(page)["phase"] == "grab":
        clock.leap(SECOND)
    expect(page.locator("[data-piece]").first).to_be_visible()
    # All three others are bots, and are seen to be: also where what they did is told.
    expect(page.locator(".story .avatar .face")).to_be_visible()
    dice = page.locator("[data-piece] .die")
    before = dice.first.bounding_box()
    for entry in entries(page, 0)[:1]:
        hands(page, 0).by_keys(entry)
    on_the_sheet(page, 1)
    assert dice.first.bounding_box() == before, "a die keeps its size, whatever is said below it"
    page.keyboard.press("2")
    expect(page.locator("svg.mine .hand")).to_have_count(1)
    seen.look(name.format("enter"))
    seen.close()

"""Who throws first is chosen by name (T8): at a table by its host, and by the one who sets up a game on paper."""

import re

from playwright.sync_api import expect

from tests.browser.seen import PHONE, Opens


def test_T8_the_host_chooses_one_of_those_who_are_there(opens: Opens, address: str) -> None:
    ann, bo = opens("Ann", PHONE), opens("Bo")
    page = ann.page
    page.goto(f"{address}#friends-dice")
    agreed = page.locator(".chips")
    agreed.get_by_role("button", name="More options").click()
    agreed.get_by_role("button", name="Ann throws first").click()
    expect(page.get_by_text("Who throws first?")).to_be_visible()
    expect(page.get_by_role("combobox", name="Who throws first?")).to_have_count(0)
    for limit in ("to grab dice", "to enter shapes", "until the throw"):
        agreed.get_by_role("button", name=limit).click()
        page.get_by_role("radio", name="No limit").check()
        expect(agreed.get_by_role("button", name=limit)).to_have_count(0)
    expect(agreed.get_by_role("button", name="No limit")).to_have_count(3)
    bo.page.goto(page.url)
    bo.page.get_by_role("button", name="Take a seat").click()
    agreed.get_by_role("button", name="Ann throws first").click()
    page.get_by_role("combobox", name="Who throws first?").select_option("Bo")
    bo.page.get_by_role("button", name="More options").click()
    expect(bo.page.locator(".chips")).to_contain_text("Bo throws first")
    ann.look("first-375-light")
    page.get_by_role("button", name="Start").click()
    expect(bo.page.get_by_role("button", name="Throw the dice")).to_be_visible()
    expect(page.get_by_role("button", name="Throw the dice")).to_have_count(0)


def test_T8_on_paper_too_and_names_are_entered_clockwise(opens: Opens, address: str) -> None:
    ann = opens("Ann", PHONE)
    page = ann.page
    page.goto(f"{address}companion/cubes")
    expect(page.get_by_text("clockwise, in the order you sit")).to_be_visible()
    first = page.get_by_role("combobox", name="Who throws first?")
    many = page.get_by_role("radiogroup", name="How many play")
    many.get_by_role("radio", name="3").check()
    for number, name in ((2, "Bo"), (3, "Cy")):
        page.get_by_role("textbox", name=f"Name {number}").fill(name)
    first.select_option("Cy")
    many.get_by_role("radio", name="2").check()
    expect(first.locator("option:checked")).to_have_text("Ann")
    first.select_option("Bo")
    ann.look("first-paper-375-light")
    page.get_by_role("button", name="Start", exact=True).click()
    expect(page).to_have_url(re.compile("/t/"))
    expect(page.get_by_role("button", name="Bo throws")).to_be_visible()

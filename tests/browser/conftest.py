"""A real browser that looks at a real server."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Playwright, expect, sync_playwright

from hatch_build import node_from_wheel
from tests.browser import chromium
from tests.browser.leaping import Lived, leaping
from tests.browser.seen import PATIENCE, PICTURES, Opens, Seen

expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    # Playwright brings a Node that wants a library (libatomic) which a bare Debian does not have; ours does not.
    os.environ["PLAYWRIGHT_NODEJS_PATH"] = str(node_from_wheel()[0])
    with sync_playwright() as playwright:
        yield playwright


def launched(playwright: Playwright, *flags: str) -> Iterator[Browser]:
    found = chromium.find(Path(playwright.chromium.executable_path))
    browser = playwright.chromium.launch(
        executable_path=found.program,
        args=[*chromium.FLAGS, *flags],
        ignore_default_args=chromium.unneeded_defaults(),
        env={**found.environment},
    )
    yield browser
    browser.close()


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    yield from launched(playwright)


@pytest.fixture(scope="session")
def large(playwright: Playwright) -> Iterator[Browser]:
    """The browser of somebody who likes text twice as large."""
    yield from launched(playwright, "--blink-settings=defaultFontSize=32")


@pytest.fixture(scope="session", autouse=True)
def pictures(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Where the tests leave what they saw, for people to look at, and note which views they have checked."""
    PICTURES.mkdir(exist_ok=True)
    Seen.takes_pictures = bool(request.config.getoption("--pictures"))
    folder = tmp_path_factory.getbasetemp()
    # All workers of a run have their folders in one.
    Seen.checked = (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "checked"
    Seen.checked.mkdir(exist_ok=True)


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lived]:
    """A server whose time goes by when a test says so."""
    with leaping(tmp_path_factory.mktemp("leaping")) as found:
        yield found


@pytest.fixture
def opens(browser: Browser, address: str) -> Iterator[Opens]:
    """People, each in a browser of their own; at the end none of their pages has complained."""
    people: list[Seen] = []

    def person(name: str, *looks: Any, on: Browser = browser, **more: Any) -> Seen:
        seen = Seen(on, *looks, **more)
        people.append(seen)
        seen.page.goto(address)
        # Who has no name yet is asked for one when it matters.
        if name:
            seen.page.get_by_role("button", name="Your name").click()
            seen.say_name(name)
        return seen

    yield person
    for seen in people:
        seen.close()

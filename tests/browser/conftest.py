"""A real browser that looks at a real server."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser import chromium


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = chromium.find(Path(playwright.chromium.executable_path))
        browser = playwright.chromium.launch(
            executable_path=found.program, args=chromium.FLAGS, env={**found.environment}
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def pictures() -> Path:
    """Where the tests leave what they saw, for people to look at."""
    folder = Path(__file__).parent / "pictures"
    folder.mkdir(exist_ok=True)
    return folder

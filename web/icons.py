"""Draws public/icon.svg as PNG, which phones need. The results are committed: run it after changing the icon.

.venv/bin/python -m web.icons
"""

import os
from pathlib import Path

from playwright.sync_api import sync_playwright

from hatch_build import WEB, node_from_wheel
from tests.browser import chromium

DRAWING = WEB / "public" / "icon.svg"
SIZES = (192, 512)


def target(size: int) -> Path:
    return DRAWING.with_name(f"icon-{size}.png")


def draw() -> None:
    os.environ["PLAYWRIGHT_NODEJS_PATH"] = str(node_from_wheel()[0])
    with sync_playwright() as playwright:
        found = chromium.find(Path(playwright.chromium.executable_path))
        browser = playwright.chromium.launch(
            executable_path=found.program, args=chromium.FLAGS, env={**found.environment}
        )
        for size in SIZES:
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(f"<style>body{{margin:0}}svg{{display:block}}</style>{DRAWING.read_text()}")
            page.screenshot(path=target(size))
        browser.close()


if __name__ == "__main__":
    draw()

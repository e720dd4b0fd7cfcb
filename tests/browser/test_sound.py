"""How loud the page is: chosen in the settings, heard at once, and remembered."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.reach import becomes
from tests.browser.seen import Seen

# The loudest that was struck since it was last looked at.
HEARD = """
window.loudest = 0;
const set = AudioParam.prototype.setValueAtTime;
AudioParam.prototype.setValueAtTime = function (value, at) {
  window.loudest = Math.max(window.loudest, value);
  return set.call(this, value, at);
};
"""


def test_the_volume_is_chosen_heard_and_remembered(browser: Browser, address: str) -> None:
    seen = Seen(browser)
    seen.context.add_init_script(HEARD)
    page = seen.page
    page.goto(address)
    page.get_by_role("button", name="Settings").click()
    volume = page.get_by_role("slider", name="Volume")
    expect(volume).to_have_value("100")
    volume.press("Home")
    volume.press("PageUp")
    for _ in range(8):
        volume.press("ArrowRight")
    expect(volume).to_have_value("50")
    expect(page.get_by_text("50%")).to_be_visible()
    becomes(page, "window.loudest > 0")
    half = page.evaluate("window.loudest")
    volume.press("End")
    becomes(page, f"window.loudest > {half}")
    assert page.evaluate("window.loudest") == pytest.approx(4 * half, rel=0.01)
    for _ in range(6):
        volume.press("ArrowLeft")
    page.reload()
    page.get_by_role("button", name="Settings").click()
    expect(volume).to_have_value("70")
    seen.look("settings-volume-1400-light")
    # Without sound there is nothing to be loud.
    page.get_by_role("radiogroup", name="Sound").get_by_role("radio", name="Off").check()
    expect(volume).to_have_count(0)
    seen.close()

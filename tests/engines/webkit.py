"""WebKit, by WebKitWebDriver: the WebDriver protocol over plain HTTP, to the small browser that comes with it."""

from __future__ import annotations

import base64
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.engines.driver import PATIENCE, SIZES, ActionsDriver, Failed, Hand, called, waited
from tests.engines.screen import running, screen
from tests.ports import free_port

PROGRAM = "WebKitWebDriver"
BROWSERS = "lib/*/webkit2gtk-4.*/MiniBrowser"
# A window with bars cannot be as narrow as a phone, so a click opens one without bars.
OPENS = """(width, height) => {
  addEventListener("click", () => open("about:blank", "", `popup,width=${width},height=${height}`), { once: true });
}"""

# WebKitGTK's driver has no touch: asked for it, it moves a mouse. The page is made to treat it as touch; all else is
# WebKit's. So WebKit's own reactions to touch (scroll, zoom) are not tested.
FINGER = """() => {
  Object.defineProperty(PointerEvent.prototype, "pointerType", { get: () => "touch" });
}"""


def browser() -> Path | None:
    """The browser that the driver controls; it is not on the PATH."""
    return next(iter(sorted(Path("/usr").glob(BROWSERS))), None)


class WebKit(ActionsDriver):
    def __init__(self, hand: Hand, line: httpx.Client) -> None:
        super().__init__(hand)
        self._line = line
        self._wheeled = 0
        options = {"binary": str(browser()), "args": ["--automation"]}
        asked = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        self._session = f"/session/{self.ask('POST', '/session', asked)['sessionId']}"

    def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        answer = self._line.request(method, path, json=body)
        value = answer.json()["value"]
        if not answer.is_success:
            raise Failed(f"{path}: {value['error']}: {value['message']}")
        return value

    def do(self, path: str, **body: Any) -> Any:
        return self.ask("POST", f"{self._session}/{path}", body)

    def look(self, path: str) -> Any:
        return self.ask("GET", f"{self._session}/{path}")

    def fit(self) -> None:
        """Resizes the window to the hand's viewport."""
        first: list[str] = self.look("window/handles")
        self.evaluate(OPENS, *SIZES[self.hand])
        self.move(50, 50)
        self.press()
        self.release()
        opened = waited(lambda: set(self.look("window/handles")).difference(first), "a window without bars")
        self.do("window", handle=opened.pop())

    def open(self, address: str) -> None:
        self.do("url", url=address)
        if self.hand == "touch":
            self.evaluate(FINGER)

    def evaluate(self, function: str, *arguments: Any) -> Any:
        return self.do("execute/sync", script=f"return {called(function, arguments)}", args=[])

    def wheel(self, down: int) -> None:
        # WebKit's driver takes the total wheel movement, and sends the difference to the last call.
        self._wheeled += down
        super().wheel(self._wheeled)

    def perform(self, source: dict[str, Any]) -> None:
        self.do("actions", actions=[source])

    def picture(self) -> bytes:
        return base64.b64decode(waited(self._screenshot, "a screenshot"))

    def _screenshot(self) -> str:
        # On a busy machine the driver sometimes fails to take one ('unknown error'); the page is as it was.
        try:
            taken: str = self.look("screenshot")
        except Failed:
            return ""
        return taken

    def close(self) -> None:
        self.ask("DELETE", self._session)


@contextmanager
def webkit(hand: Hand) -> Iterator[WebKit]:
    with tempfile.TemporaryDirectory(prefix="ubongo-webkit-", ignore_cleanup_errors=True) as name, free_port() as port:
        folder = Path(name)
        command = [PROGRAM, "--host=127.0.0.1", f"--port={port}"]
        with (
            screen(folder) as display,
            running(command, display, folder / "webkit.log"),
            httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as line,
        ):
            waited(lambda: listens(line), "WebKitWebDriver to listen")
            driver = WebKit(hand, line)
            try:
                driver.fit()
                yield driver
            finally:
                driver.close()


def listens(line: httpx.Client) -> bool:
    try:
        return line.get("/status").is_success
    except httpx.TransportError:
        return False

"""Firefox, by WebDriver BiDi, which it supports directly, so there is no separate driver."""

from __future__ import annotations

import base64
import json
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.engines.driver import PATIENCE, SIZES, ActionsDriver, Failed, Hand, called, waited
from tests.engines.screen import running, screen

PROGRAM = "firefox-esr"
PREFERENCES = {
    # Without a touch screen Firefox would send no touch events.
    "dom.w3c_touch_events.enabled": 1,
    # Firefox loads nothing except our page.
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "services.settings.server": "data:,",
}


class Firefox(ActionsDriver):
    def __init__(self, hand: Hand, line: ClientConnection) -> None:
        super().__init__(hand)
        self._line = line
        self._asked = 0
        self.ask("session.new", capabilities={})
        self._context = self.ask("browsingContext.getTree")["contexts"][0]["context"]
        width, height = SIZES[hand]
        size = {"width": width, "height": height}
        self.ask("browsingContext.setViewport", context=self._context, viewport=size, devicePixelRatio=1)

    def ask(self, method: str, **parameters: Any) -> Any:
        self._asked += 1
        self._line.send(json.dumps({"id": self._asked, "method": method, "params": parameters}))
        while True:
            said = json.loads(self._line.recv(PATIENCE))
            if said.get("id") == self._asked:
                break
        if said["type"] == "error":
            raise Failed(f"{method}: {said['error']}: {said['message']}")
        return said["result"]

    def open(self, address: str) -> None:
        self.ask("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def evaluate(self, function: str, *arguments: Any) -> Any:
        # As text: BiDi describes its own values field by field.
        call = f"Promise.resolve({called(function, arguments)}).then((found) => JSON.stringify(found ?? null))"
        answer = self.ask("script.evaluate", expression=call, target={"context": self._context}, awaitPromise=True)
        if answer["type"] != "success":
            raise Failed(answer["exceptionDetails"]["text"])
        return json.loads(answer["result"]["value"])

    def perform(self, source: dict[str, Any]) -> None:
        self.ask("input.performActions", context=self._context, actions=[source])

    def picture(self) -> bytes:
        return base64.b64decode(self.ask("browsingContext.captureScreenshot", context=self._context)["data"])


@contextmanager
def firefox(hand: Hand) -> Iterator[Firefox]:
    with tempfile.TemporaryDirectory(prefix="ubongo-firefox-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        profile = folder / "profile"
        profile.mkdir()
        lines = [f"user_pref({json.dumps(key)}, {json.dumps(value)});\n" for key, value in PREFERENCES.items()]
        (profile / "user.js").write_text("".join(lines))
        log = folder / "firefox.log"
        command = [PROGRAM, "--no-remote", "--remote-debugging-port", "0", "--profile", str(profile)]
        with screen(folder) as display, running(command, display, log):
            found = waited(lambda: re.search(r"BiDi listening on (ws://\S+)", log.read_text()), "Firefox to listen")
            with connect(f"{found[1]}/session", max_size=None, open_timeout=PATIENCE) as line:
                yield Firefox(hand, line)

"""The others at a table, who need no page: they play over the wire, and know the answers."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from tests.browser.alone import entries_for
from tests.browser.leaping import LeapingClock
from tests.browser.seen import Seen
from tests.server.people import Device, Person, table_for
from ubongo.server.wire.admission import COOKIE

NAMES = ("Ann", "Bo", "Cy", "Di")
# Long enough for a slow machine: a phase ends when everybody is done.
CALM: dict[str, dict[str, Any]] = {
    "extreme": {"hourglass_s": 900},
    "cubes": {"hourglass_s": 900},
    "cards": {},
    "dice": {"grab_s": 900, "enter_s": 900},
}


def has_turned(times: int, table: dict[str, Any]) -> bool:
    return bool(table["phase"] == "play" and table["glass"]["turned"] == times)


def known_as(person: Person, seen: Seen) -> None:
    """Whatever that browser opens from now on, it is theirs."""
    seen.context.add_cookies([{"name": COOKIE, "value": person.token, "url": person.address}])
    known = json.dumps({"name": person.name, "known": True})
    seen.context.add_init_script(f"localStorage.ubongo ??= {json.dumps(known)}")


class Others:
    """Some people at a table of their own, the first as host. They may have come from another table."""

    def __init__(
        self,
        address: str,
        people: int | list[Person] = 2,
        game: str = "extreme",
        start: bool = True,
        **options: Any,
    ) -> None:
        self.people = people if isinstance(people, list) else [Person(address, name) for name in NAMES[:people]]
        options = {**CALM[game], "ready_s": 0, **options}
        self.key = table_for(*self.people, game=game, start=start, options=options)
        self.devices = [person.sit_at(self.key) for person in self.people]
        self.round = 0

    def show(self, seat: int, seen: Seen) -> None:
        """One of them looks at a page, too."""
        person = self.people[seat]
        known_as(person, seen)
        seen.page.goto(f"{person.address}/t/{self.key}")

    def throw(self) -> None:
        """Whoever's turn it is throws."""
        self.devices[0].see(lambda table: table["phase"] == "throw")
        self.devices[self.devices[0].table["roller"]].ask(type="throw")

    def grab(self) -> None:
        """Dice: one of each colour for everybody, as they lie."""
        number = len(self.devices)
        for seat, device in enumerate(self.devices):
            device.see(lambda table: table["phase"] == "grab")
            for die in (seat, number + seat):
                device.ask(type="grab", die=die)

    def enter(self, seat: int) -> None:
        """Dice: what has been grabbed goes where it fits."""
        device = self.devices[seat]
        device.see(lambda table: table["phase"] == "enter")
        for move in entries_for(device):
            device.ask(**move)

    def ready(self, seat: int) -> None:
        """One of them says so, once they are asked."""
        device = self.devices[seat]
        device.see(lambda table: table["phase"] == "ready" and not table["seats"][seat]["ready"])
        device.ask(type="ready")

    def begin_round(self) -> None:
        self.round += 1
        for device in self.devices:
            device.see(lambda table: table["round"] == self.round and table["phase"] == "ready")
            device.ask(type="ready")
        for device in self.devices:
            device.see(lambda table: table["phase"] == "play")

    def run_out(self, clock: LeapingClock, hourglass_s: int) -> None:
        """Nobody solves the round, nor in the second chance."""
        for times in (1, 2):
            self.devices[1].see(partial(has_turned, times))
            clock.leap(hourglass_s * 1000)

    def play_round(self) -> None:
        """All of them solve it, one after the other."""
        self.begin_round()
        for device in self.devices:
            device.solve()

    def lay(self, seat: int, number: int) -> None:
        """So many pieces of a solution, from the first on."""
        device: Device = self.devices[seat]
        for move in device.solution()[:number]:
            device.ask(**move)

    def end(self) -> None:
        """All but the first leave, and the match is over."""
        for person in self.people[1:]:
            person.post(f"/tables/{self.key}/leave")
        self.devices[0].see(lambda table: table["phase"] == "over")
        for device in self.devices:
            device.hang_up()

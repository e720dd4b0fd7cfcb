"""All routes below `/api`."""

from __future__ import annotations

from litestar import Router
from litestar.di import Provide

from ubongo.server.http.boards import BoardRoutes
from ubongo.server.http.daily import DayRoutes
from ubongo.server.http.devices import DeviceRoutes
from ubongo.server.http.games import GameRoutes
from ubongo.server.http.guests import GuestRoutes, guest_of, key_of
from ubongo.server.http.history import HistoryRoutes
from ubongo.server.http.profile import OwnRoutes
from ubongo.server.http.records import RecordRoutes, ResultRoutes
from ubongo.server.http.tables import TableRoutes


def api() -> Router:
    return Router(
        "/api",
        route_handlers=[
            GuestRoutes,
            GameRoutes,
            TableRoutes,
            RecordRoutes,
            OwnRoutes,
            ResultRoutes,
            DayRoutes,
            BoardRoutes,
            HistoryRoutes,
            DeviceRoutes,
        ],
        dependencies={"guest": Provide(guest_of), "key": Provide(key_of)},
    )

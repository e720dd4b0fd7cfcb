"""Constructs the server's objects, starts and stops them, and runs their maintenance every few seconds."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Mapping

from ubongo.server.clock import Clock, Timestamp
from ubongo.server.cluster.news import News, NoNews
from ubongo.server.cluster.single_server import RunningCluster, SingleServer
from ubongo.server.garbage_collection import GarbageCollection
from ubongo.server.http.bounded_http import HttpLimits
from ubongo.server.http.games import add_editions
from ubongo.server.http.print_cache import PrintCache
from ubongo.server.http.public_list import PublicList
from ubongo.server.lobby.bans import Bans
from ubongo.server.lobby.bot_seats import BotSeats
from ubongo.server.lobby.commit_listener import CommitListener
from ubongo.server.lobby.identity import Guests
from ubongo.server.lobby.key_guessing import GuessLimit
from ubongo.server.lobby.lobby import Lobby
from ubongo.server.lobby.open_tables import TableLimits
from ubongo.server.lobby.registry import TableRegistry
from ubongo.server.lobby.rooms import Rooms
from ubongo.server.lobby.upkeep import archive_old_tables, end_finished_tables
from ubongo.server.metrics import Metrics
from ubongo.server.moderation.enforcer import Enforcer
from ubongo.server.rate_limit import AddressRateLimit, ConnectionLimit, NewcomerRateLimit
from ubongo.server.records.records import Records
from ubongo.server.settings import Settings
from ubongo.server.store import StoreError, Unreadable
from ubongo.server.store.disk_usage import DiskUsage
from ubongo.server.store.guest_store import GuestStore
from ubongo.server.store.lobby_store import LobbyStore
from ubongo.server.store.open_log import open_log
from ubongo.server.store.timekeeping import DAY, Timekeeping
from ubongo.server.throttled_log import ThrottledLog
from ubongo.server.wire.admission import Admission
from ubongo.server.wire.connections import Connections
from ubongo.server.wire.handoff import WorkerPlace
from ubongo.server.wire.listener import has_free_descriptor
from ubongo.server.wire.websocket import WebSockets
from ubongo.table import Millis
from ubongo.words import catalogue

TIDY_EVERY_S = 5
ARCHIVE_EVERY_S = 3600
NOTE_SEEN_EVERY_S = 60

log = logging.getLogger("ubongo.server")


class Services:
    """Everything that lives as long as the server, constructed here. Raises BadLog, BadEdition."""

    def __init__(
        self,
        settings: Settings,
        bots: Mapping[str, str],
        bot_seats: BotSeats,
        clock: Clock,
        place: WorkerPlace | None = None,
    ) -> None:
        self.settings = settings
        self.clock = clock
        self.bot_seats = bot_seats
        if settings.editions is not None:
            add_editions(settings.editions)
        self.metrics = Metrics(named=settings.workers > 1)
        self.log = open_log(settings, on_commit=self.metrics.committed)
        limits = TableLimits(settings.tables_per_guest, settings.tables_per_address, settings.tables)
        self.news: News = NoNews()
        self.registry = TableRegistry(LobbyStore(self.log), limits)
        self.cluster = self._cluster()
        self.commit_listener = CommitListener(clock, self.cluster, self.metrics.observe_broadcast)
        self.rooms = Rooms(clock, self.log, self.registry, bot_seats, self.cluster)
        self.bans = Bans(clock)
        self.guests = Guests(GuestStore(self.log), self.bans, bots.values(), clock.now)
        self.timekeeping = Timekeeping(clock, self.log)
        self.lobby = Lobby(
            clock,
            self.log,
            self.registry,
            self.rooms,
            bot_seats,
            self.cluster,
            self.bans,
            self.guests,
            self.timekeeping,
            bots,
        )
        self.public_list = PublicList(self.lobby)
        self.disk = DiskUsage(settings.max_disk)
        self.print_cache = PrintCache(settings.print_folder, clock, limited=settings.requests_rate > 0)
        self.records = Records(self.log)
        self.addresses = AddressRateLimit(settings.requests_rate, settings.requests_burst)
        self.newcomers = NewcomerRateLimit(settings.guests_rate if settings.requests_rate else 0, settings.guests_burst)
        self.openings = NewcomerRateLimit(
            settings.openings_rate if settings.requests_rate else 0, settings.openings_burst
        )
        self.guessing = GuessLimit(clock, self.registry, self.rooms)
        self.connection_limit = ConnectionLimit(settings.connections)
        self.throttled = ThrottledLog()
        self.http_limits = HttpLimits(settings, self.connection_limit, self.throttled)
        self.admission = Admission(settings, self.addresses, self.connection_limit, self.throttled, self.clock)
        self.connections = Connections(
            self.lobby, self.guessing, self.addresses, settings.moves_rate, settings.moves_burst, self.metrics
        )
        self.enforcer = Enforcer(self.lobby, self.connections)
        self.sockets = WebSockets(self.connections, self.admission, self.throttled, self.clock, place)
        self._collector = GarbageCollection()
        # Whether we have logged that no more files can be opened.
        self._full = False
        # When tables were last counted.
        self._counted = Timestamp(0)
        self._tasks: list[asyncio.Task[None]] = []

    def _cluster(self) -> RunningCluster:
        """Only servers whose log is in a database can share it."""
        if self.settings.postgres is None:
            return SingleServer()
        from ubongo.server.cluster.membership import Membership  # noqa: PLC0415 - a server with a file loads no driver
        from ubongo.server.cluster.news_nats import NatsNews  # noqa: PLC0415 - a server with a file loads no driver
        from ubongo.server.cluster.peers import PeerCluster  # noqa: PLC0415 - a server with a file loads no driver
        from ubongo.server.store.postgres import PostgresLog  # noqa: PLC0415 - a server with a file loads no driver

        assert isinstance(self.log, PostgresLog)
        if self.settings.nats is not None:
            self.news = NatsNews(self.settings.nats)
        return PeerCluster(Membership(self.log), self.news, self.clock, self.registry)

    async def open(self) -> None:
        # Read now, while files can be opened: refusals need it even when no more can be.
        catalogue("en")
        await self.log.start(self.commit_listener.recorded, self.commit_listener.lost)
        await self.timekeeping.open()
        with contextlib.suppress(Unreadable):
            await self.timekeeping.record_heartbeat()
        await self.cluster.open(self.rooms, self.connections)
        # The store logs what is damaged; the rest is served.
        with contextlib.suppress(Unreadable):
            await self.guests.count()
        await self.rooms.restore()
        await self.enforcer.look()
        await self.note_disk()
        try:
            await self.records.catch_up(archived=True)
        except StoreError as problem:
            log.warning("records cannot be updated now: %s", problem)
        log.info("open", extra={"tables": len(self.registry.lobby_tables), "guests": len(self.guests)})
        self._collector.open()
        watches = [
            self.sockets.open.watch(),
            self._tidy(),
            self._collector.watch(),
            self.enforcer.watch(),
            self.cluster.watch(),
        ]
        if self.sockets.handoff is not None:
            self.sockets.handoff.open()
            watches.append(self.sockets.handoff.watch())
        self._tasks = [asyncio.create_task(one) for one in watches]

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.bot_seats.close()
        if self.sockets.handoff is not None:
            self.sockets.handoff.close()
        await self.cluster.close()
        with contextlib.suppress(StoreError):
            await self.timekeeping.record_heartbeat()
        await self.log.close()
        self._collector.close()

    async def _tidy(self) -> None:
        turns = 0
        while True:
            await asyncio.sleep(TIDY_EVERY_S)
            self.connections.tidy()
            for limit in (self.addresses, self.newcomers, self.openings, self.guessing.misses):
                limit.tidy(self.clock.now())
            self.print_cache.tidy()
            self.public_list.tidy(self.clock.now())
            self.throttled.tidy(self.clock.now())
            self.bot_seats.tidy()
            self.note_file_limit()
            try:
                await self.timekeeping.synchronise()
                await self.note_disk()
                await end_finished_tables(self.lobby)
                await self.records.catch_up()
                turns = (turns + 1) % (ARCHIVE_EVERY_S // TIDY_EVERY_S)
                if self.cluster.shares_log and turns % (NOTE_SEEN_EVERY_S // TIDY_EVERY_S) == 0:
                    # Other servers erase guests who were not seen for long, and add new ones.
                    await self.guests.note_seen(self.clock.now())
                    await self.guests.count()
                if turns == 0:
                    # Not in the first hour: if the clock is wrong, that has been noticed by then.
                    await archive_old_tables(self.lobby, Millis(int(self.settings.keep_days * DAY)))
            except StoreError as problem:
                log.warning("maintenance has to wait: %s", problem)
            except Exception:
                # The loop goes on: without maintenance memory and disk would fill up.
                log.exception("maintenance failed")

    async def note_disk(self) -> None:
        """Measures the log. When it has reached `--max-disk`, no more tables are opened."""
        self.disk.note(await self.log.size(), self.clock.now())
        if self.disk.full and not self.registry.open_tables.out_of_space:
            log.error("the log takes %d bytes and has reached --max-disk: no new tables are opened", self.disk.used)
        self.registry.open_tables.out_of_space = self.disk.full

    def note_file_limit(self) -> None:
        """Logs that the process has reached its limit of open files: the event loop refuses connections silently."""
        full = not has_free_descriptor()
        if full and not self._full:
            log.error("no more files can be opened, so no client can connect; raise the limit: ulimit -n")
        self._full = full

    async def metrics_page(self) -> bytes:
        """Prometheus text. Tables are counted every few seconds at most, since anybody may ask."""
        now = self.clock.now()
        if now - self._counted >= TIDY_EVERY_S * 1000:
            self._counted = now
            self.metrics.count_tables(*await self._tables())
        self.metrics.measure_disk(self.disk)
        return self.metrics.page(len(self.guests), len(self.connections.open))

    async def _tables(self) -> tuple[dict[str, int], int]:
        """How many there are by state, and how many people play at them."""
        states = await self.registry.store.number_by_state()
        lobby_tables = list(self.registry.lobby_tables.values())
        # What is over is written down a moment later.
        over = sum(one.state == "over" and one.unfinished for one in lobby_tables)
        states = {**states, "over": states.get("over", 0) + over, "running": states.get("running", 0) - over}
        return states, sum(chair.player is not None for one in lobby_tables if one.playing for chair in one.plan.chairs)

"""Hears from the log which appends are durable and which are lost, and tells the matches they belong to."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence

from ubongo.server.clock import Clock
from ubongo.server.lobby.cluster_port import Cluster
from ubongo.server.store import Entry, StoreError
from ubongo.server.tables.pending_append import Appender, PendingAppend

log = logging.getLogger("ubongo.server.lobby.commit_listener")


class CommitListener:
    """`observe_latency` gets the seconds from the acceptance of a move to its broadcast."""

    def __init__(self, clock: Clock, cluster: Cluster, observe_latency: Callable[[float], None]) -> None:
        self._clock = clock
        self._cluster = cluster
        self._observe_latency = observe_latency

    def recorded(self, entries: Sequence[Entry]) -> None:
        for live_match, appends in _by_match(entries).items():
            try:
                live_match.committed(appends)
            except Exception:
                # A match that cannot be broadcast must not stop the others.
                log.exception("a committed append could not be broadcast")
            self._observe_latency((self._clock.now() - appends[0].accepted) / 1000)
            self._cluster.publish(live_match.key, live_match.version)

    def lost(self, entries: Sequence[Entry], problem: StoreError) -> None:
        for live_match, appends in _by_match(entries).items():
            live_match.lost(appends, problem)


def _by_match(entries: Sequence[Entry]) -> dict[Appender, list[PendingAppend]]:
    """Several appends of one match in one commit are one update."""
    matches: dict[Appender, list[PendingAppend]] = {}
    for entry in entries:
        assert isinstance(entry, PendingAppend)
        matches.setdefault(entry.live_match, []).append(entry)
    return matches

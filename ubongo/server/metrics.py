"""Metrics for Prometheus: numbers only, no names and no addresses."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric, generate_latest
from prometheus_client.core import CounterMetricFamily
from prometheus_client.registry import Collector

from ubongo.server.store.disk_usage import DiskUsage

_LATENCIES = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5)


class ProcessLabelled(Collector):
    """Adds the process to every metric: several processes may answer at one address."""

    def __init__(self, counted: CollectorRegistry) -> None:
        self._counted = counted

    def collect(self) -> Iterator[Metric]:
        process = str(os.getpid())
        for metric in self._counted.collect():
            metric.samples = [one._replace(labels={**one.labels, "process": process}) for one in metric.samples]
            yield metric


class LoopCounter(Collector):
    """A counter without a lock, for every move: only the event loop counts."""

    def __init__(self, name: str, what: str) -> None:
        self._name, self._what = name, what
        self.count = 0

    def collect(self) -> Iterator[Metric]:
        yield CounterMetricFamily(self._name, self._what, self.count)


class Metrics:
    """`named`: whether every metric has the label `process`."""

    def __init__(self, named: bool = False) -> None:
        self.registry = CollectorRegistry()
        self._shown = CollectorRegistry() if named else self.registry
        if named:
            self._shown.register(ProcessLabelled(self.registry))
        self._moves = LoopCounter("ubongo_moves", "Moves that were played")
        self.registry.register(self._moves)
        self._refusals = Counter("ubongo_refusals", "Moves that were refused", ["code"], registry=self.registry)
        self._unreadable = Counter("ubongo_unreadable", "Frames that say nothing", registry=self.registry)
        self._rows = Counter("ubongo_rows", "Rows of the log", registry=self.registry)
        self._tables = Gauge("ubongo_tables", "Tables by state", ["state"], registry=self.registry)
        self._seats = Gauge("ubongo_seats", "People's seats at running tables", registry=self.registry)
        self._guests = Gauge("ubongo_guests", "Guests that are known", registry=self.registry)
        self._connections = Gauge("ubongo_connections", "Open game sockets", registry=self.registry)
        self._disk = Gauge("ubongo_disk_bytes", "What the log takes on the disk", registry=self.registry)
        self._disk_limit = Gauge("ubongo_disk_limit_bytes", "What it may take, 0 for any", registry=self.registry)
        self._disk_growth = Gauge(
            "ubongo_disk_growth_bytes", "By how much it has grown in the last hour", registry=self.registry
        )
        self._commits = self._histogram("ubongo_commit_seconds", "Time of a commit")
        self._tells = self._histogram("ubongo_tell_seconds", "From a move's acceptance to its telling")

    def _histogram(self, name: str, what: str) -> Histogram:
        return Histogram(name, what, buckets=_LATENCIES, registry=self.registry)

    def moved(self) -> None:
        self._moves.count += 1

    def refused(self, code: str) -> None:
        self._refusals.labels(code).inc()

    def unreadable(self) -> None:
        self._unreadable.inc()

    def committed(self, rows: int, seconds: float) -> None:
        self._rows.inc(rows)
        self._commits.observe(seconds)

    def observe_broadcast(self, seconds: float) -> None:
        self._tells.observe(seconds)

    def count_tables(self, states: Mapping[str, int], seats: int) -> None:
        for state in ("gather", "running", "over", "abandoned"):
            self._tables.labels(state).set(states.get(state, 0))
        self._seats.set(seats)

    def measure_disk(self, disk: DiskUsage) -> None:
        self._disk.set(disk.used)
        self._disk_limit.set(disk.limit)
        self._disk_growth.set(disk.growth)

    def page(self, guests: int, connections: int) -> bytes:
        """Prometheus text."""
        self._guests.set(guests)
        self._connections.set(connections)
        return generate_latest(self._shown)

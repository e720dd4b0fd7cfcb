"""A server on a fake clock, and two solo players."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar.testing import TestClient

from tests.server.alone import SoloPlayer
from tests.server.fakes import FakeClock
from tests.server.guests import Client
from ubongo.server.app import build
from ubongo.server.settings import Settings


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def client(tmp_path: Path, clock: FakeClock) -> Iterator[Client]:
    with TestClient(build(tmp_path, Settings(db=tmp_path / "log.db"), clock)) as client:
        yield client


@pytest.fixture
def ann(client: Client, clock: FakeClock) -> SoloPlayer:
    return SoloPlayer(client, clock, "Ann")


@pytest.fixture
def bo(client: Client, clock: FakeClock) -> SoloPlayer:
    return SoloPlayer(client, clock, "Bo")

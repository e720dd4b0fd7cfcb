"""A lobby and two guests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar.testing import TestClient

from tests.server.asgi_socket import build_with_socket
from tests.server.guests import Client, Guest
from ubongo.server.settings import Settings


@pytest.fixture
def client(tmp_path: Path) -> Iterator[Client]:
    with TestClient(build_with_socket(tmp_path, Settings(db=tmp_path / "log.db"))) as client:
        yield client


@pytest.fixture(scope="module")
def lobby(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder = tmp_path_factory.mktemp("lobby")
    with TestClient(build_with_socket(folder, Settings(db=folder / "log.db"))) as client:
        yield client


@pytest.fixture
def anyone(lobby: Client) -> Client:
    """An unknown client of a lobby that is shared by the tests of a file that need no empty one."""
    lobby.cookies.clear()
    return lobby


@pytest.fixture
def ann(client: Client) -> Guest:
    return Guest(client, "Ann")


@pytest.fixture
def bo(client: Client) -> Guest:
    return Guest(client, "Bo")

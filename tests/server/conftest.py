import asyncio
from collections.abc import Iterator

import pytest
from litestar.testing import websocket_test_session

from tests.server.people import Person, hang_up_all
from ubongo.server import services


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def close_connections() -> Iterator[None]:
    yield
    hang_up_all()


@pytest.fixture(autouse=True, scope="module")
def no_background_upkeep() -> Iterator[None]:
    """Upkeep runs only when a test calls it: its timer of five seconds could fire in the middle of any test."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(services, "TIDY_EVERY_S", 3600)
        yield


@pytest.fixture(autouse=True, scope="session")
def slow_polling() -> Iterator[None]:
    """A socket of Litestar's test client polls without a pause: an idle one keeps a core busy."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(websocket_test_session, "sleep", lambda _: asyncio.sleep(0.001))
        yield


@pytest.fixture
def ann(address: str) -> Person:
    return Person(address, "Ann")


@pytest.fixture
def bo(address: str) -> Person:
    return Person(address, "Bo")

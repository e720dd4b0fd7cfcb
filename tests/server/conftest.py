from collections.abc import Iterator

import pytest

from tests.server.people import Person, hang_up_all


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def everybody_hangs_up() -> Iterator[None]:
    yield
    hang_up_all()


@pytest.fixture
def ann(address: str) -> Person:
    return Person(address, "Ann")


@pytest.fixture
def bo(address: str) -> Person:
    return Person(address, "Bo")

from collections.abc import Iterator

import pytest

from tests.server.people import hang_up_all


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def everybody_hangs_up() -> Iterator[None]:
    yield
    hang_up_all()

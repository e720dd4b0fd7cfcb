"""Printing over HTTP: the files of `ubongo print`, requested by a browser."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pypdfium2
import pytest
from litestar.testing import TestClient

from tests.server.fakes import FakeClock
from tests.server.guests import Client
from ubongo.games.editions import bring
from ubongo.material import shipped
from ubongo.material.extreme import ExtremeEdition
from ubongo.printing.parts import PARTS
from ubongo.server.app import build
from ubongo.server.errors import Denied
from ubongo.server.http import print_cache
from ubongo.server.http.print_cache import PrintCache, PrintRequest
from ubongo.server.settings import Settings


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    settings = Settings(db=tmp_path_factory.mktemp("paper") / "ubongo.db", public_url="https://play.example.org")
    with TestClient(build(settings=settings)) as found:
        yield found


def test_a_part_of_an_edition(client: Client) -> None:
    answer = client.get("/print/extreme.pdf", params={"part": "gems", "lang": "de", "paper": "letter"})
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf")
    document = pypdfium2.PdfDocument(answer.content)
    assert document[0].get_size() == pytest.approx((612, 792), abs=0.1)
    assert "Steine" in document[0].get_textpage().get_text_range()
    assert (
        client.get("/print/extreme.pdf", params={"part": "gems", "lang": "de", "paper": "letter"}).content
        == answer.content
    )


def test_a_custom_edition(client: Client) -> None:
    edition = shipped("extreme")
    assert isinstance(edition, ExtremeEdition)
    name = bring(msgspec.structs.replace(edition, boards=edition.boards[::-1]))
    answer = client.get("/print/extreme.pdf", params={"part": "gems", "edition": name})
    said = pypdfium2.PdfDocument(answer.content)[0].get_textpage().get_text_range()
    assert name.partition("-")[2][:6] in said


def test_the_number_of_pages(client: Client) -> None:
    asked = {"paper": "letter", "lang": "pl"}
    answer = client.get("/print/dice.json", params=asked)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/json")
    counts = answer.json()
    assert set(counts) == {"all", "starter", *PARTS["dice"]}
    for part in ("starter", "dice"):
        printed = client.get("/print/dice.pdf", params={"part": part, **asked})
        assert len(pypdfium2.PdfDocument(printed.content)) == counts[part]


@pytest.mark.parametrize(
    ("path", "asked", "status"),
    [
        ("/print/chess.pdf", {}, 404),
        ("/print/extreme.txt", {}, 404),
        ("/print/chess.json", {}, 404),
        ("/print/extreme.json", {"edition": "extreme-000000000000"}, 400),
        ("/print/extreme.pdf", {"part": "cards"}, 400),
        ("/print/extreme.pdf", {"part": "everything"}, 400),
        ("/print/extreme.pdf", {"paper": "a5"}, 400),
        ("/print/extreme.pdf", {"edition": "extreme-000000000000"}, 400),
    ],
)
def test_unknown_parts_are_not_found(client: Client, path: str, asked: dict[str, Any], status: int) -> None:
    answer = client.get(path, params=asked)
    assert answer.status_code == status
    assert set(answer.json()) == {"error", "code"}


ORDER = PrintRequest("extreme", "e", "all", "a4", "long", "en", "https://play.example.org")
PROXY = "testclient"


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[PrintRequest]:
    """Records print requests without drawing anything."""
    found: list[PrintRequest] = []

    async def printed(wanted: PrintRequest) -> bytes:
        found.append(wanted)
        return wanted.url.encode()

    monkeypatch.setattr(print_cache, "printed", printed)
    return found


def test_cached_prints_are_never_refused_and_new_files_have_a_quota(tmp_path: Path, drawn: list[PrintRequest]) -> None:
    clock = FakeClock()
    settings = Settings(db=tmp_path / "log.db", public_url="https://play.example.org", proxies=(PROXY,))

    def ask(client: Client, address: str, part: str, lang: str = "en", duplex: str = "long") -> tuple[int, bytes]:
        order = {"part": part, "lang": lang, "duplex": duplex}
        answer = client.get("/print/extreme.pdf", params=order, headers={"x-forwarded-for": address})
        return answer.status_code, answer.content

    orders = [(part, lang) for part in PARTS["extreme"] for lang in ("en", "de", "pl")][: print_cache.PRINTS_BURST]
    orders += [("all", "en"), ("all", "de"), ("all", "pl"), ("starter", "en"), ("starter", "de"), ("starter", "pl")]
    few = orders[: print_cache.PRINTS_BURST]
    with TestClient(build(tmp_path, settings, clock)) as client:
        assert [ask(client, "192.0.2.7", *order)[0] for order in few] == [200] * print_cache.PRINTS_BURST
        status, said = ask(client, "192.0.2.7", "boards", duplex="none")
        assert (status, b"too_many_prints" in said) == (429, True)
        assert [ask(client, "192.0.2.7", *order)[0] for order in few] == [200] * print_cache.PRINTS_BURST, "it is there"
        assert ask(client, "198.51.100.1", "boards", duplex="none")[0] == 200, "others have their own"
        assert ask(client, "192.0.2.7", "boards", duplex="none")[0] == 200
        clock.time += 60_000
        assert ask(client, "192.0.2.7", "boards", duplex="short")[0] == 200
    made = len(drawn)
    with TestClient(build(tmp_path, settings, clock)) as client:
        assert ask(client, "203.0.113.9", *few[0]) == (200, b"https://play.example.org")
    assert len(drawn) == made, "after a restart it is still there"


@pytest.mark.anyio
async def test_one_address_cannot_fill_the_queue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = asyncio.Event(), asyncio.Event()

    async def printed(_: PrintRequest) -> bytes:
        begun.set()
        await go_on.wait()
        return b"paper"

    monkeypatch.setattr(print_cache, "printed", printed)
    ours = PrintCache(tmp_path / "print", FakeClock())

    def order(lang: str, address: str) -> asyncio.Task[Path]:
        return asyncio.create_task(ours.file(msgspec.structs.replace(ORDER, lang=lang), address))

    eve = [order(lang, "192.0.2.7") for lang in ("en", "de")]
    await begun.wait()
    while ours._waiting.total() < len(eve):  # noqa: ASYNC110 - there is no event to wait for
        await asyncio.sleep(0.001)
    for lang in ("pl", "es"):
        with pytest.raises(Denied, match="printing_busy"):
            await order(lang, "192.0.2.7")
    ann = order("pl", "198.51.100.1")
    # Any number of requests may wait for the same file.
    others = [order("en", "192.0.2.7") for _ in range(9)]
    go_on.set()
    assert (await ann).read_bytes() == b"paper"
    assert set(await asyncio.gather(*others)) == {await eve[0]}
    assert (await eve[1]).read_bytes() == b"paper"


@pytest.mark.anyio
async def test_the_least_recently_used_file_is_evicted_first(
    tmp_path: Path, drawn: list[PrintRequest], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(print_cache, "MOST_BYTES", 3 * len(ORDER.url))
    ours = PrintCache(tmp_path / "print", FakeClock(), limited=False)
    orders = [msgspec.structs.replace(ORDER, lang=lang) for lang in "abcd"]
    for age, order in zip((40, 30, 20), orders, strict=False):
        os.utime(await ours.file(order, ""), (age, -age + 100))
    await ours.file(orders[0], "")
    await ours.file(orders[3], "")
    assert len(drawn) == 4
    await ours.file(orders[0], "")
    assert len(drawn) == 4, "it was asked for a moment ago"
    await ours.file(orders[1], "")
    assert len(drawn) == 5


def test_a_request_that_waits_too_long_for_printing_is_told_to_retry(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Printing has a low priority: on a busy machine it may take very long."""
    monkeypatch.setattr(print_cache, "PATIENCE_S", 0)
    answer = client.get("/print/dice.json", params={"paper": "a4", "lang": "de"})
    assert (answer.status_code, answer.json()["code"]) == (429, "printing_busy")

"""Paper over HTTP: what `ubongo print` writes, asked for by a browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pypdfium2
import pytest
from litestar.testing import TestClient

from tests.server.guests import Client
from ubongo.games.editions import bring
from ubongo.material import shipped
from ubongo.material.extreme import ExtremeEdition
from ubongo.printing.parts import PARTS
from ubongo.server.app import build
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


def test_an_edition_that_was_brought(client: Client) -> None:
    edition = shipped("extreme")
    assert isinstance(edition, ExtremeEdition)
    name = bring(msgspec.structs.replace(edition, boards=edition.boards[::-1]))
    answer = client.get("/print/extreme.pdf", params={"part": "gems", "edition": name})
    said = pypdfium2.PdfDocument(answer.content)[0].get_textpage().get_text_range()
    assert name.partition("-")[2][:6] in said


def test_how_many_pages_there_are(client: Client) -> None:
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
def test_what_there_is_not(client: Client, path: str, asked: dict[str, Any], status: int) -> None:
    answer = client.get(path, params=asked)
    assert answer.status_code == status
    assert set(answer.json()) == {"error", "code"}

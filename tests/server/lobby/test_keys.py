"""Keys: two words and a number, easy to say, accepted however they are typed, and hard to guess."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from litestar.exceptions import WebSocketDisconnect
from litestar.testing import TestClient

from tests.server.asgi_socket import build_with_socket
from tests.server.fakes import FakeClock
from tests.server.guests import Guest
from tests.server.people import PATIENCE
from ubongo.server.app import build
from ubongo.server.lobby.key_guessing import MISSES_BURST, MISSES_RATE
from ubongo.server.lobby.key_words import FIRST, SECOND
from ubongo.server.lobby.table_keys import SAYABLE_KEYS, is_sayable, new_key, read_key
from ubongo.server.settings import Settings

DOCUMENT = (Path(__file__).parents[3] / "docs" / "security.md").read_text(encoding="utf-8")


def by_ear(word: str) -> str:
    """A rough phonetic code: the first letter, and how the consonants sound on a bad phone connection."""
    for written, heard in (("ph", "f"), ("ck", "k"), ("gh", ""), ("wh", "w"), ("kn", "n"), ("wr", "r"), ("x", "ks")):
        word = word.replace(written, heard)
    word = re.sub("c(?=[eiy])", "s", word.replace("qu", "kw"))
    word = word.translate(str.maketrans("czyvbdgm", "ksifptkn"))
    return re.sub(r"(.)\1+", r"\1", word[0] + re.sub("[aeiouhw]", "", word[1:]))


def one_slip_apart(one: str, other: str) -> bool:
    """One letter inserted, deleted or replaced."""
    short, long = sorted((one, other), key=len)
    if len(long) - len(short) > 1:
        return False
    same = next((i for i, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    return short[same + (len(short) == len(long)) :] == long[same + 1 :]


@pytest.mark.parametrize("words", [FIRST, SECOND], ids=["first", "second"])
def test_no_two_words_can_be_confused(words: list[str]) -> None:
    assert words == sorted(set(words))
    assert all(re.fullmatch("[a-z]{3,11}", word) for word in words)
    assert [pair for pair in combinations(words, 2) if one_slip_apart(*pair)] == []
    assert [heard for heard, often in Counter(map(by_ear, words)).items() if often > 1] == []


def test_words_without_a_hyphen_split_in_only_one_way() -> None:
    together = Counter(one + other for one in FIRST for other in SECOND)
    assert [word for word, often in together.items() if often > 1] == []


def test_a_key_is_two_words_and_a_number_of_four_digits() -> None:
    assert new_key("extreme", lambda _: 0) == f"{FIRST[0]}-{SECOND[0]}-1000"
    assert new_key("extreme", lambda number: number - 1) == f"{FIRST[-1]}-{SECOND[-1]}-9999"
    assert all(is_sayable(new_key(game)) for game in ("cards", "dice", "extreme", "cubes"))
    assert re.fullmatch("[0-9a-f]{32}", new_key("solo"))
    assert new_key("solo", lambda _: 0) == "0" * 32
    assert not is_sayable(new_key("solo"))


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("amber-heron-4172", "amber-heron-4172"),
        ("Amber Heron 4172", "amber-heron-4172"),
        ("AMBER–HERON–4172", "amber-heron-4172"),  # as phones write hyphens
        ("amberheron4172", "amber-heron-4172"),
        ("Amber heron4172.", "amber-heron-4172"),
        (" amber,  heron: 4172 ", "amber-heron-4172"),
        ("ambr-heron-4172", "ambr-heron-4172"),
        ("amber-heron-417", "amber-heron-417"),
        ("amber-4172", "amber-4172"),
        ("4172", "4172"),
        ("0123456789abcdef0123456789abcdef", "0123456789abcdef0123456789abcdef"),
        ("a" * 5000 + "1234", "a" * 5000 + "1234"),
        ("", ""),
    ],
)
def test_a_key_is_read_however_it_is_typed(typed: str, meant: str) -> None:
    assert read_key(typed) == meant


def test_a_table_is_found_by_the_key_as_typed(ann: Guest, bo: Guest) -> None:
    key = ann.post("/tables", {"game": "extreme", "seats": 2})["table"]
    said = key.replace("-", "%20").upper()
    assert bo.get(f"/tables/{said}")["table"] == key
    assert bo.get(f"/tables/{key.replace('-', '')}")["table"] == key
    assert bo.post(f"/tables/{said}/join") == {"seat": 1}
    with bo.client.websocket_connect(f"/ws/tables/{said}") as socket:
        socket.send_text('{"type": "hello"}')
        assert '"type":"welcome"' in socket.receive_text(timeout=PATIENCE)


def test_a_key_that_a_table_has_is_drawn_again(tmp_path: Path) -> None:
    with TestClient(build(tmp_path, Settings(db=tmp_path / "log.db"))) as client:
        client.post("/api/guests", json={"name": "Ann"})
        drawn = ["amber-heron-1000", "amber-heron-1000", "amber-heron-1001", "amber-heron-1001", "amber-heron-1002"]
        client.app.state.lobby.draw_key = lambda _: drawn.pop(0)
        keys = [client.post("/api/tables", json={"game": "extreme"}).json()["table"] for _ in range(2)]
        # A key that is only in the database, as by another server, is not overwritten either.
        client.app.state.lobby.registry.drop("amber-heron-1001")
        keys.append(client.post("/api/tables", json={"game": "extreme"}).json()["table"])
        assert keys == ["amber-heron-1000", "amber-heron-1001", "amber-heron-1002"]


def test_an_old_link_leads_to_its_table(tmp_path: Path) -> None:
    """A link from before keys were words; it still works after a restart, too."""
    old = "3f2a9c5e7b1d4860a1b2c3d4e5f60718"
    with TestClient(build(tmp_path, Settings(db=tmp_path / "log.db"))) as client:
        client.post("/api/guests", json={"name": "Ann"})
        client.app.state.lobby.draw_key = lambda _: old
        assert client.post("/api/tables", json={"game": "extreme"}).json()["link"].endswith(f"/t/{old}")
    with TestClient(build(tmp_path, Settings(db=tmp_path / "log.db"))) as client:
        assert client.get(f"/api/tables/{old}").json()["table"] == old


def test_guessing_links_is_rate_limited_and_blocks_no_player(tmp_path: Path) -> None:
    clock = FakeClock()
    with TestClient(build_with_socket(tmp_path, Settings(db=tmp_path / "log.db"), clock)) as client:
        client.post("/api/guests", json={"name": "Ann"})
        key = client.post("/api/tables", json={"game": "extreme"}).json()["table"]
        own = {"authorization": f"Bearer {client.cookies['ubongo']}"}
        client.cookies.clear()
        misses = [client.get(f"/api/tables/amber-heron-{1000 + n}").json()["code"] for n in range(MISSES_BURST - 1)]
        assert set(misses) == {"no_such_table"}
        with client.websocket_connect("/ws/tables/amber-heron-9999") as socket:
            socket.send_text('{"type": "hello"}')
            assert '"type":"error"' in socket.receive_text(timeout=PATIENCE)
        # The answer does not reveal whether the table exists.
        for guess in (key, "amber-heron-1234"):
            answer = client.get(f"/api/tables/{guess}")
            assert (answer.status_code, answer.json()["code"]) == (429, "too_many_misses")
            with client.websocket_connect(f"/ws/tables/{guess}") as socket:
                socket.send_text('{"type": "hello"}')
                assert '"code":"too_many_misses"' in socket.receive_text(timeout=PATIENCE)
                with pytest.raises(WebSocketDisconnect):
                    socket.receive_text(timeout=PATIENCE)
        assert client.get(f"/api/tables/{key}", headers=own).json()["seat"] == 0
        # Long keys cannot be guessed, so a client with one is admitted.
        assert client.get("/api/tables/0123456789abcdef0123456789abcdef").json()["code"] == "no_such_table"
        clock.time += round(1000 / MISSES_RATE)
        assert client.get(f"/api/tables/{key}").status_code == 200
        assert client.get("/api/tables/amber-heron-1234").json()["code"] == "no_such_table"
        assert client.get(f"/api/tables/{key}").json()["code"] == "too_many_misses"


def test_closed_tables_and_malformed_keys_do_not_count_as_guesses(ann: Guest) -> None:
    key = ann.post("/tables", {"game": "extreme"})["table"]
    ann.ask("DELETE", f"/tables/{key}")
    for gone in (key, "nothing"):
        answers = {ann.refused("GET", f"/tables/{gone}") for _ in range(MISSES_BURST + 1)}
        assert answers == {(404, "no_such_table")}


def test_a_ghost_does_not_reveal_whether_a_table_exists(ann: Guest) -> None:
    key = ann.post("/tables", {"game": "extreme"})["table"]
    for guess in (key, "amber-heron-1234"):
        wanted = {"game": "solo", "options": {"ghost": guess}}
        assert ann.refused("POST", "/tables", wanted) == (409, "no_ghost")


def test_the_time_a_guesser_needs_is_documented() -> None:
    """Checks the estimate for a thousand tables in docs/security.md against the words and the limits."""
    assert f"{len(FIRST)} × {len(SECOND)} × 9,000 = {SAYABLE_KEYS:,}" in DOCUMENT
    days = SAYABLE_KEYS / 1000 / (MISSES_RATE * 24 * 3600)
    assert f"| 1,000 | {SAYABLE_KEYS / 1000:,.0f} | {days / 365:.1f} years | {days / 1000:.1f} days |" in DOCUMENT

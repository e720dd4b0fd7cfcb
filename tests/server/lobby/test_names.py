"""Names: unreadable ones are refused, none looks like a bot's, and no two at one table look alike."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.server.guests import Client, Guest
from ubongo.bots.characters import CHARACTERS
from ubongo.server.clock import Timestamp
from ubongo.server.errors import Denied
from ubongo.server.lobby.names import MOST_MARKS, clean_name, distinct, skeleton
from ubongo.server.store.entities import Guest as Known

BOTS = tuple(CHARACTERS.values())
ACUTE, GRAVE, TILDE = "\u0301", "\u0300", "\u0303"


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(f"Z{ACUTE}{GRAVE}{TILDE}{ACUTE}a", id="zalgo"),
        pytest.param(f"q{ACUTE}{ACUTE}", id="an accent twice"),
        pytest.param("ب" + "\u064b\u064c\u064d\u064e\u064f", id="five marks"),
        pytest.param("a\u20dd", id="a circle around a letter"),
        pytest.param("Ann\ufe0f", id="selector after a letter"),
        pytest.param("Ann\U000e0101", id="selector of the supplement"),
        pytest.param("A\u180bnn", id="Mongolian selector"),
        pytest.param("A\u200dnn", id="joiner between Latin letters"),
        pytest.param("A\u200cnn", id="non-joiner between Latin letters"),
        pytest.param("Ann" + "\u200d" * 30, id="joiners without end"),
        pytest.param("न\u094d\u200d\u200d", id="a second joiner after a virama"),
        pytest.param("👩\u200d", id="half an emoji"),
        pytest.param("A\U0001d159", id="a note without a head"),
    ],
)
def test_stacked_marks_and_invisible_characters_are_refused(name: str) -> None:
    with pytest.raises(Denied) as no:
        clean_name(name, BOTS)
    assert no.value.code == "bad_name"


@pytest.mark.parametrize(
    "name",
    [
        "Nguyễn Thị Ánh", "Kąkol", "Ştefan", "Ёлка", "שָׁלוֹם", "مُحَمَّد", "می\u200cخواهم", "क्\u200dष", "ന്\u200d",
        "ศรีน้ำ", "ខ្ញុំ", "ཨོཾ་མ་ཎི", "さくら", "👨‍👩‍👧", "❤️‍🔥", "👍🏽", "Otto K.", "Ottokar", "Pippa", "Robot", "Nobody",
    ],
)  # fmt: skip
def test_names_in_every_script_are_accepted(name: str) -> None:
    assert clean_name(name, BOTS) == unicodedata.normalize("NFC", name)


@pytest.mark.parametrize(
    "name",
    [
        *BOTS, "otto", "OTTO 2", "Otto #3", "Оttо", "ОТТО", "0tto", "Ott0", "Ötto", "Ｏｔｔｏ", "O t t o", "-Otto-",
        "ᴏᴛᴛᴏ", "PlP", "P1p", "Ρip", "Мοmο", "Morno", "Vεga", "𝓥𝓮𝓰𝓪", "ⓥⓔⓖⓐ", "Bot", "Easy bot", "easy-bot 2",
        "Łatwy bot", "Somebody", "Sоmebоdy", "somebody 4", "Jemand", "ΚΤΟŚ", "ktos",
    ],
)  # fmt: skip
def test_names_that_look_like_a_bots_or_like_somebody_are_refused(name: str) -> None:
    with pytest.raises(Denied) as no:
        clean_name(name, BOTS)
    assert no.value.code == "reserved_name"


def test_a_reserved_name_is_refused_wherever_one_is_given(client: Client, ann: Guest) -> None:
    answer = client.post("/api/guests", json={"name": "Оttо"})
    assert (answer.status_code, answer.json()["code"]) == (400, "reserved_name")
    assert ann.refused("PATCH", "/guests/me", {"name": "Pip 2"}) == (400, "reserved_name")
    key = ann.open(seats=2, options={"companion": True})
    assert ann.refused("PUT", f"/tables/{key}/seats/1", {"name": "Vega"}) == (400, "reserved_name")
    assert ann.get("/guests/me")["name"] == "Ann"


def test_a_guest_who_already_had_a_reserved_name_keeps_it(client: Client) -> None:
    otto = Guest(client, "Ann")
    portal, lobby = client.blocking_portal, client.app.state.lobby
    portal.call(lobby.guest_store.rename, otto.known["player"], "Otto")
    assert otto.ask("PATCH", "/guests/me", {"name": "Otto"})[1]["name"] == "Otto"
    key = otto.open(seats=3, bots=["medium"])
    assert [seat["name"] for seat in otto.get(f"/tables/{key}")["seats"]] == ["Otto", "", "Otto 2"]
    portal.call(lobby.join, key, Known("p", "Zalgo\u0301\u0300\u0303", Timestamp(0)))
    assert otto.get(f"/tables/{key}")["seats"][1]["name"] == "Zalgo\u0301\u0300\u0303"


def test_a_player_whose_name_looks_like_anothers_gets_a_number_at_that_table(client: Client, ann: Guest) -> None:
    key = ann.open(seats=4)
    others = [Guest(client, name) for name in ("Аnn", "ANN 2", "Bo")]
    for other in others:
        other.post(f"/tables/{key}/join")
    assert [seat["name"] for seat in ann.get(f"/tables/{key}")["seats"]] == ["Ann", "Аnn 2", "ANN 2 2", "Bo"]
    assert others[0].get("/guests/me")["name"] == "Аnn", "elsewhere the name is as it was given"
    ann.post(f"/tables/{key}/start")
    assert ann.get(f"/tables/{key}")["seats"][1]["name"] == "Аnn 2"


def test_a_player_without_a_device_gets_a_number_too(ann: Guest) -> None:
    key = ann.open(seats=3, options={"companion": True})
    for seat in (1, 2):
        assert ann.ask("PUT", f"/tables/{key}/seats/{seat}", {"name": "ann"}) == (200, {})
    assert [seat["name"] for seat in ann.get(f"/tables/{key}")["seats"]] == ["Ann", "ann 2", "ann 3"]


@given(st.lists(st.text(min_size=1, max_size=6), min_size=1, max_size=8))
def test_at_a_table_all_names_look_different(names: list[str]) -> None:
    taken: list[str] = []
    for name in names:
        taken.append(distinct(name, taken))
        assert taken[-1].startswith(name)
    assert len({skeleton(name) for name in taken}) == len(names)


@given(st.text(max_size=50))
def test_names_already_taken_do_not_change(name: str) -> None:
    try:
        clean = clean_name(name, BOTS)
    except Denied:
        return
    assert clean_name(clean, BOTS) == clean
    marks = "".join("m" if unicodedata.category(one) == "Mn" else " " for one in clean if one not in "\ufe0e\ufe0f")
    assert max(map(len, marks.split()), default=0) <= MOST_MARKS

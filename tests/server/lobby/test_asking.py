"""What holds for every request: other sites, caches, rate limits, a failing disk, metrics."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

from litestar.testing import TestClient

from tests.server.fakes import FakeClock, full
from tests.server.guests import Client, Guest, over
from ubongo.server.app import build
from ubongo.server.settings import Settings


def test_a_page_of_another_site_cannot_change_anything(client: Client, ann: Guest) -> None:
    for origin in ("https://elsewhere.example", "null", "http://[::1"):
        headers = {"authorization": f"Bearer {ann.known['token']}", "origin": origin}
        answer = client.post("/api/tables", json={"game": "extreme"}, headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (403, "another_site")


def test_a_failing_disk_refuses_requests_with_a_reason(client: Client, ann: Guest) -> None:
    log = client.app.state.services.log
    full(log, True)
    # Some writes still fit into the last page.
    answers = (ann.ask("POST", "/tables", {"game": "extreme"}) for _ in range(200))
    opened = list(itertools.takewhile(lambda answer: answer[0] == 201, answers))
    assert ann.refused("POST", "/tables", {"game": "extreme"}) == (503, "not_recorded")
    health = client.get("/healthz")
    assert (health.status_code, health.json()["status"]) == (503, "failing")
    assert health.json()["log"] == "database or disk is full"
    assert {ann.get(f"/tables/{answer['table']}")["phase"] for _, answer in opened} <= {"gather"}, "what was recorded"
    full(log, False)
    ann.open()
    assert client.get("/healthz").json()["status"] == "ok"


def test_no_response_is_cached(client: Client) -> None:
    assert client.get("/api/tables").headers["cache-control"] == "no-store"


def test_too_many_requests_from_one_address_are_refused(tmp_path: Path) -> None:
    settings = Settings(db=tmp_path / "log.db", requests_rate=0.001, requests_burst=3)
    with TestClient(build(tmp_path, settings)) as client:
        statuses = [client.get("/api/games").status_code for _ in range(5)]
        assert statuses == [200, 200, 200, 429, 429]
        assert client.get("/api/games").json()["code"] == "too_fast"


def test_new_guests_from_one_address_are_limited_to_a_school(tmp_path: Path) -> None:
    clock = FakeClock()
    settings = Settings(db=tmp_path / "log.db", proxies=("testclient",), guests_burst=30)
    with TestClient(build(tmp_path, settings, clock)) as client:

        def newcomer(address: str) -> Any:
            return client.post("/api/guests", json={"name": "Ann"}, headers={"x-forwarded-for": address})

        assert {newcomer("192.0.2.7").status_code for _ in range(30)} == {201}, "a class"
        refused = newcomer("192.0.2.7")
        assert (refused.status_code, refused.json()["code"]) == (429, "too_many_guests")
        assert newcomer("192.0.2.8").status_code == 201, "others are others"
        assert client.get("/api/games", headers={"x-forwarded-for": "192.0.2.7"}).status_code == 200
        clock.time += 10_000
        assert [newcomer("192.0.2.7").status_code for _ in range(21)] == [201] * 20 + [429]
        for here in ("127.0.0.1", "::1"):
            assert {newcomer(here).status_code for _ in range(31)} == {201}


def test_of_several_forwarded_headers_the_last_is_the_proxys(tmp_path: Path) -> None:
    """Some proxies append to the existing header, others add a second one below it."""
    settings = Settings(db=tmp_path / "log.db", requests_rate=0.001, requests_burst=2, proxies=("testclient",))
    with TestClient(build(tmp_path, settings)) as client:
        lines = [[("x-forwarded-for", f"192.0.2.{n}"), ("x-forwarded-for", "198.51.100.1")] for n in range(3)]
        assert [client.get("/api/games", headers=one).status_code for one in lines] == [200, 200, 429]


def test_metrics_name_nobody(client: Client, ann: Guest, bo: Guest) -> None:
    key = over(ann, bo)
    page = client.get("/metrics")
    assert page.headers["content-type"] == "text/plain; version=0.0.4; charset=utf-8"
    assert "ubongo_guests 2.0" in page.text
    assert 'ubongo_tables{state="over"} 1.0' in page.text
    assert "ubongo_commit_seconds_count" in page.text
    for secret in (key, ann.known["token"], ann.known["player"], "Ann", "Bo"):
        assert secret not in page.text

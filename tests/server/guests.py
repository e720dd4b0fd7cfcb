"""Guests who use only HTTP, of a server in this process."""

from __future__ import annotations

from typing import Any

from litestar import Litestar
from litestar.testing import TestClient

Client = TestClient[Litestar]


class Guest:
    def __init__(self, client: Client, name: str) -> None:
        self.client = client
        self.known = client.post("/api/guests", json={"name": name}).json()
        client.cookies.clear()

    def ask(self, method: str, path: str, body: Any = None) -> tuple[int, Any]:
        headers = {"authorization": f"Bearer {self.known['token']}"}
        answer = self.client.request(method, f"/api{path}", json=body, headers=headers)
        said = answer.json() if answer.headers["content-type"] == "application/json" else answer.text
        return answer.status_code, said

    def post(self, path: str, body: Any = None) -> Any:
        status, answer = self.ask("POST", path, body)
        assert status in (200, 201), answer
        return answer

    def get(self, path: str) -> Any:
        status, answer = self.ask("GET", path)
        assert status == 200, answer
        return answer

    def refused(self, method: str, path: str, body: Any = None) -> tuple[int, str]:
        status, answer = self.ask(method, path, body)
        assert answer["error"].endswith("."), answer
        assert set(answer) == {"error", "code"}
        return status, answer["code"]

    def open(self, **wanted: Any) -> str:
        key: str = self.post("/tables", {"game": "extreme", **wanted})["table"]
        return key


def against_bots(client: Client, number: int) -> list[str]:
    """Opens tables of dice for a new guest. The client keeps their cookie, so its next requests are theirs."""
    client.post("/api/guests", json={"name": "Ann"})
    tables = [
        client.post("/api/tables", json={"game": "dice", "bots": ["easy"]}).json()["table"] for _ in range(number)
    ]
    for table in tables:
        client.post(f"/api/tables/{table}/start")
    return tables


def over(ann: Guest, bo: Guest) -> str:
    key = ann.open(seats=2)
    bo.post(f"/tables/{key}/join")
    ann.post(f"/tables/{key}/start")
    bo.post(f"/tables/{key}/leave")
    return key

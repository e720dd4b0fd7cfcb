"""Requests generated from our own OpenAPI description: every response matches its schema."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis.core.result import Ok

from tests.server.people import PATIENCE, Person


@pytest.fixture(scope="module")
def described(address: str) -> list[Any]:
    """Every request of the description, except the one that deletes Ann."""
    schema = schemathesis.openapi.from_url(f"{address}schema/openapi.json")
    found: list[Any] = [operation.ok() for operation in schema.get_all_operations() if isinstance(operation, Ok)]
    return [one for one in found if (one.method, one.path) != ("delete", "/api/guests/me")]


@pytest.fixture(scope="module")
def ann(address: str) -> Person:
    return Person(address, "Ann")


@given(data=st.data())
@settings(max_examples=300, suppress_health_check=list(HealthCheck))
def test_every_response_matches_its_schema(described: list[Any], ann: Person, data: st.DataObject) -> None:
    case: Any = data.draw(data.draw(st.sampled_from(described)).as_strategy())
    answer = case.call(headers={"authorization": f"Bearer {ann.token}"}, timeout=PATIENCE)
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        refusal = answer.json()
        assert set(refusal) == {"error", "code"}
        assert refusal["error"].endswith(".")

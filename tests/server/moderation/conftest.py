"""The program, with a timeout long enough for a busy machine."""

from __future__ import annotations

import pytest

from tests.server.moderation.program import Program
from tests.server.people import PATIENCE


@pytest.fixture
def ubongo(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Program:
    monkeypatch.setattr("ubongo.commands._support.moderation.WAIT_S", PATIENCE)
    return Program(capsys)

"""The room, as its match knows it."""

from __future__ import annotations

from typing import Protocol


class MatchListener(Protocol):
    def match_changed(self) -> None:
        """Something has been recorded and broadcast."""

    def record_presence(self) -> None:
        """Plays `away` or `back` for every seat whose presence differs from what the log says."""

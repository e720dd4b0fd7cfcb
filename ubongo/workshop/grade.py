"""Grades, 1 to 5: what stands on a board of how hard a task is (`ubongo.difficulty`)."""

from __future__ import annotations

# A grade begins at each of these difficulties: round numbers that divide the shipped editions' tasks together into
# parts of about a fifth. They are the same for every edition, so that a grade always means the same.
GRADES = (6.0, 8.0, 12.0, 24.0)


def grade(difficulty: float) -> int:
    return 1 + sum(difficulty >= start for start in GRADES)

"""Grades, 1 to 5: the difficulty of a task (`ubongo.difficulty`) as printed on a board."""

from __future__ import annotations

# A grade begins at each of these difficulties: round numbers that divide the shipped editions' tasks into roughly equal
# parts. They are the same for every edition, so that a grade always means the same.
GRADES = (6.0, 8.0, 12.0, 24.0)


def grade(difficulty: float) -> int:
    return 1 + sum(difficulty >= start for start in GRADES)

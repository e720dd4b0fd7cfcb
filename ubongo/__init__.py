"""Ubongo: a family of simultaneous puzzle games, for a table of people, a terminal or a program."""

__version__ = "0.2.0.dev0"

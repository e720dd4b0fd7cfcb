"""Which rows of a damaged file can be kept: those that are intact and consistent with each other."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from zlib import compress, decompress

import msgspec

from ubongo.match_file import read_opening
from ubongo.server.clock import Timestamp
from ubongo.server.lobby.lobby_table import State
from ubongo.server.store import Row, Unreadable
from ubongo.server.store.damage import UNDECODABLE
from ubongo.server.store.entities import StoredMatch, decode_match, decoded
from ubongo.server.tables.stored_match import Damaged, lines_of, undamaged
from ubongo.server.tables.table_setup import TableSetup

# Nothing depends on rows of these tables, and they depend on nothing: every readable row is kept.
INDEPENDENT = ("tries", "heartbeats", "moderation", "bans", "removed_records")
RESULTS = ("results", "solves", "tallied")
PLAYING_STATES = ("running", "over", "abandoned")

OnRepairProgress = Callable[[str, int], None]


class IntactRows:
    """Copies intact and consistent rows from the scratch file to the new one. `lost` names the rest."""

    def __init__(
        self, new: sqlite3.Connection, damaged: list[str], gaps: list[tuple[int, int]], on_progress: OnRepairProgress
    ) -> None:
        self._new = new
        self._gaps = gaps
        self._on_progress = on_progress
        self._damaged = damaged
        self.lost = [f"{table}: part of it cannot be read" for table in damaged if table not in RESULTS]
        self.notes: list[str] = []

    def copy_all(self) -> None:
        self._copy_tables_and_matches()
        self._copy_archive()
        self._copy_guests()
        self._copy_results()
        for table in INDEPENDENT:
            self._copy(table)

    def _copy(self, table: str, where: str = "true") -> None:
        # `or ignore` leaves out rows that lack a required value.
        self._new.execute(f"insert or ignore into main.{table} select * from scratch.{table} where {where}")  # noqa: S608 - our own names

    def _copy_tables_and_matches(self) -> None:
        states = dict(self._readable_tables())
        matches: dict[str, StoredMatch] = {}
        for number, row in enumerate(self._new.execute("select * from scratch.matches").fetchall()):
            played = self._complete_match(row)
            if played is not None and played.table in states:
                matches[played.table] = played
                self._copy("matches", f"match = {played.match}")
                self._copy("log", f"match = {played.match}")
            elif played is not None:
                self._archive(played, row[-1])
            self._on_progress("matches", number)
        # New row ids count from the last one, whichever match it belongs to.
        self._copy("log", "id = (select max(id) from scratch.log)")
        for key, state in states.items():
            if state in PLAYING_STATES and key not in matches:
                self.lost.append(f"table {key}: its match is lost")
            else:
                self._new.execute("insert into main.tables select * from scratch.tables where key = ?", (key,))
        unknown = """
            select match, count(*) from scratch.log where match not in (select match from scratch.matches)
            and match not in (select match from scratch.archive) group by match
        """
        for match, rows in self._new.execute(unknown).fetchall():
            self.lost.append(f"match {match}: its players are lost, {rows} of its rows are left")

    def _readable_tables(self) -> Iterator[tuple[str, str]]:
        for key, state, body, _ in self._new.execute("select * from scratch.tables").fetchall():
            try:
                msgspec.json.decode(body, type=TableSetup)
                msgspec.convert(state, State)
            except (*UNDECODABLE, TypeError):
                self.lost.append(f"table {key}: its setup is damaged")
            else:
                yield key, state

    def _complete_match(self, row: tuple[object, ...]) -> StoredMatch | None:
        """The match, if all of its rows are intact."""
        try:
            with decoded("a match"):
                played = decode_match(*row[:-1])  # type: ignore[arg-type] # the row may be damaged
            lines_of(played, self._rows(played))
            self._refuse_missing_end(played)
        except (Unreadable, Damaged, TypeError) as problem:
            self.lost.append(f"match {row[0]} of table {row[1]}: {problem}")
            self._new.execute("insert or ignore into scratch.tallied values (?)", (row[0],))
            return None
        return played

    def _refuse_missing_end(self, played: StoredMatch) -> None:
        """Raises Damaged if its last rows are missing. Gaps between its rows have been refused already."""
        ids = {number for (number,) in self._new.execute("select id from scratch.log where match = ?", (played.match,))}
        for (row_ids,) in self._new.execute("select ids from scratch.places where match = ?", (played.match,)):
            with undamaged():
                missing = not ids.issuperset(msgspec.json.decode(row_ids, type=list[int]))
            if missing:
                raise Damaged("its last rows are missing")
            return
        last = max(ids, default=played.since)
        if any(after > last and (played.upto is None or before < played.upto) for before, after in self._gaps):
            raise Damaged("its last rows may be missing")

    def _rows(self, played: StoredMatch) -> list[Row]:
        query = "select match, version, at, events from scratch.log where match = ? order by version"
        return [Row._make(row) for row in self._new.execute(query, (played.match,))]

    def _archive(self, played: StoredMatch, ended: Timestamp | None) -> None:
        """Keeps a match whose table is lost, so that nobody can visit it any more."""
        _, lines = lines_of(played, self._rows(played)).split(b"\n", 1)
        players = msgspec.json.encode([None for _ in played.opening.seats]).decode()
        row = (played.match, msgspec.json.encode(played.opening), players, ended or played.started, compress(lines))
        columns = "match, opening, players, ended, lines, started"
        into = f"insert or ignore into main.archive ({columns}) values (?, ?, ?, ?, ?, ?)"  # noqa: S608 - our own names
        self._new.execute(into, (*row, played.started))
        self.lost.append(f"table {played.table}: its setup is lost; its match {played.match} is kept in the archive")

    def _copy_archive(self) -> None:
        for match, opening, players, _, lines, _ in self._new.execute("select * from scratch.archive"):
            try:
                with undamaged():
                    read_opening(opening)
                    player_ids = msgspec.json.decode(players, type=list[str | None])
                    decompress(lines)
            except (Damaged, TypeError) as problem:
                self.lost.append(f"old match {match}: {problem}")
                self._new.execute("insert or ignore into scratch.tallied values (?)", (match,))
                continue
            self._copy("archive", f"match = {int(match)}")
            for player in {one for one in player_ids if one is not None}:
                self._new.execute("insert or ignore into main.archived values (?, ?)", (player, match))

    def _copy_guests(self) -> None:
        self._copy("guests")
        unknown_guests = """
            select count(distinct player) from scratch.tokens where player not in (select player from main.guests)
        """
        [[lost]] = self._new.execute(unknown_guests)
        if lost:
            self.lost.append(f"{lost} guests: their names are lost, and they are not known any more")
        for table in ("tokens", "codes"):
            self._copy(table, "player in (select player from main.guests)")

    def _copy_results(self) -> None:
        which = "true"
        if any(table in RESULTS for table in self._damaged):
            # The results of a match whose log is lost cannot be tallied again, so they are kept.
            which = "match not in (select match from main.matches union select match from main.archive)"
            self.notes.append("records were damaged: the server tallies them again from the logs when it starts")
        for table in RESULTS:
            self._copy(table, which)

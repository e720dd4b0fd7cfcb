"""The results of a match, read from its log: places, the score of a solo run, and the time of each solved task.

Nothing here reads the disk or the clock, so the same log always has the same results.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import takewhile

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from ubongo.events import AnyEvent, Called, ClockWrong, MatchClosed, RoundClosed, Scored, Started, TimeSkipped
from ubongo.evolve import evolve
from ubongo.games import GAMES
from ubongo.games.solo.options import SoloOptions
from ubongo.games.solo.tasks import choice_of
from ubongo.match_file import Bot
from ubongo.server.clock import Timestamp
from ubongo.server.store.entities import Player, StoredMatch
from ubongo.server.store.results import MatchResult, Solve
from ubongo.server.tables.stored_match import match_of
from ubongo.table import Instant, Millis, SeatNo, Table

COUNTED_MODES = ("clock", "count", "day")
History = Sequence[tuple[Instant, AnyEvent]]


def date_of(time: Timestamp) -> str:
    """The date in UTC.

    >>> date_of(Timestamp(1_700_000_000_000))
    '2023-11-14'
    """
    return datetime.fromtimestamp(time / 1000, UTC).date().isoformat()


class RunKind(Struct, frozen=True):
    """Solo runs of the same kind are compared with each other. None: this option makes no difference."""

    of: str
    mode: str
    minutes: int | None = None
    tasks: int | None = None
    side: int | None = None
    die: str | None = None


def kind_of(options: SoloOptions) -> RunKind:
    """The kind of run that has these options. A daily puzzle has no options to choose."""
    if options.mode == "day":
        return RunKind(options.of, options.mode)
    return RunKind(
        options.of,
        options.mode,
        minutes=options.minutes if options.mode == "clock" else None,
        tasks=options.tasks if options.mode == "count" else None,
        side=options.side if options.of in ("extreme", "cubes") else None,
        die=options.die if options.of == "cubes" else None,
    )


def encode_kind(kind: RunKind) -> str:
    """As it is stored and compared."""
    return msgspec.json.encode(kind).decode()


def results_of(played: StoredMatch, players: Sequence[Player | None], history: History) -> Iterator[MatchResult]:
    """A result for each player. A match that was not played to its end has none."""
    opening = played.opening
    if _on_paper(played):
        return
    skipped = sum(event.by for _, event in history if isinstance(event, TimeSkipped | ClockWrong))
    for at, event in history:
        if isinstance(event, MatchClosed):
            for seat, name in enumerate(opening.seats):
                if not isinstance(name, Bot):
                    one = MatchResult(
                        played.match,
                        SeatNo(seat),
                        players[seat],
                        name,
                        opening.game,
                        Timestamp(played.started + at - skipped),
                    )
                    add_score = _solo_result if opening.game == "solo" else _group_result
                    yield add_score(one, played, event, history)


def _on_paper(played: StoredMatch) -> bool:
    """C9: the server has not seen what was laid."""
    return bool(msgspec.json.decode(played.opening.options).get("companion"))


def _group_result(one: MatchResult, played: StoredMatch, end: MatchClosed, history: History) -> MatchResult:
    """Places count from 1. Players who share a place have the same number."""
    place = 1 + sum(len(group) for group in takewhile(lambda group: one.seat not in group, end.standing))
    edition = msgspec.json.decode(played.opening.options)["edition"]
    total, rounds = end.totals[one.seat], _rounds(history)
    return replace(one, edition=edition, place=place, seats=len(end.totals), total=total, rounds=rounds)


def _rounds(history: History) -> int:
    return sum(isinstance(event, RoundClosed) for _, event in history)


def _solo_result(one: MatchResult, played: StoredMatch, end: MatchClosed, history: History) -> MatchResult:
    options = msgspec.json.decode(played.opening.options, type=SoloOptions)
    solved, rounds = end.totals[one.seat], _rounds(history)
    began = next((event.at for _, event in history if isinstance(event, Started)), 0)
    last = max((at for at, event in history if isinstance(event, Scored) and event.points), default=began)
    took = end.took or 0
    match options.mode, options.of:
        case "clock", _:
            first, second = -solved, last - began
        case _, "dice":
            first, second = rounds, took
        case _:
            first, second = took, 0
    # A daily puzzle counts only on its day: afterwards its solution is public.
    in_time = options.mode != "day" or date_of(played.started) == date_of(one.ended) == options.day
    measured = not any(isinstance(event, ClockWrong) for _, event in history)
    finished = end.took is not None and solved > 0
    counts = options.scored and options.mode in COUNTED_MODES and finished and in_time and measured
    kind = encode_kind(kind_of(options))
    return replace(
        one, game=options.of, kind=kind, edition=options.edition, day=options.day, scored=counts,
        first=first, second=second, solved=solved, rounds=rounds, took=end.took, total=solved,
    )  # fmt: skip


def solves_of(played: StoredMatch, players: Sequence[Player | None], history: History) -> Iterator[Solve]:
    """Every task that was solved, with its time. Runs that do not count are not measured."""
    if _on_paper(played):
        return
    table = match_of(played).opening
    if not getattr(table.options, "scored", True):
        return
    game = getattr(table.options, "of", table.game)
    for at, event in history:
        table = evolve(table, event)
        if not isinstance(event, Called) or table.started is None or table.clock_wrong:
            continue
        player = players[event.seat]
        if player is None or not _is_solved(table, event.seat):
            continue
        task = table.seats[event.seat].task
        assert task is not None
        choice = choice_of(game, table.options.edition, task)
        took, ended = event.at - table.started, played.started + at - table.time_skipped
        yield Solve(
            played.match, event.seat, player, game, choice.grade, choice.difficulty, Millis(took), Timestamp(ended)
        )


def _is_solved(table: Table, seat: SeatNo) -> bool:
    """In the card game a call may be wrong."""
    me, game = table.seats[seat], GAMES[table.game]
    return me.task is not None and game.verdict(game.pieces(table.options), me.task, me.laid).state == "solved"

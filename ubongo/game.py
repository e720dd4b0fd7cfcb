"""What a game is, and what all four share (T): time, opening, ready, away, back, leave and the agreed end.

A game is a module with the names of `Game`. It looks at a table and returns the events that follow; it has no state.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Protocol

from msgspec.structs import replace

from ubongo import moves
from ubongo.chance import Chance
from ubongo.events import (
    AnyEvent,
    Away,
    Back,
    Due,
    Left,
    MatchClosed,
    Opened,
    Readied,
)
from ubongo.evolve import evolve
from ubongo.fast_forward import ask_fast_forward
from ubongo.lattice import Cell
from ubongo.moves import Call, Claim, Grab, Lift, Move, Place, Refused, TakeBack, TurnBack
from ubongo.pieces import Piece, Placement
from ubongo.table import Face, Instant, Millis, Options, Places, SeatNo, Table, Task, contending, numbered, staying
from ubongo.tiling import Verdict

SECOND = Millis(1000)
# K17: a player who has been away for so long agrees to whatever the others agree on.
AWAY_AGREES = Millis(60 * SECOND)
# Far beyond any table, and small enough that sums do not overflow anywhere.
FARTHEST = 1_000_000

Events = Sequence[AnyEvent]
Happenings = list[tuple[Instant, AnyEvent]]


class BadOptions(ValueError):
    """Options that contradict each other or the number of seats; the text says what is allowed.

    `code`: for the page, which has a message of its own where its own choices can lead here.
    """

    def __init__(self, text: str, code: str = "bad_options") -> None:
        super().__init__(text)
        self.code = code


class Game(Protocol):
    """A module is a Game. `answer` may refuse and changes nothing; `follow` returns what happens by itself at `now`."""

    NAME: str
    SEATS: range
    OPTIONS: type[Options]

    def pieces(self, options: Options, /) -> Mapping[str, Piece]: ...
    def opening(self, names: Sequence[str], options: Options, /) -> Table: ...
    def answer(self, table: Table, seat: SeatNo, move: Move, now: Instant, chance: Chance, /) -> Events: ...
    def follow(self, table: Table, now: Instant, chance: Chance, /) -> Events: ...
    def verdict(self, pieces: Mapping[str, Piece], task: Task, laid: Sequence[Placement], /) -> Verdict: ...
    def solution(self, options: Options, task: Task, /) -> tuple[Placement, ...] | None: ...
    def standing(self, table: Table, /) -> Places: ...
    def totals(self, table: Table, /) -> tuple[int, ...]: ...


def opened(
    game: Game, names: Sequence[str], options: Options, seed: str, bots: Mapping[SeatNo, str] | None = None
) -> Table:
    """The table at its first moment, round 1 open and nothing dealt yet; or BadOptions.

    `bots` are the levels of the seats that bots hold.
    """
    if len(names) not in game.SEATS:
        few, many = game.SEATS[0], game.SEATS[-1]
        wanted = f"{few} seat" if few == many else f"{few} to {many} seats"
        raise BadOptions(f"{game.NAME} is for {wanted}, not for {len(names)}")
    if options.first_seat >= len(names):
        raise BadOptions(f"first_seat is {options.first_seat}; with {len(names)} seats it is at most {len(names) - 1}")
    held = bots or {}
    if options.companion and len(names) == 1:
        raise BadOptions("companion is true; it needs several players, so leave it out for one seat")
    if options.companion and held:
        raise BadOptions("companion is true; bots cannot see what lies on paper", code="no_bots_on_paper")
    table = game.opening(names, options)
    seats = tuple(replace(seat, bot=held.get(number)) for number, seat in numbered(table.seats))
    return replace(table, seats=seats, seed_hash=seed_hash(seed))


def seed_hash(seed: str) -> str:
    """T5: public from the start, so that nobody can choose the seed afterwards."""
    return sha256(seed.encode()).hexdigest()


def play(game: Game, table: Table, seat: SeatNo, move: Move, now: Instant, chance: Chance) -> tuple[Table, Happenings]:
    """The table after a move and all that follows from it, with what happened and when; or Refused.

    What was due by `now` happens first (T3). If the move is then refused, this is not lost: it is still due, and
    happens at the same times with the next move.
    """
    happened: Happenings = []
    until = table.until
    if until is not None and until <= now:
        table = settle(game, table, now, chance, happened)
    if table.phase == "over":
        raise Refused("over")
    if not 0 <= seat < len(table.seats):
        raise Refused("no_such_seat", seats=len(table.seats))
    if table.seats[seat].gone:
        raise Refused("gone")
    shared = _SHARED.get(type(move))
    if shared is not None:
        events = shared(game, table, seat, now, chance)
    elif table.phase == "count":
        # T2a: the same in every game, and checked first: a refusal must not reveal anything of a task face down.
        raise Refused("not_now", move=moves.name_of(move), phase=table.phase)
    else:
        refuse_wrong_medium(table, move)
        refuse_unknown_references(game, table, seat, move)
        events = game.answer(table, seat, move, now, chance)
    for event in events:
        table = evolve(table, event)
        happened.append((now, event))
    return run_until_quiet(game, table, now, chance, happened), happened


def settle(game: Game, table: Table, now: Instant, chance: Chance, happened: Happenings) -> Table:
    """Lets time pass: asks the rules at each instant at which something was due, however late it is by now."""
    while (until := table.until) is not None and until <= now:
        table = run_until_quiet(game, table, until, chance, happened)
        assert table.until != until or table.phase == "over", f"{game.NAME} lets {until} pass by"
    return table


def run_until_quiet(game: Game, table: Table, now: Instant, chance: Chance, happened: Happenings) -> Table:
    """Applies what the rules do by themselves until they wait for the players again."""
    while table.phase != "over" and (step := game.follow(table, now, chance) or deadline_event(table)):
        for event in step:
            table = evolve(table, event)
            happened.append((now, event))
    return table


def refuse_wrong_medium(table: Table, move: Move) -> None:
    """C1: if pieces lie on paper, nobody lays them here; claims are only for tables with paper."""
    if table.options.companion:
        if isinstance(move, Place | Lift | Call | Grab):
            raise Refused("on_paper", move=moves.name_of(move))
    elif isinstance(move, Claim | TakeBack | TurnBack):
        raise Refused("not_on_paper", move=moves.name_of(move))


def refuse_unknown_references(game: Game, table: Table, seat: SeatNo, move: Move) -> None:
    """Refuses moves that refer to things that do not exist, in one place for all games.

    Whatever is recorded has to replay for ever: a log with an impossible orientation could not.
    """
    if isinstance(move, Place):
        piece, turn, at = move.piece, move.turn, move.at
        name = _piece(table, seat, piece)
        shapes = game.pieces(table.options)[name].shapes
        if type(turn) is not int or not 0 <= turn < len(shapes):
            raise Refused("no_such_turn", turns=len(shapes))
        if len(at) != len(shapes[0][0]) or not _near(at):
            raise Refused("no_such_cell", axes=len(shapes[0][0]))
    elif isinstance(move, Lift):
        _piece(table, seat, move.piece)
    elif isinstance(move, Grab) and (type(move.die) is not int or not 0 <= move.die < len(table.dice)):
        raise Refused("no_such_die", dice=len(table.dice))


def _near(at: Cell) -> bool:
    return all(type(c) is int and -FARTHEST <= c <= FARTHEST for c in at)


def _piece(table: Table, seat: SeatNo, piece: int) -> str:
    task = table.seats[seat].task
    if task is None or task.face == "down":
        raise Refused("nothing_to_lay")
    if type(piece) is not int or not 0 <= piece < len(task.pieces):
        raise Refused("no_such_piece", pieces=len(task.pieces))
    return str(task.pieces[piece])


def closing(game: Game, table: Table, chance: Chance) -> MatchClosed:
    return MatchClosed(game.standing(table), game.totals(table), chance.seed)


def leave(game: Game, table: Table, seat: SeatNo, _: Instant, chance: Chance) -> Events:
    """T11: if all but one have left, the match ends at once with the current standing, players who left last."""
    left = Left(seat)
    after = evolve(table, left)
    return (left, closing(game, after, chance)) if len(staying(after)) < 2 else (left,)


def away(_: Game, table: Table, seat: SeatNo, now: Instant, __: Chance) -> Events:
    """T7: a player who loses the connection keeps the seat, and the round goes on."""
    if not table.seats[seat].present:
        raise Refused("already_away")
    return (Away(seat, now),)


def back(_: Game, table: Table, seat: SeatNo, __: Instant, ___: Chance) -> Events:
    """T7: a player who comes back finds exactly what they had laid."""
    if table.seats[seat].present:
        raise Refused("not_away")
    return (Back(seat),)


def skip(_: Game, table: Table, seat: SeatNo, __: Instant, ___: Chance) -> Events:
    return ask_fast_forward(table, seat, "skip")


def speed_up(_: Game, table: Table, seat: SeatNo, __: Instant, ___: Chance) -> Events:
    return ask_fast_forward(table, seat, "speed_up")


_SHARED: dict[type[Move], Callable[[Game, Table, SeatNo, Instant, Chance], Events]] = {
    moves.Leave: leave,
    moves.GoAway: away,
    moves.ComeBack: back,
    moves.Skip: skip,
    moves.SpeedUp: speed_up,
}


def face_dealt(options: Options) -> Face:
    """T12: a task is visible from the start of the round on, or to its owner at once; C2: on paper to all."""
    if options.companion:
        return "up"
    return "down" if options.reveal == "start" else "hand"


def answer_ready(table: Table, seat: SeatNo) -> Events:
    me = table.seats[seat]
    if table.phase != "ready":
        raise Refused("not_now", move="ready", phase=table.phase)
    if me.task is None:
        raise Refused("not_in_playoff")
    if me.ready:
        raise Refused("already_ready")
    return (Readied(seat),)


def unready(table: Table) -> list[SeatNo]:
    return still_awaited(table, [seat for seat in contending(table) if not table.seats[seat].ready])


def unpassed(table: Table) -> list[SeatNo]:
    return still_awaited(table, [seat for seat in contending(table) if not table.seats[seat].passed])


def still_awaited(table: Table, silent: list[SeatNo]) -> list[SeatNo]:
    """The silent seats that the round waits for. C8: with paper, not for a lost device once others have spoken."""
    if table.options.companion and len(silent) < len(contending(table)):
        return [seat for seat in silent if table.seats[seat].present]
    return silent


def make_ready(table: Table, now: Instant) -> Events:
    """T2: bots are ready at once, and after `ready_s` everyone is."""
    late = limit_reached(table, now)
    return [Readied(seat) for seat in unready(table) if late or table.seats[seat].bot is not None]


def refuse_unless_thrower(table: Table, seat: SeatNo) -> None:
    """Only the roller throws; C8: with paper anybody does if the roller's device is gone."""
    if table.phase != "throw":
        raise Refused("not_now", move="throw", phase=table.phase)
    assert table.roller is not None
    gone = table.options.companion and not table.seats[table.roller].present
    if seat != table.roller and not gone:
        raise Refused("not_roller", roller=table.roller, name=table.seats[table.roller].name)


def throws_by_itself(table: Table, now: Instant) -> bool:
    """T2: nobody waits for a bot, for a player who has left, or longer than `ready_s`."""
    assert table.roller is not None
    roller = table.seats[table.roller]
    return roller.gone or roller.bot is not None or limit_reached(table, now)


def count_in(table: Table, now: Instant) -> Events:
    """T2a: the count-in before a start. None without the option, or on paper, which lies open from the deal on (C2)."""
    limit = deadline(now, table.options.count_in_s)
    return () if limit is None or table.options.companion else (Opened("count", limit),)


def limit_reached(table: Table, now: Instant) -> bool:
    return table.limit is not None and now >= table.limit


def deadline(now: Instant, seconds: int) -> Instant | None:
    """The instant so many seconds from now; 0 means no limit."""
    return Instant(now + seconds * SECOND) if seconds else None


def voters(table: Table) -> list[SeatNo]:
    """The seats that can agree to an end: all in the round; in a play-off also before the deal (X15, Q18)."""
    return contending(table) or [seat for seat in table.among or () if not table.seats[seat].gone]


def agreed_at(table: Table) -> Instant | None:
    """K17: when the end is agreed on, now or later if nobody moves or comes back; None: never.

    Somebody has asked for it, and everyone else has too or has been away for a minute.
    """
    if table.phase == "enter" and table.area is None:
        # C6: the round has ended, and the cards are being counted.
        return None
    asked = [table.seats[number] for number in voters(table)]
    # K15: a call stands even if the caller leaves right after it; in an area only seats still in it count (W17).
    callers = table.seats if table.area is None else asked
    if not any(seat.stop for seat in asked) or any(seat.called is not None for seat in callers):
        return None
    silent = [seat.away for seat in asked if not seat.stop]
    present = None in silent
    if present:
        return None
    return Instant(max([since + AWAY_AGREES for since in silent if since is not None], default=0))


def agreed(table: Table, now: Instant) -> bool:
    at = agreed_at(table)
    return at is not None and at <= now


def deadline_event(table: Table) -> Events:
    """Corrects `until` where it is not simply the limit: an agreed end may wait for a player who is away."""
    until = table.limit
    for seat in table.seats:
        if seat.stop:
            at = agreed_at(table)
            if at is not None and (until is None or at < until):
                until = at
            break
    return () if until == table.until else (Due(until),)


def ranked(keys: Sequence[Any], seats: Sequence[SeatNo]) -> Places:
    """Places by these keys, best first; equal ones share a place."""
    best = sorted({keys[seat] for seat in seats}, reverse=True)
    return tuple(tuple(seat for seat in seats if keys[seat] == key) for key in best)


def standing_by(table: Table, keys: Sequence[Any]) -> Places:
    """Places by these keys; T11: players who left come last, so nobody wins by leaving while ahead."""
    stay = staying(table)
    return (*ranked(keys, stay), *ranked(keys, [seat for seat, _ in numbered(keys) if seat not in stay]))

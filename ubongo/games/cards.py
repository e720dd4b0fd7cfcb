"""Ubongo, the card game (K): lay seven of your nine cards so that neighbours share exactly two equal pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace

from ubongo import layout
from ubongo.chance import Chance
from ubongo.events import (
    AnyEvent,
    Called,
    Counted,
    Dealt,
    Judged,
    Lifted,
    Limited,
    MatchClosed,
    Opened,
    Placed,
    RoundClosed,
    RoundOpened,
    Scored,
    Started,
    Stopped,
    TakenBack,
)
from ubongo.game import (
    Events,
    agreed,
    answer_ready,
    count_in,
    deadline,
    face_dealt,
    limit_reached,
    make_ready,
    standing_by,
    unready,
)
from ubongo.games.board import refuse_unless_laid
from ubongo.games.editions import chosen
from ubongo.layout import GOAL
from ubongo.material.cards import CARDS, SIDES, STACKS, CardsEdition, name_of
from ubongo.material.cards import pieces as pieces_of
from ubongo.moves import Call, Claim, Lift, Move, Place, Ready, Refused, Stop, TakeBack
from ubongo.moves import name_of as name_of_move
from ubongo.pieces import Piece, Placement
from ubongo.table import Instant, Options, Places, Seat, SeatNo, Table, Task, contending, numbered, staying
from ubongo.tiling import Verdict

NAME = "cards"
SEATS = range(2, 5)
ROUNDS, HAND, FULL = 6, 9, 10
# The search mostly succeeds at once; for a hard hand it gives up here.
MOST_NODES = 20_000


class CardsOptions(Options, frozen=True, kw_only=True, gc=False):
    auto_call: bool = False
    checking: Literal["at_call", "live"] = "at_call"
    tie_ms: Annotated[int, Meta(ge=0, le=10_000)] = 150
    round_s: Annotated[int, Meta(ge=0, le=86_400)] = 0


OPTIONS = CardsOptions


def _options(table: Table) -> CardsOptions:
    assert isinstance(table.options, CardsOptions)
    return table.options


def pieces(options: Options) -> Mapping[str, Piece]:
    return faces(options.edition)


@lru_cache(16)
def faces(edition: str) -> Mapping[str, Piece]:
    return pieces_of(chosen(CardsEdition, edition))


def opening(names: Sequence[str], options: Options) -> Table:
    options = replace(options, edition=chosen(CardsEdition, options.edition).id)
    limit = deadline(Instant(0), options.ready_s)
    return Table(NAME, options, tuple(map(Seat, names)), phase="ready", limit=limit, until=limit)


@lru_cache(1024)
def shuffled(chance: Chance, stack: int) -> tuple[int, ...]:
    """K4: each stack is shuffled by itself."""
    return chance.shuffled(range(1, CARDS + 1), "stack", stack)


def deal(table: Table, chance: Chance) -> list[AnyEvent]:
    """K4: nine cards of the round's stack; in the even rounds the same ones again, turned to their black side."""
    stack, side = STACKS[(table.round - 1) // 2], SIDES[(table.round - 1) % 2]
    cards = shuffled(chance, stack)
    if table.options.companion:
        # C2: the stack and the side; the table need not know which cards each player has.
        paper = Task((), board=str(stack), number=side)
        return [Dealt(seat, paper) for seat in staying(table)]
    face = face_dealt(table.options)
    hands = {seat: cards[seat * HAND : (seat + 1) * HAND] for seat in staying(table)}
    return [
        Dealt(seat, Task(tuple(name_of(stack, card, side) for card in hand), face=face)) for seat, hand in hands.items()
    ]


def answer(table: Table, seat: SeatNo, move: Move, now: Instant, _: Chance) -> Events:  # noqa: PLR0911 - a case each
    match move:
        case Place():
            return place(table, seat, playing(table, seat), move, now)
        case Lift(piece):
            me = playing(table, seat)
            refuse_unless_laid(me, piece)
            return (Lifted(seat, piece), *seen(table, seat, tuple(where for where in me.laid if where.piece != piece)))
        case Call():
            return call(table, seat, now)
        case Ready():
            return answer_ready(table, seat)
        case Stop():
            if playing(table, seat).stop:
                raise Refused("already_stopped")
            return (Stopped(seat),)
        case Claim(None):
            return claim(table, seat, now)
        case Claim(int(cards)):
            return count(table, seat, cards)
        case TakeBack():
            return take_back(table, seat)
    raise Refused("not_here", move=name_of_move(move))


def playing(table: Table, seat: SeatNo) -> Seat:
    """The seat, if it may lay, move and lift now; after the first call nobody may (K12, K15)."""
    if table.phase != "play":
        raise Refused("not_started")
    if any([other.called is not None for other in table.seats]):  # noqa: C419 - quicker than a generator
        raise Refused("round_called")
    return table.seats[seat]


def place(table: Table, seat: SeatNo, me: Seat, move: Place, now: Instant) -> Events:
    laid = lay(me, move)
    events = (Placed(seat, move.piece, move.turn, move.at), *seen(table, seat, laid))
    options = _options(table)
    # T10: laying the seventh card of a right layout is the call.
    if options.auto_call and len(laid) == GOAL and judge(table, replace(me, laid=laid)).state == "solved":
        return (*events, Called(seat, now), Limited(Instant(now + options.tie_ms)))
    return events


def lay(me: Seat, move: Place) -> tuple[Placement, ...]:
    """K6, K11: cards do not overlap, and no more than seven lie; everything else may be laid, right or wrong."""
    others = [where for where in me.laid if where.piece != move.piece]
    if len(others) == GOAL:
        raise Refused("too_many", goal=GOAL)
    x, y = move.at
    wide, high = size(move.turn)
    for where in others:
        at_x, at_y = where.at
        its_width, its_height = size(where.turn)
        if at_x - wide < x < at_x + its_width and at_y - high < y < at_y + its_height:
            raise Refused("overlap")
    return (*others, Placement(move.piece, move.turn, move.at))


def size(turn: int) -> tuple[int, int]:
    """A card's width and height: upright, or lying on its side."""
    return (layout.ROWS, layout.COLUMNS) if turn % 2 else (layout.COLUMNS, layout.ROWS)


def seen(table: Table, seat: SeatNo, laid: tuple[Placement, ...]) -> Events:
    """K12: with `checking: live` its owner sees at once which cards are wrong."""
    if _options(table).checking == "at_call":
        return ()
    wrong = wrong_cards(table, replace(table.seats[seat], laid=laid))
    return () if wrong == table.seats[seat].wrong else (Judged(seat, wrong),)


def call(table: Table, seat: SeatNo, now: Instant) -> Events:
    """K12: with seven cards down, right or wrong; K15: others who had seven by then may still call for a moment."""
    me = table.seats[seat]
    if table.phase != "play":
        raise Refused("not_started")
    if me.called is not None:
        raise Refused("has_called")
    if len(me.laid) < GOAL:
        raise Refused("too_few", laid=len(me.laid), goal=GOAL)
    called = [other.called for other in table.seats if other.called is not None]
    if not called:
        return (Called(seat, now), Limited(Instant(now + _options(table).tie_ms)))
    # After a restart the round closes later, but calls no longer count as simultaneous.
    if now >= min(called) + _options(table).tie_ms:
        raise Refused("round_called")
    return (Called(seat, now),)


def claim(table: Table, seat: SeatNo, now: Instant) -> Events:
    """C6: the call of someone who lays on paper. Players who called at the same moment say so before they count."""
    me = table.seats[seat]
    if table.phase == "enter" and all(other.called is None for other in table.seats):
        raise Refused("not_now", move="claim", phase=table.phase)
    if table.phase not in ("play", "enter"):
        raise Refused("not_started")
    if me.called is not None:
        raise Refused("has_called")
    if me.cards is not None:
        raise Refused("has_counted", cards=me.cards)
    called = Called(seat, now)
    return (called,) if table.phase == "enter" else (called, Opened("enter"))


def count(table: Table, seat: SeatNo, cards: int) -> Events:
    """C6: how many cards lie, 0 if any of them lies wrong (K13); a caller has all of them or none."""
    me = table.seats[seat]
    if table.phase != "enter":
        raise Refused("not_now", move="claim", phase=table.phase)
    if not 0 <= cards <= GOAL:
        raise Refused("no_such_count", goal=GOAL)
    if me.called is not None and cards not in (0, GOAL):
        raise Refused("caller_counts", goal=GOAL)
    return (Counted(seat, cards),)


def take_back(table: Table, seat: SeatNo) -> Events:
    """C3: takes back the count and the call; if it was the only call, everybody goes on laying."""
    me = table.seats[seat]
    if table.phase != "enter" or (me.called is None and me.cards is None):
        raise Refused("not_claimed")
    others = [other.called for number, other in enumerate(table.seats) if number != seat]
    if me.called is None or any(at is not None for at in others):
        return (TakenBack(seat),)
    assert table.started is not None
    counted = [TakenBack(number) for number, other in numbered(table.seats) if other.cards is not None]
    back = [TakenBack(seat), *(one for one in counted if one.seat != seat)]
    return (*back, Opened("play", deadline(table.started, _options(table).round_s)))


def judge(table: Table, seat: Seat) -> Verdict:
    assert seat.task is not None
    return verdict(pieces(table.options), seat.task, seat.laid)


def wrong_cards(table: Table, seat: Seat) -> tuple[int, ...]:
    return tuple(sorted(seat.laid[number].piece for number in judge(table, seat).wrong))


def follow(table: Table, now: Instant, chance: Chance) -> Events:  # noqa: PLR0911 - a case each
    match table.phase:
        case "ready" if all(seat.task is None for seat in table.seats):
            return deal(table, chance)
        case "ready" if not unready(table):
            return count_in(table, now) or start(table, now)
        case "count" if limit_reached(table, now):
            return start(table, now)
        case "ready":
            return make_ready(table, now)
        case "play" if limit_reached(table, now) or agreed(table, now):
            return (Opened("enter"),) if table.options.companion else close(table, now, chance)
        case "enter" if all(table.seats[seat].cards is not None for seat in contending(table)):
            return close(table, now, chance)
    return ()


def start(table: Table, now: Instant) -> Events:
    """K18: a round may have a limit."""
    return (Started(now, deadline(now, _options(table).round_s)),)


def close(table: Table, now: Instant, chance: Chance) -> Events:
    """K13 to K17: every layout is checked, and everyone gets points for the round; players who left get none (T11)."""
    unseen = table.options.companion
    wrong = [wrong_cards(table, seat) if seat.task is not None and not unseen else () for seat in table.seats]
    scores = [points(seat, bool(faults)) for seat, faults in zip(table.seats, wrong, strict=True)]
    closed: list[AnyEvent] = [
        Judged(seat, faults) for seat, faults in numbered(wrong) if faults != table.seats[seat].wrong
    ]
    closed += [Scored(seat, score) for seat, score in numbered(scores)]
    closed.append(RoundClosed(table.round))
    if table.round < ROUNDS:
        return (*closed, RoundOpened(table.round + 1, "ready", deadline(now, table.options.ready_s)))
    seats = [replace(seat, points=(*seat.points, score)) for seat, score in zip(table.seats, scores, strict=True)]
    final = replace(table, seats=tuple(seats))
    return (*closed, MatchClosed(standing(final), totals(final), chance.seed))


def points(seat: Seat, wrong: bool) -> int:
    """K13: a wrong layout scores 0; K14: the caller 10, everyone else the number of cards they have down."""
    if wrong or seat.gone:
        return 0
    lying = len(seat.laid) if seat.cards is None else seat.cards
    # C6: a caller who has laid wrongly says 0.
    return FULL if seat.called is not None and lying else lying


def verdict(known: Mapping[str, Piece], task: Task, laid: Sequence[Placement]) -> Verdict:
    return layout.verdict([known[str(name)] for name in task.pieces], laid)


def solution(options: Options, task: Task) -> tuple[Placement, ...] | None:
    """A right layout of seven of the hand; of a hand that nobody sees there is none."""
    return None if options.companion else _seven(options.edition, task.pieces)


@lru_cache(4096)
def _seven(edition: str, names: tuple[str | None, ...]) -> tuple[Placement, ...] | None:
    known = pieces_of(chosen(CardsEdition, edition))
    return layout.CardSearch([known[str(name)] for name in names], most_nodes=MOST_NODES).layout()


def totals(table: Table) -> tuple[int, ...]:
    return tuple(sum(seat.points) for seat in table.seats)


def standing(table: Table) -> Places:
    """K19: by the sum, then by the number of 10s; if still equal, they share the place."""
    return standing_by(table, [(sum(seat.points), seat.points.count(FULL)) for seat in table.seats])

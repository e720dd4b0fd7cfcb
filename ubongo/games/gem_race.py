"""The race for gems, as Extreme and 3-D run it: hourglass, rewards, second chance, display, play-off."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from ubongo.chance import Chance
from ubongo.events import (
    AnyEvent,
    Called,
    Dealt,
    GemMoved,
    GlassTurned,
    Lifted,
    MatchClosed,
    Opened,
    Passed,
    Placed,
    RoundClosed,
    RoundOpened,
    Started,
    Stopped,
    TakenBack,
    Thrown,
)
from ubongo.evolve import replay
from ubongo.game import (
    SECOND,
    BadOptions,
    Events,
    agreed,
    answer_ready,
    count_in,
    deadline,
    limit_reached,
    make_ready,
    refuse_unless_thrower,
    standing_by,
    throws_by_itself,
    unpassed,
    unready,
    voters,
)
from ubongo.games.board import CellsOf, full, lay, refuse_unless_laid
from ubongo.moves import Call, Claim, Lift, Move, Pass, Place, Ready, Refused, Stop, TakeBack, Throw, TurnBack, name_of
from ubongo.table import (
    Gem,
    Instant,
    Options,
    Phase,
    Places,
    Seat,
    SeatNo,
    Table,
    Task,
    contending,
    next_seat,
    numbered,
    staying,
)

ROUNDS = 9
DISPLAY: tuple[Gem, Gem] = ("sapphire", "amber")
LADDER: tuple[Gem, ...] = ("ruby", "sapphire", "emerald", "amber")
VALUE: Mapping[Gem, int] = {"ruby": 4, "sapphire": 3, "emerald": 2, "amber": 1}


class RaceOptions(Options, frozen=True, kw_only=True, gc=False):
    side: Literal[3, 4] = 3
    hourglass_s: Annotated[int, Meta(ge=1, le=3600)] = 60
    auto_call: bool = True
    end: Literal["itself", "pass"] = "itself"


Deal = Callable[[Table, Sequence[SeatNo], Chance], Sequence[tuple[SeatNo, Task]]]
Throws = Callable[[Table, Chance], Sequence[int]]


class Race(Struct, frozen=True):
    """What differs between the two. `throws`: the numbers of a throw, the last one counts; None: there is no die."""

    cells: CellsOf
    deal: Deal
    second_chance: Literal["one", "all"]
    throws: Throws | None = None
    ladder: Callable[[Table], bool] = lambda _: False
    throwing: Callable[[Table, bool], bool] = lambda _, __: False


def opening(
    game: str, names: Sequence[str], options: Options, gems: Mapping[Gem, int], ladder: bool, throwing: bool
) -> Table:
    """X5, Q7: nine sapphires and nine ambers in the display, the rest in the bag."""
    if waits_for_word(options) and not options.companion:
        raise BadOptions("end is 'pass'; it goes with companion only")
    display: tuple[Gem, ...] = () if ladder else tuple(gem for gem in DISPLAY for _ in range(ROUNDS))
    bag = tuple(gem for gem, number in gems.items() for _ in range(number - display.count(gem)))
    limit = deadline(Instant(0), options.ready_s)
    return Table(
        game,
        options,
        tuple(map(Seat, names)),
        phase="throw" if throwing else "ready",
        roller=SeatNo(options.first_seat) if throwing else None,
        limit=limit,
        until=limit,
        display=display,
        bag=bag,
    )


def waits_for_word(options: Options) -> bool:
    """C5: whether a round ends only when everyone has said so, not by itself."""
    assert isinstance(options, RaceOptions)
    return options.end == "pass"


def answer(race: Race, table: Table, seat: SeatNo, move: Move, now: Instant, chance: Chance) -> Events:  # noqa: C901, PLR0911, PLR0912 - a case each
    match move:
        case Place(piece, turn, at):
            me = playing(table, seat, move)
            completes = lay(race.cells, me, move)
            placed = Placed(seat, piece, turn, at)
            # T10: laying the piece that completes an exact filling is the call.
            if completes and auto_call(table):
                return (placed, *call(race, table, seat, now, chance))
            return (placed,)
        case Lift(piece):
            refuse_unless_laid(playing(table, seat, move), piece)
            return (Lifted(seat, piece),)
        case Call():
            # T9: a call for an area that is not exactly filled is refused and costs nothing.
            if not full(race.cells, playing(table, seat, move)):
                raise Refused("not_filled")
            return call(race, table, seat, now, chance)
        case Ready():
            return answer_ready(table, seat)
        case Throw() if race.throws is not None:
            refuse_unless_thrower(table, seat)
            return throw(race, table, now, chance)
        case Stop():
            return stop(table, seat)
        case Claim(None):
            return claim(race, table, seat, now, chance)
        case TakeBack():
            return take_back(race, table, seat, chance)
        case Pass() if waits_for_word(table.options):
            if in_round(table, seat, move).passed:
                raise Refused("already_passed")
            return (Passed(seat),)
        case TurnBack() if waits_for_word(table.options):
            return turn_back(table, seat, move)
    raise Refused("not_here", move=name_of(move))


def auto_call(table: Table) -> bool:
    options = table.options
    assert isinstance(options, RaceOptions)
    return options.auto_call


def playing(table: Table, seat: SeatNo, move: Move) -> Seat:
    """The seat, if it may lay, lift and call now."""
    me = in_round(table, seat, move)
    if me.called is not None:
        raise Refused("has_called")
    return me


def in_round(table: Table, seat: SeatNo, move: Move) -> Seat:
    """The seat, if it is in the current round."""
    me = table.seats[seat]
    if table.phase != "play":
        raise Refused("not_started" if table.phase in ("ready", "throw") else "not_now", move=name_of(move))
    if me.task is None:
        raise Refused("not_in_playoff")
    return me


def stop(table: Table, seat: SeatNo) -> Events:
    """X15: only a play-off, which has no hourglass, can end by agreement."""
    me = table.seats[seat]
    if not table.playoff:
        raise Refused("not_now", move="stop", phase=table.phase)
    if seat not in voters(table):
        raise Refused("not_in_playoff")
    if me.stop:
        raise Refused("already_stopped")
    return (Stopped(seat),)


def call(race: Race, table: Table, seat: SeatNo, now: Instant, chance: Chance) -> Events:
    rank = sum([other.called is not None for other in table.seats])
    return (Called(seat, now), *reward(race, table, seat, rank, chance))


def reward(race: Race, table: Table, seat: SeatNo, rank: int, chance: Chance) -> Events:
    """X9, Q12: the first takes a sapphire, the second an amber, and everyone draws a gem from the bag."""
    if table.playoff:
        return ()
    # Q20: no luck; the gems are taken from the bag by their kind.
    if race.ladder(table):
        return (GemMoved(LADDER[rank], "bag", seat),)
    drawn = GemMoved(chance.pick(table.bag, "bag", table.round, rank), "bag", seat)
    return (GemMoved(DISPLAY[rank], "display", seat), drawn) if from_display(race, table, rank) else (drawn,)


def from_display(race: Race, table: Table, rank: int) -> bool:
    """X12: in Extreme's second chance nothing comes from the display."""
    return rank < len(DISPLAY) and not one_wins(race, table) and not race.ladder(table)


def one_wins(race: Race, table: Table) -> bool:
    """X12, X15: whether the first to finish ends the round."""
    return table.playoff or (table.glass is not None and table.glass.turned == 2 and race.second_chance == "one")


def claimed(table: Table) -> list[SeatNo]:
    """The seats that have claimed, in the order of their claims."""
    times = [(seat.called, number) for number, seat in numbered(table.seats) if seat.called is not None]
    return [number for _, number in sorted(times)]


def claim(race: Race, table: Table, seat: SeatNo, now: Instant, chance: Chance) -> Events:
    """C4: the call of a player with paper. Of claims in the same millisecond the later one gets the next one."""
    playing(table, seat, Claim())
    earlier = claimed(table)
    if earlier and one_wins(race, table):
        raise Refused("too_late")
    last = table.seats[earlier[-1]].called if earlier else None
    return call(race, table, seat, Instant(now if last is None else max(now, last + 1)), chance)


def take_back(race: Race, table: Table, seat: SeatNo, chance: Chance) -> Events:
    """C3: as if it had never been claimed: later claimants give back what they won and are rewarded again."""
    if table.phase != "play" or table.seats[seat].called is None:
        raise Refused("not_claimed")
    order = claimed(table)
    first = order.index(seat)
    events: list[AnyEvent] = []
    for rank, number in enumerate(order[first:], first):
        won = list(table.seats[number].won)
        if from_display(race, table, rank):
            won.remove(DISPLAY[rank])
            events.append(GemMoved(DISPLAY[rank], number, "display"))
        events += [GemMoved(gem, number, "bag") for gem in won]
    events.append(TakenBack(seat))
    table = replay(table, events)
    for rank, number in enumerate(order[first + 1 :], first):
        again = reward(race, table, number, rank, chance)
        table = replay(table, again)
        events += again
    return events


def throw(race: Race, table: Table, now: Instant, chance: Chance) -> Events:
    """Q8: the number is the same for all, and says which task of their boards they get."""
    assert race.throws is not None
    thrown = [Thrown((number,)) for number in race.throws(table, chance)]
    return (*thrown, *deal(race, table, chance), Opened("ready", deadline(now, table.options.ready_s)))


def deal(race: Race, table: Table, chance: Chance) -> list[AnyEvent]:
    seats = leaders(table) if table.playoff else staying(table)
    return [Dealt(seat, task) for seat, task in race.deal(table, seats, chance)]


def follow(race: Race, table: Table, now: Instant, chance: Chance) -> Events:  # noqa: PLR0911 - a case each
    match table.phase:
        case "play":
            return run(race, table, now, chance)
        case "ready" | "throw" | "count" if table.playoff and (len(in_playoff(table)) < 2 or agreed(table, now)):
            return close(race, table, now, chance)
        case "throw" if throws_by_itself(table, now):
            return throw(race, table, now, chance)
        case "ready" if all(seat.task is None for seat in table.seats):
            return deal(race, table, chance)
        case "ready" if not unready(table):
            return count_in(table, now) or start(table, now)
        case "count" if limit_reached(table, now):
            return start(table, now)
        case "ready":
            return make_ready(table, now)
    return ()


def start(table: Table, now: Instant) -> Events:
    """X7, Q9: the glass is turned when everyone is ready; X15, Q18: a play-off has none."""
    if table.playoff:
        return (Started(now),)
    return (Started(now), *turned(table, 1, now))


def turned(table: Table, times: int, now: Instant) -> Events:
    """C5: if a round waits until everybody has spoken, the hourglass ends nothing."""
    options = table.options
    assert isinstance(options, RaceOptions)
    glass = GlassTurned(times, Instant(now + options.hourglass_s * SECOND))
    return (glass, Opened("play")) if waits_for_word(options) else (glass,)


def turn_back(table: Table, seat: SeatNo, move: Move) -> Events:
    """C5: as if the glass had not been turned: the first sand runs on, and nobody has said that it is over."""
    in_round(table, seat, move)
    if table.glass is None or table.glass.turned == 1 or claimed(table):
        raise Refused("not_now", move=name_of(move))
    assert table.started is not None
    return turned(table, 1, table.started)


def run(race: Race, table: Table, now: Instant, chance: Chance) -> Events:
    """X10 to X12, Q11 to Q16: when the round ends, and whether there is a second chance."""
    glass = table.glass
    called = waited_for = 0
    for seat in table.seats:
        if seat.called is not None:
            called += 1
        elif seat.task is not None and not seat.gone:
            waited_for += 1
    if waits_for_word(table.options):
        over = not unpassed(table)
    elif glass is None:
        over = called > 0
    else:
        # X12: the first to finish in Extreme's second chance ends the round at once.
        over = not waited_for or now >= glass.ends or (called > 0 and one_wins(race, table))
    if glass is None:
        over = over or called + waited_for < 2 or agreed(table, now)
    elif over and not called and waited_for and glass.turned == 1:
        return turned(table, 2, now)
    return close(race, table, now, chance) if over else ()


def clear_display(table: Table) -> list[AnyEvent]:
    """X11, Q14: after each round the display holds exactly one sapphire and one amber fewer."""
    left = ROUNDS - table.round
    return [GemMoved(gem, "display", "bag") for gem in DISPLAY if table.display.count(gem) > left >= 0]


def close(race: Race, table: Table, now: Instant, chance: Chance) -> Events:
    closed = (*clear_display(table), RoundClosed(table.round))
    leading = leaders(table)
    playoff = table.round == ROUNDS and len(leading) > 1
    if table.round >= ROUNDS and not playoff:
        return (*closed, MatchClosed(standing(table), totals(table), chance.seed))
    throwing = race.throwing(table, playoff)
    phase: Phase = "throw" if throwing else "ready"
    # Q8, Q18: the next clockwise of the seats that play.
    roller = next_seat(table, table.roller, leading if playoff else staying(table)) if throwing else None
    limit = deadline(now, table.options.ready_s)
    among = tuple(leading) if playoff else None
    return (*closed, RoundOpened(table.round + 1, phase, limit, roller, playoff=playoff, among=among))


def worth(seat: Seat) -> int:
    """X14, Q17: the value of the gems."""
    return sum([VALUE[gem] for gem in seat.gems])


def totals(table: Table) -> tuple[int, ...]:
    return tuple([worth(seat) for seat in table.seats])


def leaders(table: Table) -> list[SeatNo]:
    """Those who share the first place among the seats still there (T11)."""
    worths = totals(table)
    there = staying(table)
    highest = max([worths[seat] for seat in there])
    return [seat for seat in there if worths[seat] == highest]


def in_playoff(table: Table) -> list[SeatNo]:
    return contending(table) or leaders(table)


def standing(table: Table) -> Places:
    """X14, X15: by value; the winner of the play-off is first, and the others in it share second place."""
    return standing_by(table, [(worth(seat), table.playoff and seat.called is not None) for seat in table.seats])

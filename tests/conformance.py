"""The conformance kit: what holds for every `Game`, present or future, whatever the players do.

Seeded players solve, dawdle, cheat, leave and return. They see the unveiled table, which only tests may do.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import msgspec
import pytest

from tests.play import replayed, solution
from ubongo import moves
from ubongo.events import (
    AnyEvent,
    Away,
    Back,
    Called,
    Due,
    GemMoved,
    Left,
    MatchClosed,
    Opened,
    Placed,
    RoundClosed,
    RoundOpened,
    Scored,
    Started,
    Thrown,
)
from ubongo.evolve import evolve
from ubongo.game import Game, deadline_event, play
from ubongo.match_file import read_events, write_line
from ubongo.moves import Call, Grab, Lift, Move, Pass, Place, Ready, Refused, SetAside, Stop, Throw
from ubongo.pieces import covered, fits
from ubongo.table import Instant, Options, SeatNo, Table, contending
from ubongo.veil import veil, veil_event
from ubongo.virtual import VirtualTable

_encode = msgspec.json.Encoder().encode

# Together they cover every value of every option that changes what a player experiences.
OPTIONS: dict[str, list[dict[str, object]]] = {
    "null": [{}, {"ready_s": 0}],
    "cards": [
        {},
        {"auto_call": True, "reveal": "deal", "ready_s": 0},
        {"checking": "live", "tie_ms": 0, "round_s": 40},
    ],
    "dice": [
        {},
        {"places": "dense", "ready_s": 0, "first_seat": 1},
        {"grab_s": 0, "enter_s": 0},
    ],
    "extreme": [
        {},
        {"side": 4, "reveal": "deal", "ready_s": 0},
        {"auto_call": False, "hourglass_s": 7},
    ],
    "solo": [
        {},
        {"mode": "count", "tasks": 5, "ready_s": 0},
        {"of": "extreme", "side": 4, "mode": "count", "reveal": "deal"},
        {"of": "cubes", "die": "off", "minutes": 5},
        {"of": "cards", "mode": "count", "reveal": "deal"},
        {"of": "cards"},
        {"of": "dice", "ready_s": 0},
        {"of": "dice", "mode": "count", "tasks": 6},
        {"of": "extreme", "mode": "day", "day": "2026-11-15"},
        {"of": "cards", "mode": "day", "day": "2026-11-16"},
        {"of": "dice", "mode": "day", "day": "2026-11-16", "ready_s": 0},
        {"of": "cubes", "mode": "practice", "grade": 4},
        {"of": "cards", "mode": "practice"},
        {"of": "dice", "mode": "practice", "board": "7"},
    ],
    "cubes": [
        {},
        {"side": 4, "reveal": "deal", "ready_s": 0, "first_seat": 1},
        {"auto_call": False, "hourglass_s": 7, "scoring": "ladder"},
        {"die": "off"},
    ],
}

# After this many moves everyone plays to finish, so that every match ends.
PATIENCE = 1500


def nonsense(random: Random) -> Move:
    """Moves that no honest client would send."""
    number = random.choice([-1, 0, 1, 2, 3, 7, 99, 10**30, -(10**30)])
    cell = tuple(random.choice([-5, 0, 1, 2, 10**18]) for _ in range(random.choice([0, 1, 2, 2, 3, 3, 4])))
    return random.choice([
        Ready(), Call(), Throw(), Pass(), SetAside(), moves.Hint(), moves.ComeBack(), Lift(number), Grab(number),
        Place(number, random.choice([0, 1, 5, 99, -1]), cell), Place(0, 0, cell), Place(0, 0, (0, 0)), Stop(),
    ])  # fmt: skip


class People:
    """Everyone at the table: decides at random who moves next, and how."""

    def __init__(self, match: VirtualTable, random: Random) -> None:
        self.match, self.random = match, random
        self.traits = [random.choice(["solver", "solver", "dawdler", "cheat", "wanderer"]) for _ in match.table.seats]
        self.moves_made = 0

    def next(self) -> tuple[SeatNo, Move, int]:
        """The next seat, its move, and after how many milliseconds."""
        self.moves_made += 1
        seat = SeatNo(self.random.randrange(len(self.match.table.seats)))
        hurry = self.moves_made > PATIENCE
        trait = "solver" if hurry else self.traits[seat]
        pause = self.random.choice(
            [0, 0, 1, 20, 150, 900, 5_000] if hurry or self.random.random() < 0.97 else [35_000, 130_000]
        )
        if trait == "cheat" and self.random.random() < 0.5:
            return seat, nonsense(self.random), pause
        if trait == "wanderer" and self.random.random() < 0.2:
            back = not self.match.table.seats[seat].present
            leaves = self.random.random() < 0.02
            return seat, moves.Leave() if leaves else moves.ComeBack() if back else moves.GoAway(), pause
        if trait == "dawdler" and self.random.random() < 0.7:
            return seat, self.random.choice([Lift(0), Stop(), SetAside(), moves.Hint(), Ready()]), pause
        return seat, self.sensible(seat, hurry), pause

    def sensible(self, seat: SeatNo, hurry: bool) -> Move:  # noqa: PLR0911 - a case each
        table = self.match.table
        if hurry and len(table.seats) == 1 and (table.dice or getattr(table.options, "mode", "") == "practice"):
            # A solo player cannot agree to stop: practice never ends, and filling areas with dice takes long.
            return moves.Leave()
        match table.phase:
            case "throw":
                return Throw() if table.roller == seat else Stop() if hurry else Throw()
            case "ready":
                return Ready()
            case "count":
                # Every move must be refused during the count-in.
                return self.random.choice([Ready(), Throw(), Call(), Stop(), Pass(), Grab(0), Lift(0), SetAside()])
            case "grab":
                free = [die for die, one in enumerate(table.dice) if one.taken is None]
                return Stop() if hurry else Grab(self.random.choice(free or [0]))
            case "enter":
                return Stop() if hurry else self.enter(table, seat)
        return self.lay(table, seat)

    def lay(self, table: Table, seat: SeatNo) -> Move:
        me = table.seats[seat]
        if me.task is None:
            return Call()
        known = self.match.game.pieces(table.options)
        name = getattr(table.options, "of", table.game)
        right = solution(name, [known[str(one)] for one in me.task.pieces], me.task)
        if self.random.random() < 0.1:
            return Lift(self.random.randrange(len(me.task.pieces)))
        wrong = [where for where in me.laid if where not in right]
        if wrong:
            return Lift(wrong[0].piece)
        rest = [where for where in right if where not in me.laid]
        if not rest or self.random.random() < 0.05:
            return Call()
        where = self.random.choice(rest)
        return Place(where.piece, where.turn, where.at)

    def enter(self, table: Table, seat: SeatNo) -> Move:
        """One of this round's shapes, most often where it fits; enough to fill an area now and then."""
        me = table.seats[seat]
        if me.task is None or me.task.region is None or len(me.task.pieces) < 2 or self.random.random() < 0.2:
            return Pass()
        known = [self.match.game.pieces(table.options)[str(name)] for name in me.task.pieces]
        piece = len(known) - 1 - self.random.randrange(2)
        taken = {cell for where in me.laid if where.piece != piece for cell in covered(known[where.piece], where)}
        free = me.task.region if self.random.random() < 0.1 else [cell for cell in me.task.region if cell not in taken]
        ways = list(fits(known[piece].shapes, free))
        if not ways:
            return Pass()
        turn, at = self.random.choice(ways)
        return Place(piece, turn, at)


def played(game: Game, seats: int, seed: str, options: Options) -> VirtualTable:
    """Plays a match to its end and checks every invariant on the way."""
    names = ["Ann", "Bo", "Cy", "Di"][:seats]
    match = VirtualTable(game, names, options, seed)
    people = People(match, Random(seed))
    invariants = Invariants(match.opening)
    invariants.events(match)
    while match.table.phase != "over":
        seat, move, pause = people.next()
        assert people.moves_made < 20 * PATIENCE, "the match does not end"
        match.pass_to(Instant(match.now + pause))
        before = match.table
        try:
            match.ask(seat, move, match.now)
        except Refused:
            assert match.table is before
        invariants.events(match)
        invariants.quiet(match)
    invariants.over(match)
    return match


class Invariants:
    """Checks the invariants after every event and at the end."""

    def __init__(self, opening: Table) -> None:
        self.table = opening
        self.matter = matter(opening)
        self.seen = 0
        self.round: list[AnyEvent] = []

    def events(self, match: VirtualTable) -> None:
        for line in match.log[self.seen :]:
            before, self.table = self.table, evolve(self.table, line.event)
            counted_in(before, line.at, line.event)
            assert matter(self.table) == self.matter, f"{line.event} creates or loses material"
            secret(self.table, line.event, match.chance.seed)
            judged(match.game, self.table, line.event)
            self.won(line.event)
            if isinstance(line.event, Started):
                solvable(match.game, self.table)
            assert self.seen == 0 or line.at >= match.log[self.seen - 1].at
            self.seen += 1
            assert line.version == self.seen
        assert self.table == match.table
        if match.table.until is not None:
            assert match.table.until > match.now

    def won(self, event: AnyEvent) -> None:
        """The result shown for a closed round is what was won in it."""
        self.round.append(event)
        if not isinstance(event, RoundClosed):
            return
        assert self.table.last is not None
        for number, result in enumerate(self.table.last):
            gems = [one.gem for one in self.round if isinstance(one, GemMoved) and one.target == number]
            points = [one.points for one in self.round if isinstance(one, Scored) and one.seat == number]
            assert sorted(result.gems) == sorted(gems)
            if points or self.table.area is None:
                # An area of the dice game may have been scored rounds ago.
                assert result.points == (points[0] if points else None)
        self.round = []

    def quiet(self, match: VirtualTable) -> None:
        if match.table.phase != "over":
            assert not match.game.follow(match.table, match.now, match.chance)
            assert not deadline_event(match.table)

    def over(self, match: VirtualTable) -> None:
        body = b"".join(map(write_line, match.log))
        assert replayed(match.opening, read_events(body)) == match.table
        assert match.table.seed == match.chance.seed
        assert sorted(seat for place in match.table.standing or () for seat in place) == list(
            range(len(self.table.seats))
        )
        gone = [match.table.seats[seat].gone for place in match.table.standing or () for seat in place]
        assert gone == sorted(gone), "T11: players who left rank below everybody who stayed"
        for move in (Ready(), Place(0, 0, (0, 0)), moves.Leave(), moves.GoAway(), moves.ComeBack()):
            with pytest.raises(Refused, match="over"):
                play(match.game, match.table, SeatNo(0), move, match.now, match.chance)


def counted_in(before: Table, at: Instant, event: AnyEvent) -> None:
    """T2a: every start follows a count-in of the agreed length, and nothing else happens during it."""
    options = before.options
    # Every round is counted in; in solo only the first task. Practice needs no fair start.
    agreed = options.count_in_s if before.began is None or before.game != "solo" else 0
    agreed = 0 if getattr(options, "mode", "") == "practice" else agreed * 1000
    thrown = isinstance(event, Thrown) or (isinstance(event, Opened) and event.phase == "grab")
    starts = thrown if before.game == "dice" else isinstance(event, Started)
    if isinstance(event, Opened) and event.phase == "count":
        assert agreed, "no count-in was agreed"
        assert event.limit == at + agreed
    elif before.phase == "count" and starts:
        assert at == before.limit
    elif before.phase == "count":
        # A player who leaves may end the round, the area or the match, which then closes as usual.
        ends = isinstance(event, GemMoved | Scored | RoundClosed | RoundOpened | MatchClosed)
        assert ends or isinstance(event, Left | Away | Back | Due), event
    elif starts:
        assert not agreed, "the start must be counted in"


def judged(game: Game, table: Table, event: AnyEvent) -> None:
    """Nothing on an area ever lies wrongly, and a player who has called has filled it; judged from scratch."""
    if isinstance(event, Placed | Called):
        seat = table.seats[event.seat]
        if seat.task is not None and seat.task.region is not None:
            state = game.verdict(game.pieces(table.options), seat.task, seat.laid).state
            assert state == "solved" if isinstance(event, Called) else state != "wrong"


def solvable(game: Game, table: Table) -> None:
    """The game's own solution solves the task."""
    for seat in table.seats:
        if seat.task is not None and (found := game.solution(table.options, seat.task)) is not None:
            assert game.verdict(game.pieces(table.options), seat.task, found).state == "solved"


def matter(table: Table) -> Counter[str]:
    """The gems, which are never created or lost. A card is in one hand; a player has at most one die of a colour."""
    gems = Counter[str](table.bag) + Counter(table.display)
    for seat in table.seats:
        gems += Counter(seat.gems)
        assert len({where.piece for where in seat.laid}) == len(seat.laid)
    cards = [name for seat in table.seats if seat.task and seat.task.region is None for name in seat.task.pieces]
    assert len(cards) == len(set(cards))
    taken = [(die.taken, die.colour) for die in table.dice if die.taken is not None]
    assert len(taken) == len(set(taken))
    # A solo player has every die of the box.
    assert len(table.dice) in (0, 1, 8 if table.game == "solo" else 2 * len(table.seats))
    return gems


def secret(table: Table, event: AnyEvent, seed: str) -> None:
    """The veil hides hands and face-down tasks, both in the table and in the event."""
    if table.phase == "over":
        return
    for viewer in (None, *range(len(table.seats))):
        view = veil(table, viewer)
        sent = _encode(view) + _encode(veil_event(event, viewer))
        assert f'"{seed}"'.encode() not in sent
        for number, seat in enumerate(table.seats):
            if seat.task is None or seat.task.face == "up":
                continue
            shown = view.seats[number].task
            if seat.task.face == "down" or (seat.task.region is not None and number != viewer):
                assert shown is None
            elif number != viewer:
                lying = {where.piece for where in seat.laid}
                hidden = [name for i, name in enumerate(seat.task.pieces) if i not in lying]
                assert shown is None or all(name is None or name not in hidden for name in shown.pieces)
                assert not any(f'"{name}"'.encode() in sent for name in hidden), "a card that has not been laid"
    assert not [seat for seat in contending(table) if table.seats[seat].gone]

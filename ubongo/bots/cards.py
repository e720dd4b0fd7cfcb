"""The bot for the card game: searches while it lays card by card, takes cards back, calls, and sometimes errs."""

from __future__ import annotations

from functools import lru_cache
from math import log

from msgspec.structs import replace

from ubongo import layout
from ubongo.bots import pace
from ubongo.bots.luck import BotLuck
from ubongo.bots.pace import LAYING, Level
from ubongo.bots.plan import MovePlan, PlannedLayout, laid_after, plan_of
from ubongo.chance import Label
from ubongo.layout import GOAL, REACH
from ubongo.moves import Call, Lift, Move, Place, Stop
from ubongo.pieces import Piece, Placement
from ubongo.table import Millis

# With n cards down another one can be laid beside them in about 14 (n + 1) ways.
WAYS_A_CARD = 14
# How often it looks for a wrong place to lay a card; there may be none.
LOOKS_FOR_SLIP = 6
# So many moves are more than anybody makes.
MOST_MOVES = 120
# A stand-in searches no longer than this for a layout with another player's cards.
MOST_NODES = 20_000


@lru_cache(4096)
def plan(hand: tuple[Piece, ...], level: Level, seed: str, label: tuple[Label, ...], live: bool) -> MovePlan:
    """All that the bot will do with a hand. `live`: the table shows at once what is wrong (K12)."""
    return HandPlay(hand, level, BotLuck(seed, *label), live).planned()


def for_another(planned: MovePlan, hand: tuple[Piece, ...], laid: PlannedLayout) -> MovePlan:
    """T7: a stand-in keeps the cards that the absent player has laid rightly, and its plan continues from them."""
    if set(laid) <= set(planned.layouts[-1]):
        return planned
    led_to = around(hand, laid)
    ending = Call() if len(led_to) == GOAL else Stop()
    return replace(planned, layouts=(*planned.layouts[:-1], led_to), ending=ending)


@lru_cache(4096)
def around(hand: tuple[Piece, ...], laid: PlannedLayout) -> PlannedLayout:
    """Seven cards with all of these that lie right; where none are found, only those."""
    right: PlannedLayout = ()
    for where in laid:
        if layout.verdict(hand, (*right, where)).state != "wrong":
            right = (*right, where)
    return layout.CardSearch(hand, most_nodes=MOST_NODES).around(right) or right


class HandPlay:
    """One hand, as a player works on it."""

    def __init__(self, hand: tuple[Piece, ...], level: Level, luck: BotLuck, live: bool) -> None:
        self.hand = hand
        self.level: Level = level
        self.luck = luck
        self.live = live
        self.form = pace.slowness(level) * pace.spread_of(luck.normal(), pace.ONE_PERSONS_CARDS)
        self.now: Millis = pace.hand_time(level, LAYING.first)
        self.timed: list[tuple[Millis, Move]] = []
        self.laid: PlannedLayout = ()
        self.slip: int | None = None  # of the cards that lie, the first that is wrong without being known to be
        self.best: PlannedLayout = ()
        self.stuck = 0

    def planned(self) -> MovePlan:
        while len(self.timed) < MOST_MOVES:
            if self.slip is not None and self.luck.happens(1 if self.live else pace.NOTICES[self.level]):
                self.take_back_to(self.slip)
            if len(self.laid) == GOAL:
                if self.slip is None or not self.luck.happens(pace.LOOKS_OVER[self.level]):
                    return plan_of(self.timed, Call(), pace.hand_time(self.level, LAYING.call))
                self.take_back_to(self.slip)
            if not self.lay():
                self.stuck += 1
                if self.stuck > LAYING.patience:
                    break
                self.take_back_to(max(len(self.laid) - 1 - self.luck.below(2), 0))
            elif len(self.laid) < GOAL and self.luck.happens(LAYING.second_thoughts):
                self.take_back_to(len(self.laid) - 1)
        return self.content()

    def lay(self) -> bool:
        """Looks for a card that can be added, and adds it; False: there is none."""
        down = {where.piece for where in self.laid}
        left = [piece for piece in range(len(self.hand)) if piece not in down]
        fits = [where for piece in left for where in layout.beside(self.hand, self.laid, piece)]
        if self.laid:
            ways = len(left) * WAYS_A_CARD * (len(self.laid) + 1)
            # The time until a fit is found has an exponential distribution.
            looks = ways / (len(fits) + 1) * -log(1 - self.luck.share())
            self.now = Millis(self.now + round(1000 * LAYING.look * looks * self.form))
        if len(self.laid) > 1 and self.luck.happens(pace.SLIPS[self.level]) and (slip := self.overlooked(left)):
            if self.slip is None:
                self.slip = len(self.laid)
            self.move(Place(slip.piece, slip.turn, slip.at), LAYING.lay)
            return True
        if not fits:
            return False
        where = self.luck.pick(fits)
        self.move(Place(where.piece, where.turn, where.at), LAYING.lay)
        if self.slip is None and len(self.laid) > len(self.best):
            self.best = self.laid
        return True

    def overlooked(self, left: list[int]) -> Placement | None:
        """K9: a place where a card fits one of those that lie, and not another that it touches there."""
        for _ in range(LOOKS_FOR_SLIP):
            piece, beside = self.luck.pick(left), self.luck.pick(self.laid)
            right = set(layout.beside(self.hand, self.laid, piece))
            others = [where for where in layout.beside(self.hand, [beside], piece) if where not in right]
            free = [where for where in others if not any(overlap(where, other) for other in self.laid)]
            if free:
                return self.luck.pick(free)
        return None

    def take_back_to(self, number: int) -> None:
        """So many cards stay, those laid first."""
        for where in reversed(self.laid[number:]):
            self.move(Lift(where.piece), LAYING.take_back)
        if self.slip is not None and self.slip >= number:
            self.slip = None

    def content(self) -> MovePlan:
        """K17: nothing better was found: lays the best layout so far, and is ready to stop."""
        kept = [where for where in self.laid if where in self.best]
        for where in reversed([where for where in self.laid if where not in kept]):
            self.move(Lift(where.piece), LAYING.take_back)
        for where in self.best:
            if where not in kept:
                self.move(Place(where.piece, where.turn, where.at), LAYING.lay)
        return plan_of(self.timed, Stop(), pace.hand_time(self.level, LAYING.call))

    def move(self, move: Move, seconds: float) -> None:
        self.now = Millis(self.now + pace.hand_time(self.level, seconds))
        self.timed.append((self.now, move))
        self.laid = laid_after(self.laid, move)


def overlap(one: Placement, other: Placement) -> bool:
    dx, dy = other.at[0] - one.at[0], other.at[1] - one.at[1]
    near = -REACH < dx < REACH and -REACH < dy < REACH
    return near and layout.contacts(one.turn, other.turn, dx, dy) is None

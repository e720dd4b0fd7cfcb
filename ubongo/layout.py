"""The card game's geometry: which cards meet, what is right (K6–K10), and the search for seven of nine.

A card has two columns and three rows of symbols. Its turns are clockwise, and mark i stays with cell i:

    turn 0      turn 1      turn 2      turn 3
    0 1         4 2 0       5 4         1 3 5
    2 3         5 3 1       3 2         0 2 4
    4 5                     1 0

Two cards meet only if they are at most 3 squares apart in x and in y. So there are only a few hundred cases of how they
meet, each computed once (`contacts`), and judging a layout means looking up 21 of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from msgspec import Struct

from ubongo.lattice import SQUARE, Cell, anchored, moved, plus
from ubongo.picture import names
from ubongo.pieces import Piece, Placement
from ubongo.tiling import OPEN, SOLVED, Verdict

COLUMNS, ROWS = 2, 3
GOAL = 7
REACH = 3
SHAPES = tuple(anchored(moved(turn, (x, y)) for y in range(ROWS) for x in range(COLUMNS)) for turn in SQUARE.turns)
Contact = tuple[int, int]
Contacts = tuple[Contact, ...]


def card(name: str, rows: Iterable[Iterable[str]]) -> Piece:
    """The piece for a face: three rows of two symbols. It has four turns, even if two of them look alike."""
    return Piece(name, SHAPES, tuple(mark for row in rows for mark in row))


@cache
def contacts(turn: int, other: int, dx: int, dy: int) -> Contacts | None:
    """Which cells of a card touch which of another one that is turned like `other` and lies (dx, dy) from it (K7).

    None: they overlap. Call it only for neighbours (|dx|, |dy| <= REACH): every result is cached.

    >>> contacts(0, 0, 2, 1)
    ((3, 0), (5, 2))
    """
    ours = {cell: i for i, cell in enumerate(SHAPES[turn])}
    theirs = [plus(cell, (dx, dy)) for cell in SHAPES[other]]
    if not ours.keys().isdisjoint(theirs):
        return None
    touching = ((plus(cell, step), j) for j, cell in enumerate(theirs) for step in SQUARE.steps)
    return tuple(sorted((ours[cell], j) for cell, j in touching if cell in ours))


class Lying(Struct, frozen=True):
    """A laid card, with everything needed to judge it."""

    turn: int
    x: int
    y: int
    marks: tuple[str, ...]


def _lying(cards: Sequence[Piece], where: Placement) -> Lying:
    x, y = where.at
    return Lying(where.turn, x, y, cards[where.piece].marks)


APART, RIGHT, WRONG = range(3)


def _meeting(one: Lying, other: Lying) -> int:
    """K8: neighbours have exactly two contacts, and both join equal symbols."""
    dx, dy = other.x - one.x, other.y - one.y
    if not (-REACH <= dx <= REACH and -REACH <= dy <= REACH):
        return APART
    pairs = contacts(one.turn, other.turn, dx, dy)
    if not pairs:
        return APART if pairs == () else WRONG
    if len(pairs) != 2:
        return WRONG
    (i, j), (k, m) = pairs
    ours, theirs = one.marks, other.marks
    return RIGHT if ours[i] == theirs[j] and ours[k] == theirs[m] else WRONG


def verdict(cards: Sequence[Piece], laid: Sequence[Placement]) -> Verdict:
    """Solved when seven lie and all is right; `wrong` are numbers in `laid`, as in `tiling.verdict`.

    If two cards overlap or break K8, both are wrong (K9: any two). If the cards are not all connected (K10), every card
    outside the largest group is wrong; of groups of equal size the one with the card laid first is right.
    """
    lying = [_lying(cards, where) for where in laid]
    wrong: set[int] = set()
    heaps: list[set[int]] = []
    for number, one in enumerate(lying):
        heap = {number}
        for other in range(number):
            if meeting := _meeting(lying[other], one):
                heap.add(other)
                if meeting == WRONG:
                    wrong |= {other, number}
        for joined in [those for those in heaps if not those.isdisjoint(heap)]:
            heaps.remove(joined)
            heap |= joined
        heaps.append(heap)
    if len(heaps) > 1:
        standing = max(heaps, key=lambda heap: (len(heap), -min(heap)))
        wrong |= set(range(len(laid))) - standing
    if wrong:
        return Verdict("wrong", tuple(sorted(wrong)))
    return SOLVED if len(laid) >= GOAL else OPEN


class Snug(Struct, frozen=True, order=True):
    """A way for a card to lie beside another with exactly two contacts: how much further turned, where, and which."""

    further: int
    contacts: Contacts
    turn: int
    dx: int
    dy: int


@cache
def snug(turn: int) -> tuple[Snug, ...]:
    """The 28 ways beside a card with this turn, in the same order for all turns, as if the table were turned."""
    reach = range(-REACH, REACH + 1)
    cases = ((other, dx, dy, contacts(turn, other, dx, dy)) for other in range(4) for dx in reach for dy in reach)
    ways = [Snug((other - turn) % 4, pairs, other, dx, dy) for other, dx, dy, pairs in cases if pairs]
    return tuple(sorted(way for way in ways if len(way.contacts) == 2))


def beside(cards: Sequence[Piece], laid: Sequence[Placement], piece: int) -> list[Placement]:
    """Every placement of a card that keeps a right layout right; in an empty layout, the origin with each turn."""
    if not laid:
        return [Placement(piece, turn, (0, 0)) for turn in range(4)]
    lying = [_lying(cards, where) for where in laid]
    found = {where: None for one in lying for where in _joining(one, piece, cards[piece].marks)}
    return [where for where in found if _agrees(_lying(cards, where), lying)]


def _joining(one: Lying, piece: int, marks: tuple[str, ...]) -> Iterator[Placement]:
    ours = one.marks
    for way in snug(one.turn):
        (i, j), (k, m) = way.contacts
        if ours[i] == marks[j] and ours[k] == marks[m]:
            yield Placement(piece, way.turn, (one.x + way.dx, one.y + way.dy))


def _agrees(one: Lying, lying: Sequence[Lying]) -> bool:
    return all(_meeting(other, one) != WRONG for other in lying)


class CardSearch:
    """Searches for a right layout of `goal` cards. If it finds none, there is none. `nodes`: cards laid.

    With `most_nodes` it gives up there, and `gave_up` says so.

    Every right layout is a root and what hangs on it, so each placement that comes into reach is either laid or left
    out for good, in the order they came. The root is one of the first cards (of nine, any seven have one of the first
    three), those before it have been tried as root and stay in the hand, and its turn is given: turning the table
    changes nothing.
    """

    def __init__(self, cards: Sequence[Piece], goal: int = GOAL, most_nodes: int | None = None) -> None:
        self.cards = cards
        self.goal = goal
        self.nodes = 0
        self.gave_up = False
        self._most_nodes = most_nodes
        self._first = 0

    def layout(self) -> tuple[Placement, ...] | None:
        """The first layout found, or None if there is none."""
        for root in range(len(self.cards) - self.goal + 1):
            laid: list[Placement] = []
            self._first = root + 1
            if self._lay(Placement(root, 0, (0, 0)), laid, [], [], 0):
                return tuple(laid)
        return None

    def around(self, right: Sequence[Placement]) -> tuple[Placement, ...] | None:
        """The first layout found that contains these right placements (at least one), or None if there is none."""
        *laid, last = right
        self._first = 0
        lying = [_lying(self.cards, where) for where in laid]
        reach: list[Placement] = []
        for card in lying:
            self._extend(reach, card, {one.piece for one in right})
        return tuple(laid) if self._lay(last, laid, lying, reach, 0) else None

    def _lay(
        self, where: Placement, laid: list[Placement], lying: list[Lying], reach: list[Placement], after: int
    ) -> bool:
        """Lays a card, then placements in `reach` from number `after` on; undoes everything if that fails."""
        if self.nodes == self._most_nodes:
            self.gave_up = True
            return False
        self.nodes += 1
        card = _lying(self.cards, where)
        laid.append(where)
        lying.append(card)
        if len(laid) == self.goal:
            return True
        before = len(reach)
        down = {one.piece for one in laid}
        self._extend(reach, card, down)
        for number in range(after, len(reach)):
            new = reach[number]
            free = new.piece not in down and _agrees(_lying(self.cards, new), lying)
            if free and self._lay(new, laid, lying, reach, number + 1):
                return True
        del laid[-1], lying[-1], reach[before:]
        return False

    def _extend(self, reach: list[Placement], card: Lying, down: set[int]) -> None:
        """Adds all placements beside a card to `reach`."""
        for piece in range(self._first, len(self.cards)):
            if piece not in down:
                reach += [new for new in _joining(card, piece, self.cards[piece].marks) if new not in reach]


def seven(cards: Sequence[Piece]) -> tuple[Placement, ...] | None:
    """A right layout of seven of these cards, or None if there is none."""
    return CardSearch(cards).layout()


def read(picture: str) -> tuple[tuple[Piece, ...], tuple[Placement, ...]]:
    """The cards in a picture, in the order of their letters, and their placements; a cell is a letter and a symbol.

    >>> cards, laid = read('''
    ...     Ax Ay .  .
    ...     Ay Ay By Bx
    ...     Ax Az Bz Bz
    ...     .  .  Bx Bx''')
    >>> verdict(cards, laid).state
    'open'
    """
    rows = [line.split() for line in picture.splitlines() if line.strip()]
    cells: dict[str, dict[Cell, str]] = {}
    for y, row in enumerate(rows):
        for x, text in enumerate(row):
            if text != ".":
                cells.setdefault(text[0], {})[x, y] = text[1:]
    cards, laid = [], []
    for number, (letter, marked) in enumerate(sorted(cells.items())):
        at = (min(x for x, _ in marked), min(y for _, y in marked))
        turn = next((t for t in (0, 1) if {plus(cell, at) for cell in SHAPES[t]} == marked.keys()), None)
        if turn is None:
            raise ValueError(f"{letter} is not a card: it has two rows of three cells or three of two")
        cards.append(Piece(letter, SHAPES, tuple(marked[plus(cell, at)] for cell in SHAPES[turn])))
        laid.append(Placement(number, turn, at))
    return tuple(cards), tuple(laid)


def draw(cards: Sequence[Piece], laid: Sequence[Placement]) -> str:
    """The picture of a layout: each cell with its card's letter (A is the first in hand) and its symbol."""
    letters = names(len(cards))
    cells = {
        plus(cell, where.at): letters[where.piece] + mark
        for where in laid
        for cell, mark in zip(SHAPES[where.turn], cards[where.piece].marks, strict=True)
    }
    across, down = ([axis[i] for axis in cells] for i in (0, 1))
    wide = max(map(len, cells.values()))
    columns, rows = range(min(across), max(across) + 1), range(min(down), max(down) + 1)
    return "\n".join(" ".join(cells.get((x, y), ".").ljust(wide) for x in columns).rstrip() for y in rows)

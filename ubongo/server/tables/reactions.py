"""Reactions of players. They are shown to everybody, spectators included, and not recorded."""

from __future__ import annotations

from ubongo.moves import Refused
from ubongo.server.clock import Clock, Timestamp
from ubongo.server.protocol import Reaction, ReactionKind, encode
from ubongo.server.tables.broadcast import Broadcast
from ubongo.server.tables.member import Member
from ubongo.table import Millis, SeatNo

# The rate limit of each seat. Reactions are shown only between rounds.
EVERY = Millis(1000)
PHASES = ("ready", "throw", "over")


class Reactions:
    def __init__(self, clock: Clock, broadcast: Broadcast) -> None:
        self._clock = clock
        self._broadcast = broadcast
        # When each seat last reacted.
        self._last: dict[SeatNo, Timestamp] = {}

    def react(self, member: Member, kind: ReactionKind) -> Reaction:
        """Shows it to this server's members; raises Refused."""
        seat, now, table = member.seat, self._clock.now(), self._broadcast.table
        if seat is None:
            raise Refused("watching")
        if table.seats[seat].gone:
            raise Refused("gone")
        if self._broadcast.facts.muted:
            raise Refused("muted")
        if table.phase not in PHASES:
            raise Refused("not_now", move="react", phase=table.phase)
        if now - self._last.get(seat, now - EVERY) < EVERY:
            raise Refused("too_fast")
        reaction = Reaction(seat, kind)
        self.show(reaction)
        return reaction

    def show(self, reaction: Reaction) -> None:
        """Shows an accepted reaction, also of another server, which may not know yet that reactions are muted."""
        if self._broadcast.facts.muted:
            return
        # The limit holds across servers.
        self._last[reaction.seat] = self._clock.now()
        self._broadcast.send_to_all(encode(reaction))

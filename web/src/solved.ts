/** The board that I have just finished, if that ended the round: it is shown for a moment longer. */

import type { Seen } from "./change";
import type { AnyEvent } from "./protocol";

/** How long it stays before what comes next is shown, in milliseconds. */
export const STAYS = 1000;

/** The table as it was when I called; null: I did not, or the round continues and the board stays by itself. */
export function finished(before: Seen, after: Seen, mine: number | null, events: readonly AnyEvent[]): Seen | null {
  if (mine === null) return null;
  // Cards are judged a moment after the call: until then it is one like any other.
  const said = before.game === "cards" && before.seats[mine]?.called != null;
  const called = said || events.some((event) => event.type === "called" && event.seat === mine);
  if (!called || before.phase !== "play" || after.phase === "play") return null;
  const last = after.last;
  if (last === null) return null;
  return {
    ...before,
    seats: before.seats.map((seat, i) => {
      const had = last[i];
      const now = after.seats[i];
      if (had === undefined || now === undefined) return seat;
      const points = before.game === "cards" ? seat.points : now.points;
      return { ...seat, laid: had.laid, called: had.called, won: had.gems, gems: now.gems, points };
    }),
  };
}

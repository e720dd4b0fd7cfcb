/** What this page has seen of a match that is not in the table: when pieces were laid, the gains of rounds. */

import type { Seen } from "./change";
import { printed } from "./gems";

export type Witness = {
  /** By seat: when each number of pieces lay, in the table's time; the first is the start. */
  readonly reached: readonly (readonly (number | undefined)[])[];
  /** The gains of each seat in each round; undefined: not seen. */
  readonly won: readonly (readonly number[] | undefined)[];
};
export const NOTHING_SEEN: Witness = { reached: [], won: [] };

/** After an update that came at `now`. */
export function witnessed(seen: Witness, before: Seen, after: Seen, now: number): Witness {
  const starts = after.phase === "play" && (before.phase !== "play" || before.started !== after.started);
  const reached = starts ? after.seats.map(() => [after.started ?? now]) : noted(seen.reached, before, after, now);
  const closed = after.last !== null && after.last !== before.last && before.phase === "play";
  if (!closed) return reached === seen.reached ? seen : { ...seen, reached };
  const won = [...seen.won];
  won[before.round - 1] = (after.last ?? []).map(({ gems }) => printed(gems));
  return { reached, won };
}

function noted(reached: Witness["reached"], before: Seen, after: Seen, now: number): Witness["reached"] {
  const more = after.seats.map((seat, i) => seat.laid.length > (before.seats[i]?.laid.length ?? 0));
  if (after.phase !== "play" || !more.includes(true)) return reached;
  return after.seats.map((seat, i) => {
    const times = [...(reached[i] ?? [])];
    if (more[i] === true) times[seat.laid.length] = now;
    return times;
  });
}

/** What a seat won in the rounds before the one just closed; null: not all of it is known. */
export function earlier({ won }: Witness, table: Seen, seat: number | null): readonly number[] | null {
  if (seat === null) return null;
  const rounds = table.round - 2;
  const points = table.seats[seat]?.points ?? [];
  if (points.length > 0) return points.slice(0, rounds);
  const known = Array.from({ length: Math.max(0, rounds) }, (_, i) => won[i]?.[seat]);
  return known.every((one) => one !== undefined) ? known : null;
}

/** Whom a table waits for between two rounds. */

import type { Seen } from "./change";

/** In a play-off only some do play; a throw is one seat's. */
export function isAsked(table: Seen, seat: number): boolean {
  if (table.phase === "throw") return seat === table.roller;
  return table.among === null || table.among.includes(seat);
}

/** The names of those, but for me, who have not said that they are ready. */
export function waitedFor(table: Seen, mine: number | null): string {
  const waited = table.seats.filter((seat, i) => !seat.ready && !seat.gone && i !== mine && isAsked(table, i));
  return waited.map(({ name }) => name).join(", ");
}

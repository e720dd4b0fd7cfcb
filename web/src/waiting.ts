/** Whom a table waits for between two rounds. */

import type { Seen } from "./change";

/** A play-off is between those who share the lead (X15, Q18). */
export function isAmong(table: Seen, seat: number): boolean {
  return table.among === null || table.among.includes(seat);
}

/** A throw is one seat's; ready are all who play. */
export function isAsked(table: Seen, seat: number): boolean {
  return table.phase === "throw" ? seat === table.roller : isAmong(table, seat);
}

/** The names of the other players who are not ready. */
export function waitedFor(table: Seen, mine: number | null): string {
  const waited = table.seats.filter((seat, i) => !seat.ready && !seat.gone && i !== mine && isAsked(table, i));
  return waited.map(({ name }) => name).join(", ");
}

/** For whom this device speaks at a table of paper, and what is said of them there. */

import type { Seen } from "../change";

/** My own seat, and as the host those of people without a device. */
export function voices(table: Seen, seat: number | null): readonly number[] {
  if (seat === null) return [];
  const others = seat === table.host ? (table.voiced ?? []) : [];
  return [seat, ...others].filter((one) => table.seats[one]?.gone === false).sort((a, b) => a - b);
}

/** Who has claimed, the first one first. */
export function claimed(table: Seen): readonly number[] {
  return table.seats
    .map(({ called }, seat) => ({ called, seat }))
    .filter(({ called }) => called !== null)
    .sort((a, b) => (a.called ?? 0) - (b.called ?? 0))
    .map(({ seat }) => seat);
}

/** Whose task is open in this round: in it, and not gone. */
export function playing(table: Seen): readonly number[] {
  return table.seats.flatMap(({ task, gone, points }, seat) =>
    task === null || gone || (table.area !== null && points.length >= table.area) ? [] : [seat],
  );
}

/** What these are called, as one says it. */
export function names(table: Seen, seats: readonly number[]): string {
  return seats.map((seat) => table.seats[seat]?.name ?? "").join(", ");
}

/** A piece's number, which is printed on it. */
export function numberOf(piece: string | null): string {
  return piece?.split("-").at(-1) ?? "";
}

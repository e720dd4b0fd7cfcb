/** The seats that this device acts for at a companion table, and their moves. */

import type { Seen } from "../change";

/** C8: my own seat, for the host those of people without a device, and seats whose device is gone. */
export function voices(table: Seen, seat: number | null): readonly number[] {
  if (seat === null || table.seats[seat]?.gone !== false) return [];
  const missing = (one: number | null): boolean => {
    const there = one === null ? undefined : table.seats[one];
    return there === undefined || there.gone || !there.present;
  };
  const mine = (one: number): boolean => {
    if (!table.voiced?.includes(one)) return one === seat || missing(one);
    return seat === table.host || missing(table.host);
  };
  return table.seats.flatMap(({ gone }, one) => (!gone && mine(one) ? [one] : []));
}

/** Of the seats that have not acted, those that this device acts for. Once others have acted, absent players are not waited for. */
export function askedHere(table: Seen, silent: readonly number[], mine: readonly number[]): readonly number[] {
  const here = (seat: number): number => Number(table.seats[seat]?.present ?? false);
  return silent.filter((seat) => mine.includes(seat)).sort((a, b) => here(a) - here(b));
}

/** Who has claimed, the first one first. */
export function claimed(table: Seen): readonly number[] {
  return table.seats
    .map(({ called }, seat) => ({ called, seat }))
    .filter(({ called }) => called !== null)
    .sort((a, b) => (a.called ?? 0) - (b.called ?? 0))
    .map(({ seat }) => seat);
}

/** The seats whose task is open in this round: taking part, and not gone. */
export function playing(table: Seen): readonly number[] {
  return table.seats.flatMap(({ task, gone, points }, seat) =>
    task === null || gone || (table.area !== null && points.length >= table.area) ? [] : [seat],
  );
}

/** The names of these, as a phrase. */
export function names(table: Seen, seats: readonly number[]): string {
  return seats.map((seat) => table.seats[seat]?.name ?? "").join(", ");
}

/** A piece's number, which is printed on it. */
export function numberOf(piece: string | null): string {
  return piece?.split("-").at(-1) ?? "";
}

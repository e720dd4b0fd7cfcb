/** The result of a round, as it is shown: the order on screen, and the margins. */

import type { RoundResult } from "./protocol";

/** By how much somebody was ahead of the next, or behind the one before. In milliseconds; `other` is a seat. */
export type Margin = { readonly ahead: boolean; readonly other: number; readonly by: number };

/** The seats by points, then by the time of their call, then by the pieces laid; equal ones in the order of seats. */
export function ranking(last: readonly RoundResult[]): number[] {
  const rank = ({ points, called, laid }: RoundResult): readonly number[] => [
    -(points ?? 0),
    called ?? Infinity,
    -laid.length,
  ];
  return last
    .map((had, seat) => ({ seat, rank: rank(had) }))
    .sort((a, b) => compared(a.rank, b.rank))
    .map(({ seat }) => seat);
}

function compared(a: readonly number[], b: readonly number[]): number {
  const i = a.findIndex((one, k) => one !== b[k]);
  return i < 0 ? 0 : (a[i] ?? 0) < (b[i] ?? 0) ? -1 : 1;
}

/** Null: this seat has not called, or was the only one. */
export function marginOf(last: readonly RoundResult[], seat: number): Margin | null {
  const calls = last.flatMap(({ called }, i) => (called === null ? [] : [{ i, called }]));
  calls.sort((a, b) => a.called - b.called);
  const place = calls.findIndex(({ i }) => i === seat);
  const other = calls[place === 0 ? 1 : place - 1];
  const mine = calls[place];
  if (mine === undefined || other === undefined) return null;
  return { ahead: place === 0, other: other.i, by: Math.abs(mine.called - other.called) };
}

/** What was said at a table of paper and has no answer yet. It waits for the line, also through a reload, and goes in order. */

import type { Seen } from "../change";
import type { AnyMove, Seat } from "../protocol";

/** `when`: at which round and glass; `n`: as what it was sent on this line, null: not yet. */
export type Told = {
  readonly seat: number;
  readonly move: AnyMove;
  readonly when: string;
  readonly n: number | null;
};

/** What is said of one round or one glass is not said of the next. */
export function moment({ round, glass }: Seen): string {
  return `${round}.${glass?.turned ?? 0}`;
}

/** What is still to be said after a line was cut: whatever got through is in the new table, and is refused there. */
export function again(told: readonly Told[], table: Seen): readonly Told[] {
  return told.filter(({ when }) => when === moment(table)).map((one) => ({ ...one, n: null }));
}

/** The table as if all of it had been heard. What is won by it only the server knows. */
export function hoped(table: Seen, told: readonly Told[]): Seen {
  return told.reduce((now, { seat, move }) => {
    if (move.type === "turn_back") return { ...now, glass: now.glass && { ...now.glass, turned: 1 } };
    const last = Math.max(0, ...now.seats.map(({ called }) => called ?? 0));
    const seats = now.seats.map((one, i) => (i === seat ? after(one, move, last + 1, now.area !== null) : one));
    return { ...now, seats };
  }, table);
}

function after(seat: Seat, move: AnyMove, called: number, dice: boolean): Seat {
  switch (move.type) {
    case "claim":
      return move.cards === null
        ? { ...seat, called: seat.called ?? called, passed: seat.passed || dice }
        : { ...seat, cards: move.cards };
    case "take_back":
      return { ...seat, called: null, cards: null, passed: false, won: [] };
    case "pass":
      return { ...seat, passed: true };
    case "ready":
      return { ...seat, ready: true };
    case "stop":
      return { ...seat, stop: true };
    default:
      return seat;
  }
}

const place = (key: string): string => `ubongo.told.${key}`;

export function kept(key: string): readonly Told[] {
  return JSON.parse(localStorage.getItem(place(key)) ?? "[]") as readonly Told[];
}

export function keep(key: string, told: readonly Told[]): void {
  if (told.length === 0) localStorage.removeItem(place(key));
  else localStorage.setItem(place(key), JSON.stringify(told));
}

/** Moves at a companion table without an answer. They wait for a connection, also through a reload, and are sent in order. */

import type { Seen } from "../change";
import type { AnyMove, Seat } from "../protocol";

/** `when`: at which round and glass; `n`: its number on this connection, null: not sent yet. */
export type QueuedMove = {
  readonly seat: number;
  readonly move: AnyMove;
  readonly when: string;
  readonly n: number | null;
};

/** A move for one round or one glass is not sent in the next. */
export function moment({ round, glass }: Seen): string {
  return `${round}.${glass?.turned ?? 0}`;
}

/** The moves to send again after a connection was lost: those that got through are in the new table, and are refused there. */
export function movesToResend(told: readonly QueuedMove[], table: Seen): readonly QueuedMove[] {
  return told.filter(({ when }) => when === moment(table)).map((one) => ({ ...one, n: null }));
}

/** The table as if all of them had been accepted. Only the server knows what they win. */
export function withQueued(table: Seen, told: readonly QueuedMove[]): Seen {
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

export function loadQueue(key: string): readonly QueuedMove[] {
  return JSON.parse(localStorage.getItem(place(key)) ?? "[]") as readonly QueuedMove[];
}

export function saveQueue(key: string, told: readonly QueuedMove[]): void {
  if (told.length === 0) localStorage.removeItem(place(key));
  else localStorage.setItem(place(key), JSON.stringify(told));
}

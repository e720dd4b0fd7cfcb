/** The last match of this browser's player: another player may want a rematch after they have left the page. */

import type { TableEntry } from "./protocol";

type Played = { readonly table: string; readonly until: number };
/** Somebody waits at `table` for a rematch of the match `of`. */
export type Offer = { readonly table: string; readonly of: string; readonly name: string };

const KEY = "ubongo.played";
/** How long after they last saw the end of a match players are notified, in milliseconds. */
const LASTS = 30 * 60_000;

/** The match, if it was not long ago. */
export function lastPlayed(now = Date.now()): string | null {
  try {
    const played = JSON.parse(localStorage.getItem(KEY) ?? "null") as Played | null;
    return played !== null && played.until > now ? played.table : null;
  } catch {
    // Storage is off: then there is the match's own page.
    return null;
  }
}

export function keepPlayed(table: string, now = Date.now()): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ table, until: now + LASTS } satisfies Played));
  } catch {
    // Storage is off: then there is the match's own page.
  }
}

/** They have answered, or there is nothing to answer. */
export function forgetPlayed(): void {
  if (lastPlayed() !== null) localStorage.removeItem(KEY);
}

type Look = (table: string) => Promise<Pick<TableEntry, "phase" | "seat" | "seats" | "next" | "next_by">>;

/** Who waits where for a rematch of that match; null: nobody, or it is over. */
export async function offered(table: string, look: Look): Promise<Offer | null> {
  const { seat, seats, next, next_by } = await look(table);
  if (seat === null || next === null || next_by === null || next_by === seat) return null;
  // It may have been closed meanwhile, be played without them, or have their seat already.
  const rematch = await look(next).catch(() => null);
  if (rematch === null || rematch.seat !== null || rematch.phase !== "gather") return null;
  if (!rematch.seats.some(({ name }) => name === "")) return null;
  return { table: next, of: table, name: seats[next_by]?.name ?? "" };
}

/** The seat that this browser's person has at a match which is not over: the first page leads back to it. */

export type Kept = { readonly table: string; readonly game: string };

const KEY = "ubongo.seat";

export function keptSeat(): Kept | null {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null") as Kept | null;
  } catch {
    // Storage is off: then there is the table's link.
    return null;
  }
}

export function keepSeat(kept: Kept): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // Storage is off: then there is the table's link.
  }
}

/** Without `table` at any table: this browser is another guest now. */
export function giveUpSeat(table = keptSeat()?.table): void {
  if (table !== undefined && keptSeat()?.table === table) localStorage.removeItem(KEY);
}

/** What a screen reader calls what is laid: a piece by the shape that a person sees in it, a card by its symbols. */

import { printed } from "./cards";
import { NAMES, type GemName } from "./gems";
import { t, tAny } from "./i18n/index.svelte";
import type { Piece } from "./lay";

/** Of a piece's name: `L4`, `type-3`, or `yellow-9`. Extreme's numbers 1 to 8 have one shape in all colours. */
export function shapeName(piece: string): string {
  return tAny(`shape.${piece}`) || tAny(`shape.${piece.replace(/^[a-z]+/, "any")}`);
}

/** A card has six: they are called as shortly as can be. */
function symbolName(symbol: string): string {
  return tAny(`symbol.${symbol}`) || shapeName(symbol);
}

/** With its number. */
export function pieceName(n: number | string, piece: string): string {
  const shape = shapeName(piece);
  return shape === "" ? t("piece", { n }) : t("piece.named", { n, shape });
}

/** Where it was just spoken of, shortly. `n`: its number in the tray or hand. */
export function shortName(n: number, { name, marks }: Pick<Piece, "name" | "marks">): string {
  return marks === undefined ? shapeName(name) || t("piece", { n }) : t("card.short", { n });
}

/** With its number in the hand, its round, and its symbols row by row as it is turned. */
export function cardName(n: number, { name, marks = [] }: Piece, turn: number): string {
  const rows = seenRows(marks, turn).map((row) => row.map(symbolName).join(", "));
  return t("card", { n, round: printed(name).round, symbols: rows.join("; ") });
}

/** The rows of a card after that many quarter turns to the right; it is printed as three rows of two. */
export function seenRows(marks: readonly string[], turn: number): string[][] {
  let rows = [0, 2, 4].map((i) => marks.slice(i, i + 2));
  for (let k = 0; k < turn; k += 1) {
    const old = [...rows].reverse();
    rows = (old[0] ?? []).map((_, column) => old.map((row) => row[column] as string));
  }
  return rows;
}

/** How many there are of each kind, in one text. */
export function gemsText(gems: readonly GemName[]): string {
  const counts = NAMES.map((gem) => ({ gem, n: gems.filter((one) => one === gem).length }));
  return counts.flatMap(({ gem, n }) => (n > 0 ? [tAny(`gems.${gem}`, { n })] : [])).join(", ");
}

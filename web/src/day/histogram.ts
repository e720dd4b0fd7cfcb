/** Everybody's times as columns: their positions and labels, for the page and for the picture. */

import { clockText } from "../places";
import type { Histogram } from "../protocol";

/** From this many people on, columns are bars: one hexagon each would be too small to count. */
const BARS_FROM = 200;
const TALLEST = 12;

export type Chart = {
  readonly bars: boolean;
  readonly tallest: number;
  readonly columns: readonly { readonly count: number; readonly mine: boolean; readonly label: string }[];
};

/** The least number of columns, so that a single one does not fill the page. */
const LEAST = 10;
const LABELS = 6;

export function chartOf({ start, width, counts, mine }: Histogram, dice: boolean): Chart {
  const before = Math.max(0, Math.min(Math.floor((LEAST - counts.length) / 2), Math.floor(start / width)));
  const all = [...Array<number>(before).fill(0), ...counts];
  while (all.length < LEAST) all.push(0);
  const every = Math.ceil(all.length / LABELS);
  const from = start - before * width;
  const people = counts.reduce((sum, one) => sum + one, 0);
  const tallest = Math.max(...counts);
  return {
    bars: people >= BARS_FROM || tallest > TALLEST,
    tallest,
    columns: all.map((count, i) => ({
      count,
      mine: i === mine + before,
      label: i % every === 0 ? valueText(from + i * width, dice) : "",
    })),
  };
}

export type Hexagon = { readonly column: number; readonly row: number; readonly mine: boolean };

/** One hexagon per person, in the order in which they drop: row by row from below, and mine last. */
export function hexagonsOf({ columns }: Chart): Hexagon[] {
  return columns
    .flatMap(({ count, mine }, column) =>
      Array.from({ length: count }, (_, row) => ({ column, row, mine: mine && row === count - 1 })),
    )
    .sort((one, other) => Number(one.mine) - Number(other.mine) || one.row - other.row);
}

/** Dice are counted in rounds. */
export const valueText = (value: number, dice: boolean): string => (dice ? String(value) : clockText(value));

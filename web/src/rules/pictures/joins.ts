/** Cards of figures.json as the components of the card game take them. */

import type { Lying } from "../../cards";
import type { Cell } from "../../lattice";
import type figures from "../figures.json";

export type Join = keyof typeof figures.cards.joins;
export type DrawnCard = {
  readonly name: string;
  readonly marks: readonly string[];
  readonly turn: number;
  readonly cells: readonly Cell[];
};

export function lyingCards(cards: readonly DrawnCard[]): Lying[] {
  return cards.map(({ name, marks, turn, cells }, piece) => ({
    piece: { name, marks, shapes: [], after: { turn: [] } },
    where: { piece, turn, at: [...(cells[0] ?? [0, 0])] },
    cells,
  }));
}

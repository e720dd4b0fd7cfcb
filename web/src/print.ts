/** What of each game can be printed, as the server offers it at `/print/{game}.pdf`; a test compares it with Python's list. */

import type { GameName } from "./api";
import type { Language } from "./settings.svelte";

export const PARTS: Readonly<Record<GameName, readonly string[]>> = {
  cards: ["cards", "rules"],
  dice: ["sheets", "dice", "rules"],
  extreme: ["boards", "pieces", "gems", "booklet", "rules"],
  cubes: ["boards", "pieces", "gems", "dice", "booklet", "rules"],
};
export const PAPERS = ["a4", "letter"] as const;
export const FLIPS = ["long", "short", "none"] as const;

export type Order = {
  /** Its id. */
  readonly edition: string;
  readonly part: string;
  readonly paper: (typeof PAPERS)[number];
  readonly duplex: (typeof FLIPS)[number];
  readonly lang: Language;
};

export function printLink(game: GameName, order: Order): string {
  return `/print/${game}.pdf?${new URLSearchParams(order).toString()}`;
}

/** Whether its back is blank: then it does not matter how the printer turns the paper. */
export const oneSided = (game: GameName, part: string): boolean => part === "starter" && game !== "cards";

/** How many pages each part has, and everything, and the starter pack: the server counts what it would print. */
export async function pageCounts(
  game: GameName,
  order: Omit<Order, "part">,
): Promise<Readonly<Record<string, number>>> {
  const answer = await fetch(`/print/${game}.json?${new URLSearchParams(order).toString()}`);
  if (!answer.ok) throw new Error(answer.statusText);
  return (await answer.json()) as Record<string, number>;
}

/** Gems: how they look and what is printed on them. The server computes their value in a match. */

import { GEM_VALUES, type GemMoved } from "./protocol";

export type GemName = GemMoved["gem"];
type Look = { readonly value: number; readonly body: string; readonly top: string; readonly baseline: number };

export const GEMS: Readonly<Record<GemName, Look>> = {
  ruby: {
    value: GEM_VALUES.ruby,
    body: "M16 1.5 30 16 16 30.5 2 16z",
    top: "M16 7 24.6 16 16 25 7.4 16z",
    baseline: 21.2,
  },
  sapphire: {
    value: GEM_VALUES.sapphire,
    body: "M16 2a14 14 0 1 1 0 28 14 14 0 0 1 0-28z",
    top: "M16 7.2a8.8 8.8 0 1 1 0 17.6 8.8 8.8 0 0 1 0-17.6z",
    baseline: 21.2,
  },
  emerald: {
    value: GEM_VALUES.emerald,
    body: "M9 3.5h14L30.3 16 23 28.5H9L1.7 16z",
    top: "M11.7 8.2h8.6L24.8 16l-4.5 7.8h-8.6L7.2 16z",
    baseline: 21.2,
  },
  amber: {
    value: GEM_VALUES.amber,
    body: "M16 1.3C20 7 28 12.3 28 19.2A12 11.3 0 0 1 4 19.2C4 12.3 12 7 16 1.3z",
    top: "M16 8.5c2.6 3.6 7.2 6.7 7.2 10.8a7.2 6.8 0 0 1-14.4 0c0-4.1 4.6-7.2 7.2-10.8z",
    baseline: 24.6,
  },
};
export const NAMES = Object.keys(GEMS) as GemName[];

/** Whether a game is played for gems. */
export const hasGems = (game: string): boolean => game === "extreme" || game === "cubes";

/** What is printed on some gems, added up. */
export function printed(gems: readonly GemName[]): number {
  return gems.reduce((sum, gem) => sum + GEMS[gem].value, 0);
}

/** The display is drawn as a row of nine places: one for each round. */
export const ROUNDS = 9;

/** The games that have a screen: how it is loaded, and in which phases everybody looks at the round before. */

import type { Component } from "svelte";
import { GOAL } from "../cards";
import type { Seen } from "../change";
import type { Piece } from "../lay";
import type { Match } from "../match.svelte";

export type PlayProps = { match: Match; table: Seen; seat: number; pieces: ReadonlyMap<string, Piece> };
export type Screen = {
  readonly load: () => Promise<{ default: Component<PlayProps> }>;
  readonly between: readonly Seen["phase"][];
  /** How many pieces have to lie, if not all of them. */
  readonly goal?: number;
};

export const SCREENS: Readonly<Record<string, Screen>> = {
  cards: { load: () => import("./Cards.svelte"), between: ["ready"], goal: GOAL },
  extreme: { load: () => import("./Extreme.svelte"), between: ["ready"] },
  cubes: { load: () => import("./Cubes.svelte"), between: ["throw", "ready"] },
  // There is no `ready` there: the points of an area are shown while the next one begins.
  dice: { load: () => import("./Dice.svelte"), between: [] },
};

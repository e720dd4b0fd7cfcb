/** The games that have a screen: how it is loaded, and in which phases everybody looks at the round before. */

import type { Component } from "svelte";
import type { Seen } from "../change";
import type { Piece } from "../lay";
import type { Match } from "../match.svelte";

export type PlayProps = { match: Match; table: Seen; seat: number; pieces: ReadonlyMap<string, Piece> };
export type Screen = {
  readonly load: () => Promise<{ default: Component<PlayProps> }>;
  readonly between: readonly Seen["phase"][];
};

export const SCREENS: Readonly<Record<string, Screen>> = {
  extreme: { load: () => import("./Extreme.svelte"), between: ["ready"] },
};

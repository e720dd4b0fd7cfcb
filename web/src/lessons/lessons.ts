/** The first lesson of each game, and what a lesson is made of. */

import type { Component } from "svelte";
import type { GameName } from "../api";

/** A lesson's stage tells its frame how far it has come, and what is to be said when something did not go. */
export type StageProps = { readonly step: number; readonly next: () => void; readonly hint: (text: string) => void };
export type Lesson = {
  /** How many things there are to do; each has its sentence, `lesson.{game}.{step}`, and so has the end. */
  readonly steps: number;
  readonly load: () => Promise<{ default: Component<StageProps> }>;
};

export const LESSONS: Readonly<Record<GameName, Lesson>> = {
  extreme: { steps: 4, load: () => import("./Extreme.svelte") },
  cards: { steps: 4, load: () => import("./Cards.svelte") },
  dice: { steps: 5, load: () => import("./Dice.svelte") },
  cubes: { steps: 4, load: () => import("./Cubes.svelte") },
};

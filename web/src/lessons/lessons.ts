/** The first lesson of each game, and what a lesson is made of. */

import type { Component } from "svelte";
import { GAMES, type GameName } from "../api";

/** A lesson's stage reports to its frame how far it has come, and what to say when something failed. */
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

/** The next lesson, in the order of the games, that has not been taken yet; null: there is none. */
export function nextLesson(game: GameName, learned: readonly string[]): GameName | null {
  const after = GAMES.indexOf(game) + 1;
  const others = [...GAMES.slice(after), ...GAMES.slice(0, after)];
  return others.find((one) => one !== game && !learned.includes(one)) ?? null;
}

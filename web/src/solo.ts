/** Solo play: the game of a table, the name of a kind of run, and the result of a run, in words. */

import type { Options, Seen } from "./change";
import { t, tAny } from "./i18n/index.svelte";
import { clockText } from "./places";
import type { RunKind } from "./protocol";

/** The game that lies on a table: alone it is one of the four. */
export const gameOf = (table: { game: string; options: Options }): string => table.options.of ?? table.game;

export const isSolo = (table: Seen): boolean => table.options.mode !== undefined;

/** How long a run is, in minutes or tasks, by mode; 6 is a whole sheet of the dice game. */
export const MINUTES = [5, 10, 20] as const;
export const tasksOf = (game: string): readonly number[] => (game === "dice" ? [5, 6, 10, 20] : [5, 10, 20]);
/** Whether tasks of a game have three or four pieces. */
export const hasSides = (game: string): boolean => game === "extreme" || game === "cubes";

/** Of what sort a run is, such as *10 minutes* or *5 tasks, 4 pieces each*. */
export function kindText({ of, mode, minutes, tasks, side, die }: RunKind): string {
  const words = [
    mode === "clock"
      ? t("alone.minutes", { n: minutes ?? 0 })
      : mode === "count"
        ? lengthText(of, tasks ?? 0)
        : tAny(`alone.${mode}`),
    ...(side === null ? [] : [t("alone.side", { n: side })]),
    ...(die === "off" ? [t("alone.no_die")] : []),
  ];
  return words.join(", ");
}

export function lengthText(game: string, tasks: number): string {
  if (game === "dice" && tasks === 6) return t("alone.sheet");
  return tAny(`alone.tasks.${game}`, { n: tasks }) || t("alone.tasks", { n: tasks });
}

type RunResult = { readonly solved: number; readonly rounds: number; readonly took: number | null };

/** The result of a run: tasks against the clock, else time; with dice rounds come first. */
export function runResultText(kind: RunKind, { solved, rounds, took }: RunResult): string {
  const time = took === null ? "" : clockText(took);
  if (kind.mode === "clock") return t("alone.solved", { n: solved });
  if (kind.of === "dice") return [t("alone.rounds", { n: rounds }), time].filter((one) => one !== "").join(", ");
  return time;
}

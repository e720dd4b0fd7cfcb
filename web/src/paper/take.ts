/** What somebody takes from the box for a task, in words. */

import { animalOf } from "../animals";
import { t, tAny } from "../i18n/index.svelte";
import type { Task } from "../protocol";
import { numberOf } from "./voices";

/** A board, and its task; cards and sheets need no more information. */
export function onBoard(game: string, task: Task | null): string {
  if (task === null) return "";
  switch (game) {
    case "cubes":
      return `${tAny(`animal.${animalOf(task.board)}`)} ${task.board} · ${t("practice.task")} ${task.number}`;
    case "extreme":
      return `${t("practice.board", { n: task.board })} · ${tAny(`colour.${task.pieces[0]?.split("-")[0]}`)}`;
    default:
      return "";
  }
}

/** And with which pieces. */
export function toTake(game: string, task: Task | null): string {
  const board = onBoard(game, task);
  if (task === null || board === "") return "";
  return `${board} · ${tAny(`paper.pieces.${game}`, { numbers: task.pieces.map(numberOf).join(", ") })}`;
}

/** A race against an earlier run: who was better, by how much, and on which boards. */

import type { RunOutcome, SoloRun, Split } from "./protocol";

/** Negative: mine was better. Of tasks, rounds, or milliseconds, as these runs are compared. */
export type Verdict = { readonly unit: "solved" | "rounds" | "time"; readonly by: number };

/** Null: one of them was given up, so there is nothing to compare. */
export function verdict(mine: SoloRun, ghost: SoloRun): Verdict | null {
  if (mine.took === null || ghost.took === null) return null;
  if (mine.kind.mode === "clock") return { unit: "solved", by: ghost.solved - mine.solved };
  if (mine.kind.of === "dice" && mine.rounds !== ghost.rounds) {
    return { unit: "rounds", by: mine.rounds - ghost.rounds };
  }
  return { unit: "time", by: mine.took - ghost.took };
}

/** What the other run took for each of my boards; null where it did not solve it. Boards may have been set aside. */
export function timesOf(mine: readonly Split[], ghost: RunOutcome["splits"]): (number | null)[] {
  const left = ghost.filter(({ solved }) => solved);
  return mine.map(({ task, solved }) => {
    const at = left.findIndex((other) => same(other.task, task));
    if (!solved || at < 0) return null;
    return left.splice(at, 1)[0]?.took ?? null;
  });
}

const same = (one: Split["task"], other: Split["task"]): boolean =>
  one.board === other.board &&
  one.number === other.number &&
  (one.board !== "" || String(one.pieces) === String(other.pieces));

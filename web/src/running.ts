/** What runs at a table: when it ends, and how long it takes, in milliseconds. Null: nothing does. */

import type { Seen } from "./change";

export type Running = { readonly ends: number; readonly runs: number };

export function running(table: Seen): Running | null {
  const { glass, limit, options, phase } = table;
  if (glass !== null) return { ends: glass.ends, runs: 1000 * (options.hourglass_s ?? 0) };
  if (limit === null) return null;
  // Alone the clock runs over all tasks, from the first on.
  if (options.mode !== undefined) {
    return options.mode === "clock" && table.began !== null
      ? { ends: limit, runs: 60_000 * (options.minutes ?? 0) }
      : null;
  }
  const seconds = { play: options.round_s, grab: options.grab_s, enter: options.enter_s }[phase as string];
  // A round without a limit of its own may still have one: the moment in which others can call too.
  return seconds === undefined || seconds === 0 ? null : { ends: limit, runs: 1000 * seconds };
}

/** Whether anything runs at this table, now or later in a round. */
export function timed(table: Seen): boolean {
  const { hourglass_s, round_s, grab_s, enter_s } = table.options;
  return running(table) !== null || [hourglass_s, round_s, grab_s, enter_s].some(Boolean);
}

/** Play now: a table against bots, or a first round without any, opened and started at once. */

import type { GameEntry, GameName } from "./api";
import { startTable } from "./start";
import { beginnersOptions } from "./beginner";
import { botsAt, opponentOf, playing } from "./opponent";
import { settings } from "./settings.svelte";

/** The error; empty if it worked, or if the person cancelled. */
export function playNow(game: GameName, levels: readonly string[], level: string): Promise<string> {
  const before = opponentOf(levels, settings.opponents[game]);
  settings.opponents = { ...settings.opponents, [game]: playing(levels, before, level) };
  const bots = botsAt(levels, level);
  return startTable({ game, seats: 1 + bots.length, bots, options: beginnersOptions(game) });
}

/** What a table's address ends in where the first round of a game is played, without a limit: `#warm-up`. */
export const WARM_UP = "warm-up";

/** One of the easiest tasks, alone and without a clock; its page leads to an opponent when it is solved. */
export function warmUp(game: GameName, { grades }: GameEntry): Promise<string> {
  const options = { of: game, mode: "practice", grade: grades[0] ?? 0 };
  return startTable({ game: "solo", options }, `#${WARM_UP}`);
}

/** All help for players who have not finished a match of a game yet is decided here. */

import type { GameName, Options } from "./api";
import { settings } from "./settings.svelte";

/** Cards that are laid wrong are shown at once, as in the lesson; later they are found out by the call. */
const KIND: Partial<Record<GameName, Options>> = { cards: { checking: "live" } };

/** The options of a table that a person opens, besides what they choose themselves. */
export function beginnersOptions(game: GameName): Options {
  return settings.finished.includes(game) ? {} : (KIND[game] ?? {});
}

/** Play now: a table against bots, opened and started at once. */

import type { GameName } from "./api";
import { begin } from "./begin";

/** Whom one meets who wants to play at once. */
const BOTS = ["easy", "medium"];

/** Why it did not go; empty: it did, or the person would rather not say a name. */
export const playNow = (game: GameName): Promise<string> => begin({ game, seats: 1 + BOTS.length, bots: BOTS });

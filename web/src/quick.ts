/** Play now: a table against bots, opened and started at once. */

import { open, start, type GameName } from "./api";
import { arrival } from "./arrival";
import { go } from "./route.svelte";
import { settings } from "./settings.svelte";
import { askName } from "./ui.svelte";

/** Whom one meets who wants to play at once. */
const BOTS = ["easy", "medium"];

/** False if it did not work; who would rather not say a name stays where they are. */
export async function playNow(game: GameName): Promise<boolean> {
  if (settings.name === "" && !(await askName())) return true;
  try {
    const { table } = await open({ game, seats: 1 + BOTS.length, bots: BOTS });
    await start(table);
    arrival.ready = table;
    go(`/t/${table}`);
    return true;
  } catch {
    return false;
  }
}

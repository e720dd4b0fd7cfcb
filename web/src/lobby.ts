/** Ways to a table of friends: open one, take a seat at one, find one by its key. */

import { beginnersOptions } from "./beginner";
import { Denied, join, open, tableBy, type GameName } from "./api";
import { denial } from "./i18n/index.svelte";
import { readKey } from "./key";
import { go } from "./route.svelte";
import { settings } from "./settings.svelte";
import { askName } from "./ui.svelte";

type Came = { readonly trouble: string; readonly there: boolean };
const STAYED: Came = { trouble: "", there: false };
const THERE: Came = { trouble: "", there: true };

const named = async (): Promise<boolean> => settings.name !== "" || (await askName());

async function came(way: () => Promise<void>): Promise<Came> {
  try {
    await way();
    return THERE;
  } catch (problem) {
    return { trouble: denial(problem), there: false };
  }
}

/** A table of its game's usual options, with its link; everything can be changed there. `instead`: of this address. */
export async function openLobby(game: GameName, instead = false): Promise<Came> {
  if (!(await named())) return STAYED;
  return came(async () => go(`/t/${(await open({ game, options: beginnersOptions(game) })).table}`, instead));
}

/** A seat at an open table. If somebody was quicker, the table says so, and can be watched. */
export async function sitDown(table: string): Promise<Came> {
  if (!(await named())) return STAYED;
  return came(async () => {
    await join(table).catch((problem: unknown) => {
      if (!(problem instanceof Denied && ["full", "has_begun"].includes(problem.code))) throw problem;
    });
    go(`/t/${table}`);
  });
}

/** To the table of a link that was read out, typed or pasted. */
export const find = (typed: string): Promise<Came> =>
  came(async () => go(`/t/${(await tableBy(readKey(typed))).table}`));

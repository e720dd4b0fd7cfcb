/** To a table at once: it is opened, started, and the page goes there. */

import { open, start, type Wanted } from "./api";
import { arrival } from "./arrival";
import { denial } from "./i18n/index.svelte";
import { go } from "./route.svelte";
import { settings } from "./settings.svelte";
import { askName } from "./ui.svelte";

/** Why it did not go; empty: it did, or the person would rather not say a name. `fragment`: what its address ends in. */
export async function begin(wanted: Wanted, fragment = ""): Promise<string> {
  if (settings.name === "" && !(await askName())) return "";
  try {
    const { table } = await open(wanted);
    await start(table);
    arrival.ready = table;
    go(`/t/${table}${fragment}`);
    return "";
  } catch (problem) {
    return denial(problem);
  }
}

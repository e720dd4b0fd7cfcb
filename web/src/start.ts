/** Opens a table, starts it and shows it. */

import { open, start, type Wanted } from "./api";
import { arrival } from "./arrival";
import { denial } from "./i18n/index.svelte";
import { go } from "./route.svelte";
import { settings } from "./settings.svelte";
import { askName } from "./ui.svelte";

/** The error; empty if it worked, or if the person cancelled. `fragment`: the end of its address. */
export async function startTable(wanted: Wanted, fragment = ""): Promise<string> {
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

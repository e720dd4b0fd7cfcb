/** The options of a table, each as a short sentence; the variable part is between two stars. */

import type { Seen } from "./change";
import { asks } from "./i18n/asks";
import { t, tAny } from "./i18n/index.svelte";

/** In the game's own words, for the value or for any value; otherwise as question and answer. */
export function chip(table: Seen, name: string, value: unknown): string {
  const n = name === "round_s" ? Number(value) / 60 : Number(value);
  const who = table.seats[Number(value)]?.name || t("gather.free");
  for (const key of [`chip.${name}.${String(value)}`, `chip.${name}`]) {
    const said = tAny(`${key}.of.${table.game}`, { n, name: who }) || tAny(key, { n, name: who });
    if (said !== "") return said;
  }
  const answer = value === 0 ? t("no_limit") : tAny(`option.${name}.${String(value)}`) || String(value);
  return `${asks(table.game, name)}: *${answer}*`;
}

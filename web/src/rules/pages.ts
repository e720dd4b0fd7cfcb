/**
 * The pages of docs/rules/, each fetched when it is first read.
 *
 * Of the numbered rules the English ones lie there and the others in a folder each; those for families are in `family`.
 */

import type { Language } from "../settings.svelte";
import type { FamilyPage } from "./family";
import type { Page } from "./markdown";

const FILES = import.meta.glob<Page>(["../../../docs/rules/**/*.md", "!../../../docs/rules/family/**"], {
  import: "default",
});
const FAMILY = import.meta.glob<FamilyPage>("../../../docs/rules/family/*/*.md", { import: "default" });

export async function page(name: string, language: Language): Promise<Page> {
  const folder = language === "en" ? "" : `${language}/`;
  const load = FILES[`../../../docs/rules/${folder}${name}.md`];
  if (load === undefined) throw new Error(`There is no page ${folder}${name}`);
  return await load();
}

export async function familyPage(game: string, language: Language): Promise<FamilyPage> {
  const load = FAMILY[`../../../docs/rules/family/${language}/${game}.md`];
  if (load === undefined) throw new Error(`There is no page for families ${language}/${game}`);
  return await load();
}

/** The first and the last number of a page. */
export function numbersOf({ blocks }: Page): { from: string; to: string } {
  const all = blocks.flatMap((block) => (block.kind === "rules" ? block.rules.map(({ number }) => number) : []));
  const value = (number: string): number => Number.parseInt(number.slice(1), 10);
  const sorted = all.toSorted((a, b) => value(a) - value(b));
  return { from: sorted[0] ?? "", to: sorted.at(-1) ?? "" };
}

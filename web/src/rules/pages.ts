/** The pages of docs/rules/, each fetched when it is first read: English ones lie there, the others in a folder each. */

import type { Language } from "../settings.svelte";
import type { Page } from "./markdown";

const FILES = import.meta.glob<Page>("../../../docs/rules/**/*.md", { import: "default" });

export async function page(name: string, language: Language): Promise<Page> {
  const folder = language === "en" ? "" : `${language}/`;
  const load = FILES[`../../../docs/rules/${folder}${name}.md`];
  if (load === undefined) throw new Error(`There is no page ${folder}${name}`);
  return await load();
}

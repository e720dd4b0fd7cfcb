/** The page's words in the reader's language: its own catalogue, and the one it shares with Python (refusals, story). */

import { Denied } from "../api";
import type en from "./en.json";
import { settings, type Language } from "../settings.svelte";
import { say, type Catalogue, type Values } from "./say";

export type Key = keyof typeof en;
type Shared = { readonly refused: Catalogue; readonly story: Catalogue };
type Words = { readonly language: Language; readonly page: Catalogue; readonly shared: Shared };

const LOAD: Record<Language, () => Promise<[{ default: Catalogue }, { default: Shared }]>> = {
  en: () => Promise.all([import("./en.json"), import("../../../ubongo/words/en.json")]),
  de: () => Promise.all([import("./de.json"), import("../../../ubongo/words/de.json")]),
  pl: () => Promise.all([import("./pl.json"), import("../../../ubongo/words/pl.json")]),
};

let words: Words = $state.raw({ language: "en", page: {}, shared: { refused: {}, story: {} } });
const plurals = $derived(new Intl.PluralRules(words.language));

/** Speaks a language from now on; done when its words are there. */
export async function speak(language: Language): Promise<void> {
  const [page, shared] = await LOAD[language]();
  words = { language, page: page.default, shared: shared.default };
  settings.language = language;
}

export function t(key: Key, values: Values = {}): string {
  return say(words.page[key] ?? key, values, plurals);
}

/** A sentence whose key is made at run time: of an option, a level, a gem. */
export function tAny(key: string, values: Values = {}): string {
  return say(words.page[key] ?? "", values, plurals);
}

/** An option as a question: in the game's own words where it has some. */
export function asks(game: string, name: string): string {
  return tAny(`option.${name}.of.${game}`) || tAny(`option.${name}`);
}

/** Why not; in the server's own words where the code is newer than this page. */
export function refusal(code: string, values: Readonly<Record<string, unknown>>, why: string): string {
  const sentence = words.shared.refused[code];
  return sentence === undefined ? why : say(sentence, values as Values, plurals);
}

/** Why the lobby said no. A code that is newer than this page has no sentence here, and the server's own is English. */
export function denial(problem: unknown): string {
  const said = problem instanceof Denied ? tAny(`denied.${problem.code}`, { edition: problem.edition }) : "";
  return said || t("trouble");
}

export function told(code: string, values: Values): string {
  return say(words.shared.story[code] ?? "", values, plurals);
}

/** The page's words in the reader's language: its own catalogue, and the one it shares with Python (refusals, story). */

import { untrack } from "svelte";
import { Denied } from "../api";
import type en from "./en.json";
import { settings, type Language } from "../settings.svelte";
import { say, type Catalogue, type Values } from "./say";

export type Key = keyof typeof en;
type Shared = { readonly refused: Catalogue; readonly story: Catalogue };
type Words = { readonly language: Language; readonly page: Catalogue; readonly shared: Shared };
type Loads<Texts> = () => Promise<{ readonly default: Texts }>;
/** The texts of the first page, of a table, and of everything else: web/words.ts divides them. */
type Part = "first" | "table" | "rest";

const LOAD: Record<Language, Record<Part, Loads<Catalogue>> & { shared: Loads<Shared> }> = {
  en: {
    first: () => import("virtual:words/en/first"),
    table: () => import("virtual:words/en/table"),
    rest: () => import("virtual:words/en/rest"),
    shared: () => import("../../../ubongo/words/en.json"),
  },
  de: {
    first: () => import("virtual:words/de/first"),
    table: () => import("virtual:words/de/table"),
    rest: () => import("virtual:words/de/rest"),
    shared: () => import("../../../ubongo/words/de.json"),
  },
  pl: {
    first: () => import("virtual:words/pl/first"),
    table: () => import("virtual:words/pl/table"),
    rest: () => import("virtual:words/pl/rest"),
    shared: () => import("../../../ubongo/words/pl.json"),
  },
};

const NONE: Shared = { refused: {}, story: {} };
let words: Words = $state.raw({ language: "en", page: {}, shared: NONE });
/** Which parts have been asked for, in whatever language is spoken. */
const asked = new Set<Part>(["first"]);
let completed = Promise.resolve();
const plurals = $derived(new Intl.PluralRules(words.language));

/** Speaks a language from now on; done when its words are there. */
export async function speak(language: Language): Promise<void> {
  const load = LOAD[language];
  // Refusals and the story of a match are only told after the first page.
  const shared = asked.size > 1 ? load.shared() : { default: NONE };
  const found = await Promise.all([...asked].map((part) => load[part]()));
  words = {
    language,
    page: Object.assign({}, ...found.map((part) => part.default)) as Catalogue,
    shared: (await shared).default,
  };
  settings.language = language;
}

/** A view that is opened after the first page, together with its words. */
export async function withWords<View>(view: Promise<View>, ...parts: readonly Part[]): Promise<View> {
  const missing = (parts.length > 0 ? parts : (["table", "rest"] as const)).filter((part) => !asked.has(part));
  missing.forEach((part) => asked.add(part));
  // Another view may be waiting for the same words. Whoever waits is not to begin anew when they are there.
  if (missing.length > 0) completed = speak(untrack(() => words.language));
  const [loaded] = await Promise.all([view, completed]);
  return loaded;
}

export function t(key: Key, values: Values = {}): string {
  return say(words.page[key] ?? key, values, plurals);
}

/** A sentence whose key is made at run time: of an option, a level, a gem. */
export function tAny(key: string, values: Values = {}): string {
  return say(words.page[key] ?? "", values, plurals);
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

/** The page's words in the reader's language: its own catalogue, and the refusals, which it shares with Python. */

import { untrack } from "svelte";
import { Denied } from "../api";
import type en from "./en.json";
import { settings, type Language } from "../settings.svelte";
import { say, type Catalogue, type Values } from "./say";

export type Key = keyof typeof en;
type Words = {
  readonly language: Language;
  readonly parts: ReadonlySet<Part>;
  readonly page: Catalogue;
  readonly refused: Catalogue;
};
type Loads = () => Promise<{ readonly default: Catalogue }>;
/** The texts of the first page, of a table, and of everything else: web/words.ts divides them. */
export type Part = "first" | "table" | "rest";

const LOAD: Record<Language, Record<Part | "refused", Loads>> = {
  en: {
    first: () => import("virtual:words/en/first"),
    table: () => import("virtual:words/en/table"),
    rest: () => import("virtual:words/en/rest"),
    refused: () => import("virtual:words/en/refused"),
  },
  de: {
    first: () => import("virtual:words/de/first"),
    table: () => import("virtual:words/de/table"),
    rest: () => import("virtual:words/de/rest"),
    refused: () => import("virtual:words/de/refused"),
  },
  pl: {
    first: () => import("virtual:words/pl/first"),
    table: () => import("virtual:words/pl/table"),
    rest: () => import("virtual:words/pl/rest"),
    refused: () => import("virtual:words/pl/refused"),
  },
};

let words: Words = $state.raw({ language: "en", parts: new Set<Part>(["first"]), page: {}, refused: {} });
/** The parts that are being loaded, so that a change of language loads them, too. */
const loading = new Set<Part>();
const plurals = $derived(new Intl.PluralRules(words.language));

/** Speaks a language from now on; done when its words are there. */
export async function speak(language: Language): Promise<void> {
  const load = LOAD[language];
  const parts = new Set([...words.parts, ...loading]);
  // The rules refuse nothing on the first page.
  const refused = parts.size > 1 ? load.refused() : { default: {} };
  const [{ default: refusals }, ...found] = await Promise.all([refused, ...[...parts].map((part) => load[part]())]);
  words = {
    language,
    parts,
    page: Object.assign({}, ...found.map((part) => part.default)) as Catalogue,
    refused: refusals,
  };
  settings.language = language;
}

/** Parts that cannot be loaded are requested again by the next view that needs them; other views do without. */
async function loadWords(parts: readonly Part[]): Promise<void> {
  if (parts.every((part) => words.parts.has(part))) return;
  parts.forEach((part) => loading.add(part));
  try {
    await speak(words.language);
  } finally {
    parts.forEach((part) => loading.delete(part));
  }
}

/** A view that is opened after the first page, together with its words. */
export async function withWords<View>(view: Promise<View>, ...parts: readonly Part[]): Promise<View> {
  // A view that waits for words must not be restarted when they arrive.
  const words = untrack(() => loadWords(parts.length > 0 ? parts : ["table", "rest"]));
  const [loaded] = await Promise.all([view, words]);
  return loaded;
}

export function t(key: Key, values: Values = {}): string {
  return say(words.page[key] ?? key, values, plurals);
}

/** A sentence whose key is made at run time: of an option, a level, a gem. */
export function tAny(key: string, values: Values = {}): string {
  return say(words.page[key] ?? "", values, plurals);
}

/** The reason of a refusal; in the server's own words if the code is newer than this page. */
export function refusal(code: string, values: Readonly<Record<string, unknown>>, why: string): string {
  const sentence = words.refused[code];
  return sentence === undefined ? why : say(sentence, values as Values, plurals);
}

/** Why the lobby refused. A code that is newer than this page has no sentence here; the server's own is English. */
export function denial(problem: unknown): string {
  const said = problem instanceof Denied ? tAny(`denied.${problem.code}`, { edition: problem.edition }) : "";
  return said || t("trouble");
}

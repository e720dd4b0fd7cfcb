/**
 * Divides each language's texts for the build: those that the first page shows, those of a table, and the rest. There
 * is no list of them: a text belongs to the first part that has a module which uses it.
 */

import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Plugin } from "vite";

const SOURCE = resolve(import.meta.dirname, "src");
const SHARED = resolve(import.meta.dirname, "../ubongo/words");
const VIRTUAL = /^virtual:words\/(\w+)\/(\w+)$/;
const STATIC = /^\s*(?:import|export)\s(?!type\s)(?:[^"';]*?\sfrom\s)?"(\.[^"]+)"/gm;
/** What a table shows in its first round; the lobby, the results and the like come with the rest. */
const TABLE = [
  "views/Table.svelte",
  "play/Extreme.svelte",
  "play/Cards.svelte",
  "play/Dice.svelte",
  "play/Cubes.svelte",
  "play/AreaOver.svelte",
  "play/BeginRun.svelte",
  "play/FastForward.svelte",
  "play/FirstRound.svelte",
  "play/InPictures.svelte",
  "play/LeaveDialog.svelte",
  "play/GhostSeat.svelte",
  "play/JustSolved.svelte",
  "play/Watch.svelte",
];

type Texts = Readonly<Record<string, unknown>>;
type Named = (key: string) => boolean;

/** The sources of some modules and of all that they import statically. */
function sourcesOf(...entries: readonly string[]): string[] {
  const found = new Map<string, string>();
  const waiting = entries.map((entry) => resolve(SOURCE, entry));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    const source = readFileSync(path, "utf8");
    found.set(path, source);
    for (const [, from] of source.matchAll(STATIC)) {
      const file = resolve(dirname(path), from ?? "");
      const module = [file, `${file}.ts`].find((one) => /\.(svelte|ts)$/.test(one) && existsSync(one));
      if (module !== undefined) waiting.push(module);
    }
  }
  return [...found.values()];
}

/** Whether some source names a key: in quotes, or as a template with holes, `game.${game}.about`. */
function namedIn(sources: readonly string[]): Named {
  const all = sources.join("\n");
  const whole = new Set([...all.matchAll(/"([\w.]+)"/g)].map(([, key]) => key));
  const templates = [...all.matchAll(/`([\w.]+\.\$\{[^`]*)`/g)].map(
    ([, text]) => new RegExp(`^${(text ?? "").replaceAll(".", "\\.").replace(/\$\{[^}]*\}/g, ".+")}$`),
  );
  return (key) => whole.has(key) || templates.some((template) => template.test(key));
}

const parts = (): readonly (readonly [string, Named])[] => [
  ["first", namedIn(sourcesOf("main.ts"))],
  ["table", namedIn(sourcesOf(...TABLE))],
  ["rest", () => true],
];

/** A language's texts by part. */
export function divided(texts: Texts): Readonly<Record<string, Texts>> {
  const all = parts();
  const partOf = (key: string): string => all.find(([, named]) => named(key))?.[0] ?? "";
  const entries = Object.entries(texts).map(([key, text]) => [partOf(key), key, text] as const);
  return Object.fromEntries(
    all.map(([part]) => [
      part,
      Object.fromEntries(entries.filter(([one]) => one === part).map(([, key, text]) => [key, text])),
    ]),
  );
}

/** `virtual:words/en/first`, `virtual:words/en/table` and so on; `refused` is what Python and the page both say. */
export const dividedWords: Plugin = {
  name: "divided-words",
  resolveId: { filter: { id: VIRTUAL }, handler: (id) => `\0${id}` },
  load: {
    filter: { id: /^\0virtual:words\// },
    handler(id) {
      const [, language = "", part = ""] = VIRTUAL.exec(id.slice(1)) ?? [];
      const file = resolve(part === "refused" ? SHARED : resolve(SOURCE, "i18n"), `${language}.json`);
      this.addWatchFile(file);
      const all = JSON.parse(readFileSync(file, "utf8")) as Texts;
      const texts = part === "refused" ? all : divided(all);
      return { code: `export default ${JSON.stringify(texts[part])}`, map: null };
    },
  },
};

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import de from "../src/i18n/de.json";
import en from "../src/i18n/en.json";
import pl from "../src/i18n/pl.json";
import { say, type Catalogue } from "../src/i18n/say";
import { suggestion } from "../src/suggestion";
import wordsDe from "../../ubongo/words/de.json";
import wordsEn from "../../ubongo/words/en.json";
import wordsPl from "../../ubongo/words/pl.json";

const holes = (sentence: unknown): string[] => [...new Set(JSON.stringify(sentence).match(/\{\w+\}/g))].sort();
const shared = (words: { refused: Catalogue; story: Catalogue }): Catalogue => ({ ...words.refused, ...words.story });

describe.each<[string, Catalogue, Catalogue]>([
  ["de", de, en],
  ["pl", pl, en],
  ["de, shared with Python", shared(wordsDe), shared(wordsEn)],
  ["pl, shared with Python", shared(wordsPl), shared(wordsEn)],
])("the catalogue of %s", (_, own, english) => {
  it("has the same keys", () => {
    expect(Object.keys(own).sort()).toEqual(Object.keys(english).sort());
  });
  it.each(Object.keys(english))("has something to say, with the same values: %s", (key) => {
    // German joins its names without a gap.
    if (key !== "names.between") expect(own[key]).not.toBe("");
    expect(holes(own[key])).toEqual(holes(english[key]));
  });
});

it.each<[string, Catalogue]>([
  ["en", en],
  ["de", de],
  ["pl", pl],
])("%s has every form that its numbers need", (language, own) => {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
  for (const sentence of Object.values(own)) {
    if (typeof sentence !== "string") expect(Object.keys(sentence).sort()).toEqual([...pluralCategories].sort());
  }
});

it("knows every key that is asked for", () => {
  const sources = readdirSync("src", { recursive: true, encoding: "utf8" }).filter((name) =>
    /\.(svelte|ts)$/.test(name),
  );
  const asked = sources.flatMap((name) =>
    Array.from(readFileSync(`src/${name}`, "utf8").matchAll(/\bt\("([\w.]+)"/g), ([, key]) => key as string),
  );
  expect(asked.length).toBeGreaterThan(100);
  expect(asked.filter((key) => !(key in en))).toEqual([]);
});

it.each([
  [1, "Zostało: 1 sekunda"],
  [3, "Zostało: 3 sekundy"],
  [5, "Zostało: 5 sekund"],
  [22, "Zostało: 22 sekundy"],
])("Polish counts %i", (n, text) => {
  const forms = { one: "{n} sekunda", few: "{n} sekundy", many: "{n} sekund", other: "{n} sekundy" };
  expect(`Zostało: ${say(forms, { n }, new Intl.PluralRules("pl"))}`).toBe(text);
});

it("speaks of an area in Polish as of something masculine", () => {
  const about = /^(area\.|seat\.filled|seat\.gives_up|paper\.(full|waits|grab)|tale\.gives_up)/;
  const sentences = Object.entries(pl).filter(([key]) => about.test(key));
  expect(sentences.length).toBeGreaterThan(10);
  expect(sentences.filter(([, text]) => / (je|ją) |pełn[ea]/.test(JSON.stringify(text)))).toEqual([]);
});

it("puts no article before a value: it is a 7, but an 8", () => {
  const sentences = Object.values({ ...en, ...shared(wordsEn) }).map((sentence) => JSON.stringify(sentence));
  expect(sentences.filter((sentence) => /\ban? \{/i.test(sentence))).toEqual([]);
});

it("suggests a name of two words", () => {
  expect(suggestion("Amber|Silver", "Heron|Fox", " ", () => 0.9)).toBe("Silver Fox");
});

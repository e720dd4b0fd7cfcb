import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { GAMES } from "../src/api";
import { contacts } from "../src/cards";
import de from "../src/i18n/de.json";
import en from "../src/i18n/en.json";
import pl from "../src/i18n/pl.json";
import { readFamily, type FamilyPage } from "../src/rules/family";
import figures from "../src/rules/figures.json";
import { familyPage } from "../src/rules/pages";
import { lyingCards, type DrawnCard, type Join } from "../src/rules/pictures/joins";
import { PICTURES } from "../src/rules/pictures/names";
import { LANGUAGES } from "../src/settings.svelte";

const KNOWN: readonly string[] = Object.values(PICTURES).flat();
const WORDS: Readonly<Record<string, Readonly<Record<string, unknown>>>> = { en, de, pl };
/** What a good box tells, and what each game has besides. */
const ALL = ["round", "lay", "end", "variants", "questions"];
const OWN: Readonly<Record<string, readonly string[]>> = {
  extreme: ["setup", "gems", "second"],
  cards: ["right", "wrong", "points", "rounds", "waiting"],
  dice: ["setup", "points", "waiting"],
  cubes: ["setup", "areas", "gems", "second"],
};

const pictures = (page: FamilyPage): string[] =>
  page.sections.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === "figures" ? block.figures.map(({ picture }) => picture) : [])),
  );
const shapeOf = (page: FamilyPage): unknown =>
  page.sections.map(({ id, blocks }) => [id, blocks.map(({ kind }) => kind), digits(JSON.stringify(blocks))]);
const digits = (text: string): string[] => (text.replaceAll(/"[a-z0-9]+-[a-z0-9-]+"/g, "").match(/\d+/g) ?? []).sort();

describe.each(GAMES.flatMap((game) => LANGUAGES.map((language) => [game, language] as const)))(
  "%s in %s",
  (game, language) => {
    const load = (): Promise<FamilyPage> => familyPage(game, language);

    it("has every section, once", async () => {
      const ids = (await load()).sections.map(({ id }) => id);
      expect([...ids].sort()).toEqual([...ALL, ...(OWN[game] ?? [])].sort());
    });

    it("tells of people, age and length", async () => {
      expect((await load()).facts).toHaveLength(3);
    });

    it("shows a round in three or four pictures, and only pictures that there are", async () => {
      const page = await load();
      const round = page.sections.find(({ id }) => id === "round")?.blocks[0];
      expect(round?.kind === "figures" ? round.figures.length : 0).toBeGreaterThanOrEqual(3);
      expect(pictures(page).filter((name) => !KNOWN.includes(name))).toEqual([]);
    });

    it("answers five questions or more", async () => {
      const asked = (await load()).sections.find(({ id }) => id === "questions")?.blocks ?? [];
      expect(asked.every(({ kind }) => kind === "question")).toBe(true);
      expect(asked.length).toBeGreaterThanOrEqual(5);
    });

    it("says the same as in English: parts, pictures and figures", async () => {
      const [own, english] = [await load(), await familyPage(game, "en")];
      expect(pictures(own)).toEqual(pictures(english));
      expect(shapeOf(own)).toEqual(shapeOf(english));
    });

    it("loses no word on its way to the screen, and names no option", async () => {
      const text = readFileSync(`../docs/rules/family/${language}/${game}.md`, "utf8");
      const said = JSON.stringify(await load());
      const words = new Set<string>(said.match(/\p{L}+/gu));
      expect((text.replaceAll("{screen: ", "").match(/\p{L}+/gu) ?? []).filter((word) => !words.has(word))).toEqual([]);
      expect(said).not.toMatch(/_|`|\*|"option"/);
    });

    it("has in short what nobody may miss", () => {
      const brief = String(WORDS[language]?.[`rules.${game}`]);
      // Points, rounds or values; and that one calls, which only dice do without.
      const facts = { extreme: ["4", "3", "2", "1"], cards: ["10", "0", "1, 3"], dice: ["4", "3", "2", "1"] };
      for (const fact of facts[game === "cubes" ? "extreme" : game]) expect(brief).toContain(fact);
      expect(brief.includes("Ubongo!")).toBe(game !== "dice");
    });
  },
);

it("uses every picture that it can draw", async () => {
  const pages = await Promise.all(GAMES.map((game) => familyPage(game, "en")));
  expect(KNOWN.filter((name) => !pages.some((page) => pictures(page).includes(name)))).toEqual([]);
});

it.each([
  "no title",
  "# A\n\nA goal without facts.",
  "# A\n\nGoal.\n\n- fact\n\n## No id\n\nText.",
  "# A\n\nGoal.\n\n- fact\n\n## A {#a}\n\n![picture]",
  "# A\n\nGoal.\n\n- fact\n\n## A {#a}\n\n### Nobody answers?",
  "# A\n\nGoal.\n\n- fact\n\n## A {#a}\n\n| a | table |",
])("refuses what it cannot show: %s", (text) => {
  expect(() => readFamily(text)).toThrow();
});

it.each<[Join, number, number]>([
  ["long", 2, 2],
  ["short", 2, 2],
  ["across", 2, 2],
  ["branches", 6, 6],
  ["one", 1, 1],
  ["three", 3, 3],
  ["differs", 2, 1],
  ["crosswise", 2, 0],
])("joins cards as it says: %s", (join, touching, equal) => {
  const found = contacts(lyingCards(figures.cards.joins[join] as unknown as DrawnCard[]));
  expect(found).toHaveLength(touching);
  expect(found.filter(({ same }) => same)).toHaveLength(equal);
});

it("shows areas that are exactly full", () => {
  const keys = (cells: readonly (readonly number[])[]): string[] => cells.map(String).sort();
  const { extreme, dice, cubes, cards } = figures;
  expect(keys(extreme.pieces.flatMap(({ lies }) => lies))).toEqual(keys(extreme.region));
  expect(keys(dice.entered.flatMap(({ cells }) => cells))).toEqual(keys(dice.region));
  const levels = (cubes.easier[0] ?? []).flatMap((cell) => [0, 1].map((z) => [...cell, z]));
  expect(keys(cubes.pieces.flatMap(({ lies }) => lies))).toEqual(keys(levels));
  expect(contacts(lyingCards(cards.laid as unknown as DrawnCard[])).every(({ same }) => same)).toBe(true);
});

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { read } from "../src/rules/markdown";
import { numbersOf, page } from "../src/rules/pages";
import { LANGUAGES } from "../src/settings.svelte";

const RULES = "../docs/rules";
const files = readdirSync(RULES, { recursive: true, encoding: "utf8" }).filter(
  (name) => name.endsWith(".md") && !name.startsWith("family"),
);

it("reads the forms that the pages are written in", () => {
  const text =
    "# A game\n\nLay *all*, see\n[more](shared.md).\n\n| | |\n| --- | --- |\n| **X1** | Choose a side (`side: 4`) or 3\\|4. |\n\n## Solo\n";
  expect(read(text)).toEqual({
    title: "A game",
    blocks: [
      {
        kind: "text",
        spans: [
          { kind: "text", text: "Lay " },
          { kind: "em", text: "all" },
          { kind: "text", text: ", see " },
          { kind: "link", text: "more", to: "shared.md" },
          { kind: "text", text: "." },
        ],
      },
      {
        kind: "rules",
        rules: [
          {
            number: "X1",
            spans: [
              { kind: "text", text: "Choose a side" },
              { kind: "option", name: "side", value: "4" },
              { kind: "text", text: " or 3|4." },
            ],
          },
        ],
      },
      { kind: "heading", text: "Solo" },
    ],
  });
});

it.each([
  "no title",
  "# A\n\n- a list",
  "# A\n\n```\ncode\n```",
  "# A\n\n### Deep",
  "# A\n\nIt runs for `hourglass_s` s.",
])("refuses what it cannot show: %s", (text) => {
  expect(() => read(text)).toThrow();
});

describe.each(files)("%s", (name) => {
  const text = readFileSync(`${RULES}/${name}`, "utf8");

  it("loses no word on its way to the screen", () => {
    const said = new Set<string>(JSON.stringify(read(text)).match(/\p{L}+/gu));
    const written = text.replaceAll(/\]\([^)]*\)/g, "").match(/\p{L}+/gu) ?? [];
    expect(written.length).toBeGreaterThan(100);
    expect(written.filter((word) => !said.has(word))).toEqual([]);
    expect(JSON.stringify(read(text))).not.toMatch(/\*|---/);
  });

  it("names options and seats as people do", () => {
    expect(seen(read(text))).not.toMatch(/[a-z]+_[a-z]|`|seat 0|Platz 0|miejsce 0|\btests?\b/i);
  });
});

/** All that is written on a page but the names of options, which are shown as what the setup calls them. */
function seen(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null || ("kind" in value && value.kind === "option")) return "";
  return Object.values(value).map(seen).join(" ");
}

it("knows the first and the last number of a page", async () => {
  expect(numbersOf(await page("extreme", "en"))).toEqual({ from: "X1", to: "X16" });
  expect(numbersOf(await page("cubes", "pl"))).toEqual({ from: "Q1", to: "Q26" });
});

it.each(LANGUAGES)("finds every page in %s", async (language) => {
  for (const name of ["extreme", "cards", "dice", "cubes", "shared"]) {
    expect((await page(name, language)).title.length).toBeGreaterThan(3);
  }
});

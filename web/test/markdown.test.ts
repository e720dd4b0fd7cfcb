import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { read } from "../src/rules/markdown";
import { page } from "../src/rules/pages";
import { LANGUAGES } from "../src/settings.svelte";

const RULES = "../docs/rules";
const files = readdirSync(RULES, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".md"));

it("reads the forms that the pages are written in", () => {
  const text =
    "# A game\n\nLay *all*, see\n[more](shared.md).\n\n| | |\n| --- | --- |\n| **X1** | Choose `side` or 3\\|4. |\n\n## Solo\n";
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
              { kind: "text", text: "Choose " },
              { kind: "code", text: "side" },
              { kind: "text", text: " or 3|4." },
            ],
          },
        ],
      },
      { kind: "heading", text: "Solo" },
    ],
  });
});

it.each(["no title", "# A\n\n- a list", "# A\n\n```\ncode\n```", "# A\n\n### Deep"])(
  "refuses what it cannot show: %s",
  (text) => {
    expect(() => read(text)).toThrow();
  },
);

describe.each(files)("%s", (name) => {
  const text = readFileSync(`${RULES}/${name}`, "utf8");

  it("loses no word on its way to the screen", () => {
    const said = new Set<string>(JSON.stringify(read(text)).match(/\p{L}+/gu));
    const written = text.replaceAll(/\]\([^)]*\)/g, "").match(/\p{L}+/gu) ?? [];
    expect(written.length).toBeGreaterThan(100);
    expect(written.filter((word) => !said.has(word))).toEqual([]);
    expect(JSON.stringify(read(text))).not.toMatch(/\*|---/);
  });
});

it.each(LANGUAGES)("finds every page in %s", async (language) => {
  for (const name of ["extreme", "cards", "dice", "cubes", "shared"]) {
    expect((await page(name, language)).title.length).toBeGreaterThan(3);
  }
});

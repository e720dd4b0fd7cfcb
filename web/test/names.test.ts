import { beforeAll, expect, it } from "vitest";
import { speak, withWords } from "../src/i18n/index.svelte";
import type { Piece } from "../src/lay";
import { cardName, gemsText, pieceName, seenRows, shapeName, shortName } from "../src/names";

// A card as it is printed: three rows of two.
const CARD: Piece = {
  name: "1-17-white",
  shapes: [],
  after: { turn: [] },
  marks: ["T4", "L5", "I2", "Y5", "O4", "L3"],
};

beforeAll(async () => {
  await speak("en");
  await withWords(Promise.resolve());
});

it.each([
  ["L4", "L of four"],
  ["yellow-1", "hook of four"],
  ["green-1", "hook of four"],
  ["green-10", "swan of five"],
  ["type-1", "yellow L with a cube on its middle"],
  ["", ""],
])("%s is a %s", (name, shape) => {
  expect(shapeName(name)).toBe(shape);
});

it("gives a piece the number of its key", () => {
  expect(pieceName(2, "blue-3")).toBe("Piece 2: flag of four");
});

it("calls a piece whose shape has no name by its number", () => {
  expect(pieceName(2, "unknown")).toBe("Piece 2");
  expect(shortName(2, { name: "unknown" })).toBe("Piece 2");
});

it.each([
  [0, ["T4 L5", "I2 Y5", "O4 L3"]],
  [1, ["O4 I2 T4", "L3 Y5 L5"]],
  [2, ["L3 O4", "Y5 I2", "L5 T4"]],
  [3, ["L5 Y5 L3", "T4 I2 O4"]],
])("reads a card that was turned %i times row by row", (turn, rows) => {
  expect(seenRows(CARD.marks ?? [], turn).map((row) => row.join(" "))).toEqual(rows);
});

it("calls a card by its number, its round and its symbols; shortly, by its number", () => {
  const symbols = "T, L of five; bar of two, Y; square, corner";
  expect(cardName(3, CARD, 0)).toBe(`Card 3 of round 1: ${symbols}`);
  expect(shortName(3, CARD)).toBe("Card 3");
});

it("counts gems by their kinds, the dearest first", () => {
  expect(gemsText(["amber", "sapphire", "amber", "ruby"])).toBe("1 ruby, 1 sapphire, 2 ambers");
  expect(gemsText([])).toBe("");
});

import { describe, expect, it } from "vitest";
import { contacts, handSize, lying, middleOf, printed, reach, sight } from "../src/cards";
import type { Cell } from "../src/lattice";
import type { Piece } from "../src/lay";
import { cellsOf, symbol } from "../src/symbols";

/** As the server lists them: a card's four turns, mark i with cell i. */
const SHAPES: readonly (readonly Cell[])[] = [
  "0,0 1,0 0,1 1,1 0,2 1,2",
  "2,0 2,1 1,0 1,1 0,0 0,1",
  "1,2 0,2 1,1 0,1 1,0 0,0",
  "0,1 0,0 1,1 1,0 2,1 2,0",
].map((turn) => turn.split(" ").map((cell) => cell.split(",").map(Number) as unknown as Cell));
const card = (name: string, marks: string): Piece => ({
  name,
  shapes: SHAPES,
  after: { turn: [1, 2, 3, 0] },
  marks: marks.split(" "),
});
const ONE = card("1-1-white", "T4 L5 L5 Y5 O4 L5");
const TWO = card("1-2-white", "Y5 O4 L5 T4 I2 I3");
const hand = new Map([ONE, TWO].map((piece) => [piece.name, piece]));
const down = (...places: [piece: number, turn: number, at: Cell][]) =>
  lying(
    [ONE.name, TWO.name, null],
    places.map(([piece, turn, at]) => ({ piece, turn, at })),
    hand,
  );

it.each([
  ["1-17-white", { black: false, round: 1 }],
  ["5-36-black", { black: true, round: 6 }],
])("reads what is printed on %s", (name, found) => {
  expect(printed(name)).toEqual(found);
});

describe("contacts", () => {
  it("are the unit edges that two cards share, and say whether their symbols are equal", () => {
    // TWO to the right of ONE and one square lower: Y5 meets Y5, L5 meets L5.
    const found = contacts(down([0, 0, [0, 0]], [1, 0, [2, 1]]));
    expect(found).toEqual([
      { pieces: [0, 1], x: 90, y: 60, upright: true, same: true },
      { pieces: [0, 1], x: 90, y: 120, upright: true, same: true },
    ]);
  });
  it("are found below too, for a card on its side", () => {
    const found = contacts(down([0, 0, [0, 0]], [1, 1, [0, 3]]));
    expect(found.map(({ x, y, upright, same }) => [x, y, upright, same])).toEqual([
      [0, 150, false, false],
      [60, 150, false, true],
    ]);
  });
  it("are none at a corner, nor for a card that nobody may see", () => {
    expect(contacts(down([0, 0, [0, 0]], [1, 0, [2, 3]]))).toEqual([]);
    expect(down([2, 0, [0, 0]])).toEqual([]);
  });
});

it("finds the middle of a card, upright and on its side", () => {
  expect(down([0, 0, [0, 0]], [1, 1, [3, 0]]).map(({ cells }) => middleOf(cells))).toEqual([
    [30, 60],
    [240, 30],
  ]);
});

describe("the window on the table", () => {
  const cellsIn = (...at: Cell[]): Cell[] =>
    at.flatMap(([x, y]) => SHAPES[0]!.map(([dx, dy]) => [x + dx, y + dy] as const));
  const start = sight([], 900, 500, null);

  it("has the first card in its middle, and shows no giant", () => {
    expect(start.x + 900 / start.scale / 2).toBeCloseTo(0);
    expect(start.y + 500 / start.scale / 2).toBeCloseTo(0);
    expect(start.scale * 60).toBeLessThanOrEqual(68);
  });
  it("stays as it is while all that lies has room in it", () => {
    expect(sight(cellsIn([0, 0]), 900, 500, start)).toBe(start);
  });
  it("moves and grows with what lies, so that all of it is seen", () => {
    const cells = cellsIn([0, 0], [14, 6]);
    const now = sight(cells, 900, 500, start);
    expect(now.scale).toBeLessThan(start.scale);
    expect(now.x).toBeLessThan(-30);
    expect(now.x + 900 / now.scale).toBeGreaterThan(15 * 60 + 30);
    expect(now.y + 500 / now.scale).toBeGreaterThan(8 * 60 + 30);
  });
  it("closes in again when nearly all was lifted", () => {
    const far = sight(cellsIn([0, 0], [20, 10]), 900, 500, start);
    expect(sight(cellsIn([0, 0]), 900, 500, far).scale).toBeGreaterThan(far.scale);
  });
  it("is found anew on another screen", () => {
    expect(sight([], 336, 300, start).width).toBe(336);
  });
  it("has all cells in reach that it shows, and a card's length beside what lies", () => {
    const shown = reach([], start).map(String);
    expect(shown).toContain("0,0");
    expect(shown).not.toContain("40,0");
    expect(reach([[40, 0]], start).map(String)).toContain("43,3");
  });
  it.each<[where: string, far: [number, number][]]>([
    ["far away", [[1_000_000, 1_000_000]]],
    ["far away on both sides", [[-1_000_000, 7], [1_000_000, -1_000_000]]], // prettier-ignore
  ])("does not go after a card that a program has laid %s", (_, far) => {
    const [here, all] = [cellsIn([0, 0], [3, 0], [6, 0]), cellsIn([0, 0], [3, 0], [6, 0], ...far)];
    const seen = sight(all, 900, 500, start);
    expect(seen).toEqual(sight(here, 900, 500, start));
    expect(reach(all, seen)).toEqual(reach(here, seen));
  });
  it("goes where the only card lies, and reaches no farther than it shows before it is there", () => {
    const away = cellsIn([1_000_000, -1_000_000]);
    expect(reach(away, sight(away, 900, 500, start)).map(String)).toContain("1000001,-999999");
    expect(reach(away, start)).toEqual(reach([], start));
  });
});

describe("the hand", () => {
  it.each<[name: string, widths: number[], room: [width: number, height: number], size: number]>([
    ["few cards are as large as they may be", [2, 2], [900, 204], 56],
    ["nine go in one row on a wide screen", Array<number>(9).fill(2), [900, 204], 46],
    ["nine go in two rows on a phone", Array<number>(9).fill(2), [253, 150], 22],
    ["nine go in three rows in a narrow column", Array<number>(9).fill(2), [192, 230], 23],
    ["a card on its side takes more", [3, 2, 2, 2, 2], [253, 110], 20],
    ["what stands below a card takes room, too", [2], [900, 150], 43],
    ["no card at all", [], [253, 150], 56],
    ["no room yet", [2, 2, 2], [0, 0], 0],
  ])("%s", (name, widths, [width, height], size) => {
    const label = name.includes("below") ? 20 : 0;
    expect(handSize(widths, { width, height, gap: [8, 8], label }, 56)).toBe(size);
  });
});

describe("symbols", () => {
  it.each(["I2", "I3", "I4", "L3", "L4", "L5", "O4", "P5", "S4", "T4", "Y5", "Z5"])(
    "%s is drawn in its square",
    (name) => {
      const { face } = symbol(name)!;
      const numbers = face.match(/-?\d+(\.\d+)?/g)!.map(Number);
      expect(Math.max(...numbers.map(Math.abs))).toBeLessThan(24);
    },
  );
  it("has as many cells as its picture has marks", () => {
    expect(cellsOf("#./##")).toEqual([
      [0, 0],
      [0, 1],
      [1, 1],
    ]);
    expect(symbol("I1")).toBeNull();
  });
});

import { expect, it } from "vitest";
import { outline } from "../src/geometry";
import { HEX } from "../src/lattice";
import { contacts } from "../src/cards";
import { blocks, cards, pieces, region, space } from "../src/sample";

it("has four pieces and the region that they fill", () => {
  expect(pieces.map((cells) => cells.length)).toEqual([4, 4, 5, 5]);
  expect(region).toHaveLength(18);
});

it("has pieces that lie apart", () => {
  expect(new Set(region.map(String)).size).toBe(region.length);
});

it.each([["the region", region] as const, ...pieces.map((cells, i) => [`piece ${i}`, cells] as const)])(
  "is one whole without a hole: %s",
  (_, cells) => {
    expect(outline(cells, HEX).loops).toHaveLength(1);
  },
);

it("starts at 0 on both axes, as regions do", () => {
  expect(Math.min(...region.map(([q]) => q))).toBe(0);
  expect(Math.min(...region.map(([, r]) => r))).toBe(0);
});

it("has blocks that lie apart, on two levels", () => {
  expect(blocks.map(({ cells }) => cells.length)).toEqual([5, 3, 4]);
  expect(new Set(space.map(String)).size).toBe(space.length);
  expect(new Set(space.map(([, , z]) => z))).toEqual(new Set([0, 1]));
});

it("has cards that fit wherever they meet, each one joined to those before it", () => {
  // How a card's six cells lie, turn by turn: as the server tells it.
  const CELLS = [0, 1, 2].flatMap((y) => [0, 1].map((x) => [x, y] as const));
  const turned = ([x, y]: readonly [number, number], turn: number): readonly [number, number] =>
    turn === 0 ? [x, y] : turn === 1 ? [2 - y, x] : turn === 2 ? [1 - x, 2 - y] : [y, 1 - x];
  const lying = cards.map(({ marks, turn, at }, piece) => ({
    piece: { name: "1-1-white", shapes: [], after: { turn: [] }, marks: marks.split(" ") },
    where: { piece, turn, at: [...at] },
    cells: CELLS.map((cell) => turned(cell, turn)).map(([x, y]) => [at[0] + x, at[1] + y] as const),
  }));
  expect(new Set(lying.flatMap(({ cells }) => cells.map(String))).size).toBe(6 * cards.length);
  expect(contacts(lying).every(({ same }) => same)).toBe(true);
  for (let n = 1; n < cards.length; n++)
    expect(contacts(lying.slice(0, n + 1)).some(({ pieces: pair }) => pair.includes(n))).toBe(true);
});

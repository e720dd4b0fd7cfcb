import { expect, it } from "vitest";
import { contacts } from "../src/cards";
import { outline } from "../src/geometry";
import { HEX, SQUARE } from "../src/lattice";
import { entered, hexagons, left, seven } from "../src/pictures";
import { cellsOf, PICTURES } from "../src/symbols";

it.each([3, 4])("has %i pieces that fill one area", (number) => {
  const pieces = hexagons[number] ?? [];
  expect(pieces).toHaveLength(number);
  expect(new Set(pieces.flat().map(String)).size).toBe(pieces.flat().length);
  expect(outline(pieces.flat(), HEX).loops).toHaveLength(1);
});

it("has an area that the shapes of two dice fill", () => {
  for (const { face, cells } of entered) expect(cells).toHaveLength(cellsOf(PICTURES[face]).length);
  expect(
    outline(
      entered.flatMap(({ cells }) => cells),
      SQUARE,
    ).loops,
  ).toHaveLength(1);
});

it("has a hand of nine, seven of which lie as the rules want it (K8, K10)", () => {
  expect(seven.length + left.length).toBe(9);
  const CELLS = [0, 1, 2].flatMap((y) => [0, 1].map((x) => [x, y] as const));
  const turned = ([x, y]: readonly [number, number], turn: number): readonly [number, number] =>
    turn === 0 ? [x, y] : turn === 1 ? [2 - y, x] : turn === 2 ? [1 - x, 2 - y] : [y, 1 - x];
  const lying = seven.map(({ marks, turn, at }, piece) => ({
    piece: { name: "1-1-white", shapes: [], after: { turn: [] }, marks: marks.split(" ") },
    where: { piece, turn, at: [...at] },
    cells: CELLS.map((cell) => turned(cell, turn)).map(([x, y]) => [at[0] + x, at[1] + y] as const),
  }));
  expect(new Set(lying.flatMap(({ cells }) => cells.map(String))).size).toBe(6 * seven.length);
  const met = contacts(lying);
  expect(met.every(({ same }) => same)).toBe(true);
  const pairs = met.map(({ pieces }) => String([...pieces].sort()));
  expect(pairs.every((pair) => pairs.filter((other) => other === pair).length === 2)).toBe(true);
  for (let n = 1; n < seven.length; n++)
    expect(contacts(lying.slice(0, n + 1)).some(({ pieces }) => pieces.includes(n))).toBe(true);
});

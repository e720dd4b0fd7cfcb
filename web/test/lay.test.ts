import { describe, expect, it } from "vitest";
import { middle } from "../src/geometry";
import { HEX, SQUARE, type Cell } from "../src/lattice";
import { clashes, cover, keys, reseat, snap, tapped, twisted, type Piece } from "../src/lay";

// prettier-ignore
const region: Cell[] = [[0, 0], [1, 0], [2, 0], [0, 1], [1, 1], [2, 1], [0, 2], [1, 2]];
// prettier-ignore
const bar: Cell[] = [[0, 0], [1, 0]];
const piece: Piece = {
  name: "yellow-1",
  shapes: [],
  after: { turn: [1, 2, 0, 4, 5, 3], flip: [3, 5, 4, 0, 2, 1] },
};
const inside = keys(region);
const none = keys([]);

it.each([
  [0, "turn", 1],
  [2, "turn", 0],
  [0, "back", 2],
  [4, "back", 3],
  [1, "flip", 5],
] as const)("orientation %i, %s: %i", (turn, twist, next) => {
  expect(twisted(piece, turn, twist)).toBe(next);
});

describe("snap", () => {
  // prettier-ignore
  it.each<[string, Cell, [number, number], Cell[], { at: Cell; bad: Cell[] } | null]>([
    ["right above a place", [0, 0], [0, 0], [], { at: [0, 0], bad: [] }],
    ["a little off", [1, 1], [9, -9], [], { at: [1, 1], bad: [] }],
    ["over something: shows what is covered", [0, 0], [0, 0], [[1, 0]], { at: [0, 0], bad: [[1, 0]] }],
    ["beside something: a free place nearby is better", [0, 0], [10, 28], [[1, 0]], { at: [0, 1], bad: [] }],
    ["half outside: is drawn in", [2, 0], [-20, 0], [], { at: [1, 0], bad: [] }],
    ["far away", [9, 9], [0, 0], [], null],
  ])("%s", (_, cell, [dx, dy], taken, expected) => {
    const [x, y] = HEX.centre(cell);
    const found = snap(HEX, bar, [x + dx, y + dy], inside, keys(taken));
    expect(found === null ? null : { at: found.at, bad: found.bad }).toEqual(expected);
  });
});

it("snaps on squares too, also across a corner", () => {
  const at = snap(
    SQUARE,
    bar,
    [32, 32],
    inside,
    keys([
      [0, 0],
      [0, 1],
    ]),
  );
  expect(at).toMatchObject({ at: [1, 1], bad: [] });
});

describe("tapped", () => {
  // prettier-ignore
  it.each<[string, Cell, Cell[], Cell | null]>([
    ["covers the cell", [2, 0], [], [1, 0]],
    ["whichever way is free", [1, 0], [[0, 0]], [1, 0]],
    ["and the other one", [1, 0], [[2, 0]], [0, 0]],
    ["no room", [1, 0], [[0, 0], [2, 0]], null],
    ["outside", [7, 7], [], null],
  ])("%s", (_, cell, taken, expected) => {
    expect(tapped(HEX, bar, cell, inside, keys(taken))).toEqual(expected);
  });
});

it("clashes outside and on others", () => {
  expect(clashes(bar, [2, 0], inside, none)).toEqual([[3, 0]]);
  expect(clashes(bar, [0, 0], inside, keys([[1, 0]]))).toEqual([[1, 0]]);
  expect(clashes(bar, [0, 0], inside, none)).toEqual([]);
});

it("turns about its middle", () => {
  // prettier-ignore
  const upright: Cell[] = [[0, 0], [0, 1], [0, 2]];
  // prettier-ignore
  const lying: Cell[] = [[0, 0], [1, 0], [2, 0]];
  const at = reseat(HEX, upright, lying, [3, 3]);
  const [x, y] = middle(cover(lying, at), HEX);
  const [oldX, oldY] = middle(cover(upright, [3, 3]), HEX);
  expect(Math.hypot(x - oldX, y - oldY)).toBeLessThan(HEX.size);
});

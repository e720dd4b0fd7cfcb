import { describe, expect, it } from "vitest";
import { box, lines, outline, path, type Side } from "../src/geometry";
import { HEX, SQUARE, type Cell, type Lattice, type Point } from "../src/lattice";

const R3 = Math.sqrt(3);
const SIDE = HEX.size;
// prettier-ignore
const around: Cell[] = [[1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1]];

/** Twice the area that a loop surrounds; positive when it runs clockwise on the screen, where y points down. */
function area(loop: readonly Point[]): number {
  return loop.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = loop[(i + 1) % loop.length] as Point;
    return sum + x * nextY - nextX * y;
  }, 0);
}

describe("outline", () => {
  // prettier-ignore
  it.each<[string, Lattice, Cell[], corners: number[], joints: number]>([
    ["nothing", HEX, [], [], 0],
    ["one hexagon", HEX, [[0, 0]], [6], 0],
    ["two beside each other", HEX, [[0, 0], [1, 0]], [10], 1],
    ["three around a corner", HEX, [[0, 0], [1, 0], [0, 1]], [12], 3],
    ["two apart", HEX, [[0, 0], [2, 0]], [6, 6], 0],
    ["a ring with its hole", HEX, around, [18, 6], 6],
    ["a flower", HEX, [[0, 0], ...around], [18], 12],
    ["one square", SQUARE, [[0, 0]], [4], 0],
    ["two squares", SQUARE, [[0, 0], [1, 0]], [6], 1],
    ["four squares", SQUARE, [[0, 0], [1, 0], [0, 1], [1, 1]], [8], 4],
    ["two that touch by a corner", SQUARE, [[0, 0], [1, 1]], [4, 4], 0],
    ["the same the other way", SQUARE, [[1, 0], [0, 1]], [4, 4], 0],
    ["a ring that meets itself at a corner", SQUARE, [[0, 0], [1, 0], [2, 0], [0, 1], [0, 2], [1, 2], [2, 1]], [16], 6],
  ])("of %s", (_, lattice, cells, corners, joints) => {
    const shape = outline(cells, lattice);
    expect(shape.loops.map((loop) => loop.length).sort((a, b) => b - a)).toEqual(corners);
    expect(shape.joints).toHaveLength(joints);
  });

  it("runs clockwise outside and the other way around a hole", () => {
    const signs = outline(around, HEX).loops.map((loop) => Math.sign(area(loop)));
    expect(signs.sort()).toEqual([-1, 1]);
  });

  it("surrounds exactly the area of its cells, holes taken away", () => {
    const total = outline(around, HEX).loops.reduce((sum, loop) => sum + area(loop) / 2, 0);
    expect(total).toBeCloseTo(6 * 1.5 * R3 * SIDE ** 2);
  });
});

describe("path", () => {
  const { loops } = outline([[0, 0]], HEX);

  it("of one cell, sharp", () => {
    expect(path(loops).match(/Q[^L]+/g)).toHaveLength(6);
    expect(path(loops)).toMatch(/^M0 -40Q0 -40 0 -40L/);
  });

  it("moved inwards keeps the corners' directions", () => {
    // A side moves in by 1, so a corner moves by 2/√3.
    expect(path(loops, 1)).toMatch(/^M0 -38\.85Q/);
    expect(path(loops, -1)).toMatch(/^M0 -41\.15Q/);
  });

  it("never rounds away more than its sides have", () => {
    expect(path(loops, 0, 1000)).not.toContain("NaN");
    expect(path(loops, 0, 1000)).toBe(path(loops, 0, 0.45 * SIDE));
  });

  it("of nothing is empty", () => {
    expect(path([])).toBe("");
  });
});

describe("lines", () => {
  it.each([
    [0, "M0 0L10 0"],
    [0.1, "M1 0L9 0"],
  ])("shortened by %f at both ends", (gap, drawn) => {
    const side: Side = [
      [0, 0],
      [10, 0],
    ];
    expect(lines([side], gap)).toBe(drawn);
  });
});

describe("box", () => {
  it("holds a cell and a margin", () => {
    const { x, y, width, height } = box([[0, 0]], HEX, 1);
    expect([x, y, width, height].map((value) => value.toFixed(3))).toEqual(
      [-20 * R3 - 1, -41, 40 * R3 + 2, 82].map((value) => value.toFixed(3)),
    );
  });
});

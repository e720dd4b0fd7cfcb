import { describe, expect, it } from "vitest";
import { box, centre, lines, outline, path, type Cell, type Point, type Side } from "../src/geometry";

const R3 = Math.sqrt(3);
// prettier-ignore
const around: Cell[] = [[1, 0], [0, 1], [-1, 1], [-1, 0], [0, -1], [1, -1]];

/** Twice the area that a loop surrounds; positive when it runs clockwise on the screen, where y points down. */
function area(loop: readonly Point[]): number {
  return loop.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = loop[(i + 1) % loop.length] as Point;
    return sum + x * nextY - nextX * y;
  }, 0);
}

describe("centre", () => {
  // prettier-ignore
  it.each<[Cell, Point]>([
    [[0, 0], [0, 0]],
    [[1, 0], [10 * R3, 0]],
    [[0, 1], [5 * R3, 15]],
    [[-1, 2], [0, 30]],
    [[2, -1], [15 * R3, -15]],
  ])("of %j", (cell, [x, y]) => {
    const [realX, realY] = centre(cell, 10);
    expect(realX).toBeCloseTo(x);
    expect(realY).toBeCloseTo(y);
  });

  it.each(around)("is a hexagon's width from its neighbour [%i, %i]", (q, r) => {
    expect(Math.hypot(...centre([q, r], 10))).toBeCloseTo(10 * R3);
  });
});

describe("outline", () => {
  // prettier-ignore
  it.each<[string, Cell[], corners: number[], joints: number]>([
    ["nothing", [], [], 0],
    ["one cell", [[0, 0]], [6], 0],
    ["two beside each other", [[0, 0], [1, 0]], [10], 1],
    ["three around a corner", [[0, 0], [1, 0], [0, 1]], [12], 3],
    ["two apart", [[0, 0], [2, 0]], [6, 6], 0],
    ["a ring with its hole", around, [18, 6], 6],
    ["a flower", [[0, 0], ...around], [18], 12],
  ])("of %s", (_, cells, corners, joints) => {
    const shape = outline(cells, 10);
    expect(shape.loops.map((loop) => loop.length).sort((a, b) => b - a)).toEqual(corners);
    expect(shape.joints).toHaveLength(joints);
  });

  it("runs clockwise outside and the other way around a hole", () => {
    const signs = outline(around, 10).loops.map((loop) => Math.sign(area(loop)));
    expect(signs.sort()).toEqual([-1, 1]);
  });

  it("surrounds exactly the area of its cells, holes taken away", () => {
    const total = outline(around, 10).loops.reduce((sum, loop) => sum + area(loop) / 2, 0);
    expect(total).toBeCloseTo(6 * 1.5 * R3 * 100);
  });
});

describe("path", () => {
  const { loops } = outline([[0, 0]], 10);

  it("of one cell, sharp", () => {
    expect(path(loops).match(/Q[^L]+/g)).toHaveLength(6);
    expect(path(loops)).toMatch(/^M0 -10Q0 -10 0 -10L/);
  });

  it("moved inwards keeps the corners' directions", () => {
    // A side moves in by 1, so a corner moves by 2/√3.
    expect(path(loops, 1)).toMatch(/^M0 -8\.85Q/);
    expect(path(loops, -1)).toMatch(/^M0 -11\.15Q/);
  });

  it("never rounds away more than its sides have", () => {
    expect(path(loops, 0, 1000)).not.toContain("NaN");
    expect(path(loops, 0, 1000)).toBe(path(loops, 0, 4.5));
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
    const { x, y, width, height } = box([[0, 0]], 10, 1);
    expect([x, y, width, height].map((value) => value.toFixed(3))).toEqual(
      [-5 * R3 - 1, -11, 10 * R3 + 2, 22].map((value) => value.toFixed(3)),
    );
  });
});

import { describe, expect, it } from "vitest";
import { HEX, SQUARE, type Cell, type Lattice, type Point } from "../src/lattice";

const R3 = Math.sqrt(3);
const LATTICES: [string, Lattice][] = [
  ["hexagons", HEX],
  ["squares", SQUARE],
];

describe("centre", () => {
  // prettier-ignore
  it.each<[string, Lattice, Cell, Point]>([
    ["hexagons", HEX, [0, 0], [0, 0]],
    ["hexagons", HEX, [1, 0], [40 * R3, 0]],
    ["hexagons", HEX, [0, 1], [20 * R3, 60]],
    ["hexagons", HEX, [-1, 2], [0, 120]],
    ["hexagons", HEX, [2, -1], [60 * R3, -60]],
    ["squares", SQUARE, [0, 0], [0, 0]],
    ["squares", SQUARE, [2, -1], [120, -60]],
  ])("on %s", (_, { centre }, cell, [x, y]) => {
    const [realX, realY] = centre(cell);
    expect(realX).toBeCloseTo(x);
    expect(realY).toBeCloseTo(y);
  });
});

describe.each(LATTICES)("%s", (_, lattice) => {
  // prettier-ignore
  it.each<Cell>([[0, 0], [3, -2], [-4, 1], [5, 5]])("a cell is where its centre is: [%i, %i]", (q, r) => {
    const [x, y] = lattice.centre([q, r]);
    for (const [dx, dy] of [[0, 0], [0.45, 0], [-0.2, 0.3], [0, -0.45]] as const) {
      expect(lattice.cellAt([x + dx * lattice.pitch, y + dy * lattice.pitch])).toEqual([q, r]);
    }
  });

  it("an arrow leads to a neighbour, and the opposite one back", () => {
    for (const [there, back] of [
      ["ArrowUp", "ArrowDown"],
      ["ArrowLeft", "ArrowRight"],
    ] as const) {
      for (const from of [
        [2, 2],
        [3, 5],
      ] as const) {
        const to = lattice.stepped(from, there) as Cell;
        const [ax, ay] = lattice.centre(from);
        const [bx, by] = lattice.centre(to);
        expect(Math.hypot(bx - ax, by - ay)).toBeCloseTo(lattice.pitch);
        expect(lattice.stepped(to, back)).toEqual(from);
      }
    }
    expect(lattice.stepped([0, 0], "Enter")).toBeNull();
  });

  it("up and down go straight", () => {
    const steps = ["ArrowUp", "ArrowUp"];
    const at = steps.reduce<Cell>((cell, key) => lattice.stepped(cell, key) as Cell, [2, 2]);
    expect(lattice.centre(at)[0]).toBeCloseTo(lattice.centre([2, 2])[0]);
  });

  it("around a cell is itself and what is near", () => {
    const cells = lattice.around([4, 2]);
    expect(cells).toContainEqual([4, 2]);
    const [x, y] = lattice.centre([4, 2]);
    const away = cells.map(lattice.centre).map(([ax, ay]) => Math.hypot(ax - x, ay - y) / lattice.pitch);
    expect(Math.max(...away)).toBeLessThan(1.5);
    expect(new Set(cells.map(String)).size).toBe(cells.length);
  });

  it("neighbours share two corners exactly", () => {
    const one = lattice.corners([3, 1]).map(String);
    const other = lattice.corners([4, 1]).map(String);
    expect(one.filter((corner) => other.includes(corner))).toHaveLength(2);
  });
});

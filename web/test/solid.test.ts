import { describe, expect, it } from "vitest";
import { cover, keys } from "../src/lay";
import { levelsOf, nearest, planned, settled, shadesOf, stepped, tapped, twisted, type Block } from "../src/solid/lay";
import { framesOf, marksOf, paint } from "../src/solid/paint";
import {
  dot,
  facing,
  hit,
  look,
  middle,
  project,
  seenBox,
  spun,
  under,
  UNIT,
  WAYS,
  type Cube,
  type Cubes,
} from "../src/solid/space";

// An L of four squares, two levels high; a bar, a standing corner and a column.
// prettier-ignore
const floor: [number, number][] = [[0, 0], [1, 0], [2, 0], [0, 1]];
const region: Cubes = floor.flatMap(([x, y]): Cube[] => [
  [x, y, 0],
  [x, y, 1],
]);
const inside = keys(region);
const none = keys([]);
// prettier-ignore
const bar: Cubes = [[0, 0, 0], [1, 0, 0]];
// prettier-ignore
const corner: Cubes = [[0, 0, 0], [1, 0, 0], [0, 0, 1]];
// prettier-ignore
const column: Cubes = [[0, 0, 0], [0, 0, 1], [0, 0, 2]];
const LOOKS = [look(), look(2.5, 0.4), look(-1, 1.1), spun(look(), "x", 0.7), spun(look(4, 0.3), "y", 2)];

describe("seeing", () => {
  it.each(LOOKS.map((one, i) => [i, one] as const))(
    "look %i is a turn in space: nothing is bent or mirrored",
    (_, seen) => {
      const { right, down, near } = seen;
      for (const [a, b] of [[right, down], [down, near], [near, right]] as const) expect(dot(a, b)).toBeCloseTo(0); // prettier-ignore
      for (const one of [right, down, near]) expect(dot(one, one)).toBeCloseTo(1);
      // Right, down and away, the screen's own directions, are right-handed.
      const across: Cube = [
        right[1] * down[2] - right[2] * down[1],
        right[2] * down[0] - right[0] * down[2],
        right[0] * down[1] - right[1] * down[0],
      ];
      expect(dot(across, near)).toBeCloseTo(-1);
    },
  );

  it("x goes right and near, y right and far, z up", () => {
    const [[xx, xy], [yx, yy], [zx, zy]] = ([[1, 0, 0], [0, 1, 0], [0, 0, 1]] as const).map((one) => project(look(), one)) as [[number, number], [number, number], [number, number]]; // prettier-ignore
    expect([xx > 0, xy > 0, yx > 0, yy < 0, Math.abs(zx) < 1e-9, zy < 0]).toEqual(Array(6).fill(true));
  });

  it.each([0, 1, 2.5])("what is seen at a height of %d is found there again", (z) => {
    const seen = look(1.1, 0.6);
    const [x, y] = under(seen, project(seen, [1.3, -0.4, z]), z);
    expect([x, y]).toEqual([expect.closeTo(1.3), expect.closeTo(-0.4)]);
  });

  it("three sides of a cube are seen, and the nearest thing is what one points at", () => {
    expect(facing(look())).toHaveLength(3);
    expect(WAYS).toHaveLength(6);
    const blocks: Cubes[] = [[[0, 0, 0]], [[0, 1, 0]], [[0, 0, 1]]];
    const top = hit(project(look(), [0.5, 0.5, 2]), blocks, look());
    expect([top?.block, top?.way.normal]).toEqual([2, [0, 0, 1]]);
    const front = hit(project(look(), [0.5, 0, 0.5]), blocks, look());
    expect([front?.block, front?.way.normal]).toEqual([0, [0, -1, 0]]);
    expect(hit([900, 900], blocks, look())).toBeNull();
  });

  it("a block turned a quarter looks as its next orientation does", () => {
    // Clockwise as seen from the tip of z: what lay along x lies along y, downwards.
    const turned = spun(look(), "z", -Math.PI / 2);
    const [x, y] = project(turned, [1, 0, 0]);
    expect([x, y]).toEqual(project(look(), [0, -1, 0]).map((one) => expect.closeTo(one)));
  });
});

describe("painting", () => {
  it("from far to near: what is nearer is painted later", () => {
    const blocks = [{ cells: region, colour: "sun" as const }];
    for (const seen of LOOKS) {
      const order = paint(blocks, seen).map(({ key }) => dot(seen.near, key.split(",").map(Number) as unknown as Cube)); // prettier-ignore
      expect(order).toEqual([...order].sort((a, b) => a - b));
    }
  });

  it("ink goes around a block, joints lie within it, and what is covered is not painted", () => {
    const lone = paint([{ cells: [[0, 0, 0]], colour: "sea" }], look());
    expect(lone.map(({ sides, joints }) => [sides.length, joints])).toEqual([[3, ""]]);
    const two = paint([{ cells: bar, colour: "sea" }], look());
    expect(two.map(({ sides }) => sides.length).sort()).toEqual([2, 3]);
    const lines = (which: "joints" | "ink"): string[] => two.flatMap((one) => one[which].split("M").slice(1));
    expect(lines("joints")).toHaveLength(2);
    // Of a box one sees nine edges; each long one is two cubes long. None is drawn twice.
    expect(lines("ink")).toHaveLength(12);
    expect(new Set(lines("ink")).size).toBe(12);
  });

  it("what is seen of a block fits its box", () => {
    const box = seenBox(corner, look());
    const [x, y] = project(look(), middle(corner));
    expect(x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height).toBe(true);
  });
});

describe("blocks of one colour", () => {
  const block = (colour: string): Block => ({ name: "type-1", colour, shapes: [], after: { x: [], y: [], z: [] } });

  it("are counted within a task", () => {
    expect(shadesOf(["blue", "red", "blue", "blue", "red"].map(block))).toEqual([0, 0, 1, 2, 1]);
  });

  it("have as many frames on every side as there are before them", () => {
    const cells: Cubes = [[0, 0, 0]];
    for (const shade of [0, 1, 2, 3]) {
      expect(framesOf(shade)).toHaveLength(shade);
      const [cube] = paint([{ cells, colour: "sea", shade }], look());
      for (const { frames } of cube?.sides ?? []) expect(frames.split("M")).toHaveLength(shade + 1);
    }
  });

  it("have their pattern within the frames", () => {
    for (const shade of [1, 2, 3]) {
      const [inner] = framesOf(shade).slice(-1);
      const edge = inner?.[0]?.[0] ?? 0;
      for (const [u, v] of marksOf("leaf", shade).flat())
        for (const one of [u, v]) expect(Math.min(one, 1 - one)).toBeGreaterThanOrEqual(edge);
    }
  });
});

describe("laying", () => {
  it("on which levels a block can lie", () => {
    expect([bar, corner, column].map((shape) => levelsOf(shape, 2))).toEqual([[0, 1], [0], []]);
  });

  it("the lowest free level is offered first, another one on demand, and hanging is no matter", () => {
    const on = (taken: Cubes, wanted: number | null) => settled(bar, [0, 0], inside, keys(taken), 2, wanted);
    expect(on([], null)).toEqual({ at: [0, 0, 0], bad: [] });
    expect(on([[1, 0, 0]], null)).toEqual({ at: [0, 0, 1], bad: [] });
    expect(on([[1, 0, 1]], null)).toEqual({ at: [0, 0, 0], bad: [] });
    expect(on([], 1)).toEqual({ at: [0, 0, 1], bad: [] });
    expect(on([[1, 0, 0], [1, 0, 1]], null)).toEqual({ at: [0, 0, 0], bad: [[1, 0, 0]] }); // prettier-ignore
    expect(settled(corner, [1, 0], inside, none, 2, 1).at).toEqual([1, 0, 0]);
  });

  it("what is too high for the area has a place that is wrong", () => {
    expect(settled(column, [0, 0], inside, none, 2, null)).toEqual({ at: [0, 0, 0], bad: [[0, 0, 2]] });
  });

  it("the place that one points at, and none from far away", () => {
    const seen = look();
    const at = (point: Cube, taken = none) => nearest(bar, project(seen, point), seen, region, taken, 2, null)?.at;
    expect(at([1, 0.5, 0.5])).toEqual([0, 0, 0]);
    expect(at([2, 0.5, 0.5])).toEqual([1, 0, 0]);
    // On top of what lies there.
    expect(at([1, 0.5, 1.5], keys([[0, 0, 0], [1, 0, 0]]))).toEqual([0, 0, 1]); // prettier-ignore
    expect(at([20, 0, 0])).toBeUndefined();
    expect(nearest(column, [0, 0], seen, region, none, 2, null, UNIT * 9)?.bad).not.toEqual([]);
  });

  it("a plan takes it on its own level", () => {
    expect(planned(bar, [1, 0.5], 1, region, none, 2)).toEqual({ at: [0, 0, 1], bad: [] });
    expect(planned(corner, [1, 0.5], 1, region, none, 2)).toEqual({ at: [0, 0, 0], bad: [] });
    expect(planned(bar, [9, 9], 0, region, none, 2)).toBeNull();
  });

  it("tapped, it lies in that very cell or not at all", () => {
    expect(tapped(bar, [2, 0, 1], inside, none)).toEqual([1, 0, 1]);
    expect(tapped(bar, [0, 1, 0], inside, none)).toBeNull();
    const at = tapped(corner, [1, 0, 0], inside, none);
    expect(cover(corner, at as Cube).map(String)).toContain("1,0,0");
  });

  it("arrows go as one sees it", () => {
    const step = (key: string, yaw: number) => stepped([0, 0, 0], key, look(yaw));
    expect(step("ArrowRight", 0.6)).toEqual([1, 0]);
    expect(step("ArrowUp", 0.6)).toEqual([0, 1]);
    expect(step("ArrowRight", 2)).toEqual([0, 1]);
    expect(step("ArrowUp", 2)).toEqual([-1, 0]);
    expect(step("ArrowLeft", 3.2)).toEqual([1, 0]);
    expect(step("x", 0)).toBeNull();
  });

  it("a turn leads on, and Shift leads back", () => {
    const block: Block = { name: "type-8", colour: "blue", shapes: [], after: { x: [1, 2, 0], y: [0], z: [] } };
    expect([twisted(block, 0, "x", false), twisted(block, 0, "x", true), twisted(block, 2, "z", false)]).toEqual([1, 2, 2]); // prettier-ignore
  });
});

/**
 * Cubes on the screen: x to the right and near, y to the right and far, z up; seen without perspective, from above.
 *
 * A Look is where the three directions of the screen point in space, so turning the view and turning a block are one
 * thing. A screen has its y downwards; one cube is UNIT long on it.
 */

import type { Box, Point } from "../geometry";

export type Cube = readonly [x: number, y: number, z: number];
export type Look = { readonly right: Cube; readonly down: Cube; readonly near: Cube };
export type Axis = "x" | "y" | "z";
/** The four colours of blocks. */
export type Paint = "sun" | "sea" | "clay" | "leaf";
/**
 * A block as it is painted; `wrong`: it cannot stay where it lies. `shade`: how many blocks of the same task come before
 * it in its colour: they are told apart by how light they are, and by as many frames on every side.
 */
export type Painting = {
  readonly cells: Cubes;
  readonly colour: Paint;
  readonly shade?: number;
  readonly wrong?: boolean;
};
/** A block that lies or is held: any number of cubes that belong together. */
export type Cubes = readonly Cube[];
/** A side of a cube: where it looks, its corners around it, and the way over each of its four edges. */
export type Way = { readonly normal: Cube; readonly corners: readonly Cube[]; readonly over: readonly Cube[] };
type Hit = { readonly block: number; readonly cell: Cube; readonly way: Way };

export const UNIT = 40;
/** The initial point of view: turned, and flatter than true isometric, where edges of two levels coincide. */
export const YAW = (37 * Math.PI) / 180;
export const PITCH = (31 * Math.PI) / 180;

/** The six sides of a cube. */
export const WAYS: readonly Way[] = [0, 1, 2].flatMap((axis) => [way(axis, 1), way(axis, -1)]);

function way(axis: number, sign: 1 | -1): Way {
  const along = (i: number, length: number): Cube =>
    [0, 1, 2].map((one) => (one === i ? length : 0)) as unknown as Cube;
  // In this order the corners are counterclockwise, seen from outside.
  const [u, v] = sign === 1 ? [(axis + 1) % 3, (axis + 2) % 3] : [(axis + 2) % 3, (axis + 1) % 3];
  const base = along(axis, sign === 1 ? 1 : 0);
  const at = (a: number, b: number): Cube => plus(base, plus(along(u, a), along(v, b)));
  return {
    normal: along(axis, sign),
    corners: [at(0, 0), at(1, 0), at(1, 1), at(0, 1)],
    over: [along(v, -1), along(u, 1), along(v, 1), along(u, -1)],
  };
}

export function look(yaw: number = YAW, pitch: number = PITCH): Look {
  const [c, s, q, k] = [Math.cos(yaw), Math.sin(yaw), Math.cos(pitch), Math.sin(pitch)];
  return { right: [c, s, 0], down: [s * k, -c * k, -q], near: [s * q, -c * q, k] };
}

/** The same look at something that is turned about an axis, anticlockwise as seen from the axis's tip. */
export function spun(seen: Look, axis: Axis, angle: number): Look {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const back = ([x, y, z]: Cube): Cube => {
    if (axis === "x") return [x, y * c + z * s, z * c - y * s];
    if (axis === "y") return [x * c - z * s, y, x * s + z * c];
    return [x * c + y * s, y * c - x * s, z];
  };
  return { right: back(seen.right), down: back(seen.down), near: back(seen.near) };
}

export function plus([ax, ay, az]: Cube, [bx, by, bz]: Cube): Cube {
  return [ax + bx, ay + by, az + bz];
}

export function dot([ax, ay, az]: Cube, [bx, by, bz]: Cube): number {
  return ax * bx + ay * by + az * bz;
}

/** Where a point of space is seen. */
export function project({ right, down }: Look, point: Cube): Point {
  return [UNIT * dot(right, point), UNIT * dot(down, point)];
}

/** The point at a height that is seen there. */
export function under({ right, down }: Look, [px, py]: Point, z: number): Cube {
  const [a, b] = [px / UNIT - right[2] * z, py / UNIT - down[2] * z];
  const across = right[0] * down[1] - right[1] * down[0];
  return [(a * down[1] - b * right[1]) / across, (b * right[0] - a * down[0]) / across, z];
}

/** The middle of the box around some cubes. */
export function middle(cells: Cubes): Cube {
  const mid = (axis: 0 | 1 | 2): number => {
    const values = cells.map((cell) => cell[axis]);
    return (Math.min(...values) + Math.max(...values) + 1) / 2;
  };
  return [mid(0), mid(1), mid(2)];
}

/** What is seen of some cubes, as a box on the screen. */
export function seenBox(cells: Cubes, seen: Look, margin = 0): Box {
  const points = cells.flatMap((cell) =>
    WAYS.flatMap(({ corners }) => corners.map((corner) => project(seen, plus(cell, corner)))),
  );
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [x, y] = [Math.min(...xs) - margin, Math.min(...ys) - margin];
  return { x, y, width: Math.max(...xs) + margin - x, height: Math.max(...ys) + margin - y };
}

/** How light a side is: above 0 so much white is in its colour, below 0 so much dark. The lamp hangs by the viewer. */
export function tone({ right, down, near }: Look, normal: Cube): number {
  const light = -0.45 * dot(right, normal) - 0.8 * dot(down, normal) + 0.4 * dot(near, normal);
  return light > 0.2 ? 0.35 * (light - 0.2) : 0.48 * (light - 0.2);
}

/** Whether the line over a side's edge only joins two cubes of one block: beyond it the side goes on. */
export function goesOn(block: ReadonlySet<string>, cell: Cube, { normal }: Way, over: Cube): boolean {
  const next = plus(cell, over);
  return block.has(String(next)) && !block.has(String(plus(next, normal)));
}

/** What lies under a point of the screen: the nearest side that is seen there. */
export function hit(point: Point, blocks: readonly Cubes[], seen: Look): Hit | null {
  let found: (Hit & { near: number }) | null = null;
  for (const [block, cells] of blocks.entries()) {
    for (const cell of cells) {
      const near = dot(seen.near, cell);
      if (found !== null && near <= found.near) continue;
      const way = facing(seen).find((one) => within(point, corners(cell, one, seen)));
      if (way !== undefined) found = { block, cell, way, near };
    }
  }
  return found;
}

/** The sides that are turned to the viewer. */
export function facing(seen: Look): Way[] {
  return WAYS.filter(({ normal }) => dot(seen.near, normal) > 1e-9);
}

export function corners(cell: Cube, { corners: around }: Way, seen: Look): Point[] {
  return around.map((corner) => project(seen, plus(cell, corner)));
}

/** Inside a convex loop, whichever way round it goes. */
function within([px, py]: Point, loop: readonly Point[]): boolean {
  const sides = loop.map(([ax, ay], i) => {
    const [bx, by] = loop[(i + 1) % loop.length] as Point;
    return (bx - ax) * (py - ay) - (by - ay) * (px - ax);
  });
  return sides.every((side) => side >= 0) || sides.every((side) => side <= 0);
}

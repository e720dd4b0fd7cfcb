/** From cells to outlines and paths: what a set of cells of any lattice looks like. */

import type { Cell, Lattice, Point } from "./lattice";

export type { Cell, Point };
export type Side = readonly [from: Point, to: Point];
export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** What a set of cells looks like: the loops around it (clockwise, holes the other way) and the sides within it. */
export function outline(cells: readonly Cell[], lattice: Lattice): { loops: Point[][]; joints: Side[] } {
  const every = cells.flatMap((cell) => sidesOf(lattice.corners(cell)));
  const sides = new Map(every.map((side) => [side.join(">"), side]));
  const joints: Side[] = [];
  const outer: Side[] = [];
  for (const [from, to] of sides.values()) {
    if (!sides.has(`${to}>${from}`)) outer.push([from, to]);
    else if (`${from}` < `${to}`) joints.push([toScreen(from, lattice), toScreen(to, lattice)]);
  }
  return { loops: walk(outer).map((loop) => loop.map((corner) => toScreen(corner, lattice))), joints };
}

/** The smallest box around some cells, with a margin. */
export function box(cells: readonly Cell[], lattice: Lattice, margin = 0): Box {
  const corners = cells.flatMap(lattice.corners).map((corner) => toScreen(corner, lattice));
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  const x = Math.min(...xs) - margin;
  const y = Math.min(...ys) - margin;
  return { x, y, width: Math.max(...xs) + margin - x, height: Math.max(...ys) + margin - y };
}

/** An SVG path along loops: moved inwards by `inset` (outwards if negative), its corners rounded. */
export function path(loops: readonly Point[][], inset = 0, rounding = 0): string {
  return loops.map((loop) => roundedLoop(insetLoop(loop, inset), rounding)).join("");
}

/** An SVG path of single lines, each shortened at both ends by a share of its length. */
export function lines(sides: readonly Side[], gap = 0): string {
  return sides.map(([from, to]) => `M${text(between(from, to, gap))}L${text(between(to, from, gap))}`).join("");
}

function sidesOf(corners: readonly Point[]): Side[] {
  return corners.map((from, i) => [from, at(corners, i + 1)]);
}

function toScreen([x, y]: Point, { step }: Lattice): Point {
  return [x * step[0], y * step[1]];
}

/** Chain sides into loops. Where two squares touch only by a corner, the way stays with its own square. */
function walk(sides: readonly Side[]): Point[][] {
  const leaving = new Map<string, Side[]>();
  for (const side of sides) leaving.set(`${side[0]}`, [...(leaving.get(`${side[0]}`) ?? []), side]);
  const next = ([from, to]: Side): Side => {
    const ways = leaving.get(`${to}`) as Side[];
    return ways.find(([, end]) => ways.length === 1 || bend(from, to, end) > 0) as Side;
  };
  const done = new Set<Side>();
  const loops: Point[][] = [];
  for (const start of sides) {
    const loop: Point[] = [];
    for (let side = start; !done.has(side); side = next(side)) {
      done.add(side);
      loop.push(side[0]);
    }
    if (loop.length > 0) loops.push(loop);
  }
  return loops;
}

/** Above 0: the way turns to the right at its second point. */
function bend([ax, ay]: Point, [bx, by]: Point, [cx, cy]: Point): number {
  return (bx - ax) * (cy - by) - (by - ay) * (cx - bx);
}

function insetLoop(loop: readonly Point[], inset: number): Point[] {
  return loop.map((corner, i) => {
    const [ax, ay] = inwards(at(loop, i - 1), corner);
    const [bx, by] = inwards(corner, at(loop, i + 1));
    const reach = inset / (1 + ax * bx + ay * by);
    return [corner[0] + reach * (ax + bx), corner[1] + reach * (ay + by)];
  });
}

/** The direction, of length 1, to the right of the way from one point to another: inside, on a clockwise loop. */
function inwards([ax, ay]: Point, [bx, by]: Point): Point {
  const length = Math.hypot(bx - ax, by - ay);
  return [-(by - ay) / length, (bx - ax) / length];
}

function roundedLoop(loop: readonly Point[], rounding: number): string {
  const bends = loop.map((corner, i) => {
    const [enter, leave] = [at(loop, i - 1), at(loop, i + 1)].map((other) => {
      const length = Math.hypot(other[0] - corner[0], other[1] - corner[1]);
      return text(between(corner, other, Math.min(rounding / length, 0.45)));
    });
    return `${enter}Q${text(corner)} ${leave}`;
  });
  return `M${bends.join("L")}Z`;
}

function between([ax, ay]: Point, [bx, by]: Point, share: number): Point {
  return [ax + (bx - ax) * share, ay + (by - ay) * share];
}

function at<Item>(ring: readonly Item[], i: number): Item {
  return ring[(i + ring.length) % ring.length] as Item;
}

function text([x, y]: Point): string {
  return `${+x.toFixed(2)} ${+y.toFixed(2)}`;
}

/** The middle of some cells. */
export function middle(cells: readonly Cell[], lattice: Lattice): Point {
  const centres = cells.map(lattice.centre);
  const sum = (axis: 0 | 1) => centres.reduce((all, point) => all + point[axis], 0);
  return [sum(0) / cells.length, sum(1) / cells.length];
}

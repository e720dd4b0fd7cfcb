/**
 * Hexagons on the screen: from axial cells to outlines and paths.
 *
 * A hexagon stands on a corner; q runs to the right, r down and to the right. Corners are kept as whole numbers, in
 * steps of half a hexagon's width and a quarter of its height, so that two cells agree exactly on a corner they share.
 */

export type Cell = readonly [q: number, r: number];
export type Point = readonly [x: number, y: number];
export type Side = readonly [from: Point, to: Point];
export type Box = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** The corners of a hexagon, clockwise from its top, in whole steps from its centre. */
const CORNERS: readonly Point[] = [
  [0, -2],
  [1, -1],
  [1, 1],
  [0, 2],
  [-1, 1],
  [-1, -1],
];

/** Where a cell's centre is, for hexagons with sides of that size. */
export function centre([q, r]: Cell, size: number): Point {
  return [size * Math.sqrt(3) * (q + r / 2), size * 1.5 * r];
}

/** What a set of cells looks like: the loops around it (clockwise, holes the other way) and the sides within it. */
export function outline(cells: readonly Cell[], size: number): { loops: Point[][]; joints: Side[] } {
  const sides = new Map(cells.flatMap(sidesOf).map(([from, to]) => [`${from}>${to}`, [from, to] as const]));
  const joints: Side[] = [];
  const next = new Map<string, Side>();
  for (const [from, to] of sides.values()) {
    if (!sides.has(`${to}>${from}`)) next.set(`${from}`, [from, to]);
    else if (`${from}` < `${to}`) joints.push([toScreen(from, size), toScreen(to, size)]);
  }
  return { loops: walk(next).map((loop) => loop.map((corner) => toScreen(corner, size))), joints };
}

/** The smallest box around some cells, with a margin. */
export function box(cells: readonly Cell[], size: number, margin = 0): Box {
  const corners = cells.flatMap(cornersOf).map((corner) => toScreen(corner, size));
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

function cornersOf([q, r]: Cell): Point[] {
  return CORNERS.map(([x, y]) => [2 * q + r + x, 3 * r + y]);
}

function sidesOf(cell: Cell): Side[] {
  const corners = cornersOf(cell);
  return corners.map((from, i) => [from, at(corners, i + 1)]);
}

function toScreen([x, y]: Point, size: number): Point {
  return [(x * size * Math.sqrt(3)) / 2, (y * size) / 2];
}

/** Chain sides into loops. Three hexagons meet in a corner, so at most one outer side leaves it: the way is clear. */
function walk(next: Map<string, Side>): Point[][] {
  const loops: Point[][] = [];
  for (const start of next.values()) {
    const loop: Point[] = [];
    for (let side: Side | undefined = start; side !== undefined; side = next.get(`${side[1]}`)) {
      if (!next.delete(`${side[0]}`)) break;
      loop.push(side[0]);
    }
    if (loop.length > 0) loops.push(loop);
  }
  return loops;
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

/** The cell that a point is in: the nearest centre, found by rounding on three axes that add up to 0. */
export function cellAt([x, y]: Point, size: number): Cell {
  const r = y / (size * 1.5);
  const q = x / (size * Math.sqrt(3)) - r / 2;
  const [roundQ, roundR, roundS] = [Math.round(q), Math.round(r), Math.round(-q - r)];
  const [offQ, offR, offS] = [Math.abs(roundQ - q), Math.abs(roundR - r), Math.abs(roundS + q + r)];
  if (offQ > offR && offQ > offS) return [-roundR - roundS + 0, roundR + 0];
  if (offR > offS) return [roundQ + 0, -roundQ - roundS + 0];
  return [roundQ + 0, roundR + 0];
}

/** The middle of some cells. */
export function middle(cells: readonly Cell[], size: number): Point {
  const centres = cells.map((cell) => centre(cell, size));
  const sum = (axis: 0 | 1) => centres.reduce((all, point) => all + point[axis], 0);
  return [sum(0) / cells.length, sum(1) / cells.length];
}

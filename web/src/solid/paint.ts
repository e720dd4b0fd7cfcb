/** Blocks of cubes as paths, from far to near: what is nearer is painted over what is behind it. */

import type { Point } from "../geometry";
import {
  corners,
  dot,
  facing,
  goesOn,
  plus,
  project,
  tone,
  UNIT,
  type Cube,
  type Cubes,
  type Look,
  type Paint,
  type Painting,
} from "./space";

type Strokes = readonly (readonly Point[])[];
export type Side = { readonly d: string; readonly tone: number; readonly marks: string; readonly frames: string };
/** What is seen of one cube; `block` says of which. */
type Painted = {
  readonly key: string;
  readonly block: number;
  readonly sides: readonly Side[];
  readonly joints: string;
  readonly ink: string;
};

/** What is drawn on each side of a cube besides its colour: strokes on a field of 1. The shortest are dots. */
const MARKS: Readonly<Record<Paint, Strokes>> = {
  sun: [0.25, 0.75].flatMap((x) => [0.25, 0.75].map((y): Point[] => [[x, y], [x + 0.012, y]])).concat([[[0.5, 0.5], [0.512, 0.5]]]), // prettier-ignore
  sea: [-0.5, 0, 0.5].map((at): Point[] => [[Math.max(0, at) + 0.06, Math.max(0, -at) + 0.06], [Math.min(1, 1 + at) - 0.06, Math.min(1, 1 - at) - 0.06]]), // prettier-ignore
  clay: [[0.27, 0.27], [0.73, 0.73], [0.73, 0.27], [0.27, 0.73]].flatMap(([x = 0, y = 0]): Point[][] => [[[x - 0.09, y], [x + 0.09, y]], [[x, y - 0.09], [x, y + 0.09]]]), // prettier-ignore
  leaf: [0.25, 0.5, 0.75].map((y) => Array.from({ length: 9 }, (_, i): Point => [0.1 + i * 0.1, y + 0.07 * Math.sin((i * Math.PI) / 2)])), // prettier-ignore
};
const FRAME = 0.1;

/** As many frames within each other as there are blocks of that colour before it; in the same way. */
export function framesOf(shade: number): Strokes {
  return Array.from({ length: shade }, (_, i): Point[] => {
    const [from, to] = [FRAME * (i + 1.2), 1 - FRAME * (i + 1.2)];
    return [[from, from], [to, from], [to, to], [from, to], [from, from]]; // prettier-ignore
  });
}

/** The pattern of a colour, within the frames if there are any. */
export function marksOf(colour: Paint, shade: number): Strokes {
  const scale = shade === 0 ? 1 : 1 - 2 * FRAME * (shade + 1);
  return MARKS[colour].map((stroke) =>
    stroke.map(([u, v]): Point => [0.5 + (u - 0.5) * scale, 0.5 + (v - 0.5) * scale]),
  );
}

/**
 * The order is right however they are turned: a line of sight goes through cubes in the order of their depth.
 * `from` is what is taken for the middle of the screen.
 */
export function paint(blocks: readonly Painting[], seen: Look, from: Cube = [0, 0, 0]): Painted[] {
  const taken = new Set(blocks.flatMap(({ cells }) => cells.map(String)));
  const [ox, oy] = project(seen, from);
  const text = ([x, y]: Point): string => `${+(x - ox).toFixed(2)} ${+(y - oy).toFixed(2)}`;
  const towards = facing(seen);
  const cubes = blocks.flatMap(({ cells, colour, shade = 0 }, block) => {
    const own = new Set(cells.map(String));
    return cells.map((cell) => ({ cell, block, own, colour, shade, near: dot(seen.near, cell) }));
  });
  cubes.sort((a, b) => b.near - a.near);
  // Two sides share a line: it is drawn once, with the nearer cube, so that dashes stay dashes.
  const inked = new Set<string>();
  const painted = cubes.flatMap(({ cell, block, own, colour, shade }) => {
    const sides: Side[] = [];
    let [joints, ink] = ["", ""];
    for (const way of towards) {
      if (taken.has(String(plus(cell, way.normal)))) continue;
      const points = corners(cell, way, seen);
      const [a, b, , d] = points as [Point, Point, Point, Point];
      const on = ([u, v]: Point): Point => [
        a[0] + u * (b[0] - a[0]) + v * (d[0] - a[0]),
        a[1] + u * (b[1] - a[1]) + v * (d[1] - a[1]),
      ];
      const drawn = (strokes: Strokes): string =>
        strokes.map((stroke) => `M${stroke.map((point) => text(on(point))).join("L")}`).join("");
      sides.push({
        d: `M${points.map(text).join("L")}Z`,
        tone: tone(seen, way.normal),
        marks: drawn(marksOf(colour, shade)),
        frames: drawn(framesOf(shade)),
      });
      for (const [i, over] of way.over.entries()) {
        const ends = [text(points[i] as Point), text(points[(i + 1) % 4] as Point)].sort();
        const line = `M${ends.join("L")}`;
        if (inked.has(line)) continue;
        inked.add(line);
        if (goesOn(own, cell, way, over)) joints += line;
        else ink += line;
      }
    }
    return sides.length === 0 ? [] : [{ key: String(cell), block, sides, joints, ink }];
  });
  return painted.reverse();
}

/** The area on the ground: each of its cells, and the lines around it and within it. */
export function ground(region: Cubes, seen: Look): { cells: string; hair: string; rim: string } {
  const floor = region.filter(([, , z]) => z === 0);
  const here = new Set(floor.map(String));
  const text = (point: Cube): string => project(seen, point).map((one) => +one.toFixed(2)).join(" "); // prettier-ignore
  let [cells, hair, rim] = ["", "", ""];
  for (const cell of floor) {
    const around = ([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]] as const).map((corner) => plus(cell, corner)); // prettier-ignore
    cells += `M${around.map(text).join("L")}Z`;
    for (const [i, over] of (
      [
        [0, -1, 0],
        [1, 0, 0],
        [0, 1, 0],
        [-1, 0, 0],
      ] as const
    ).entries()) {
      // prettier-ignore
      const line = `M${text(around[i] as Cube)}L${text(around[(i + 1) % 4] as Cube)}`;
      if (!here.has(String(plus(cell, over)))) rim += line;
      else if (i < 2) hair += line;
    }
  }
  return { cells, hair, rim };
}

/** An arrow around an axis, as seen on screen, for a button of 24: the direction of a turn. */
export function arrow(axis: 0 | 1 | 2, seen: Look): string {
  const [u, v] = [(axis + 1) % 3, (axis + 2) % 3];
  const at = (angle: number, radius: number, up = 0): Point => {
    const point = [0, 0, 0];
    point[u] = radius * Math.cos(angle);
    point[v] = radius * Math.sin(angle);
    point[axis] = up;
    const [x, y] = project(seen, point as unknown as Cube);
    return [12 + (x * 9.5) / UNIT, 12 + (y * 9.5) / UNIT];
  };
  const text = ([x, y]: Point): string => `${x.toFixed(1)} ${y.toFixed(1)}`;
  // The near half of the ring, and clockwise as seen from the axis's tip: against the angles.
  const front = Math.atan2(seen.near[v] as number, seen.near[u] as number);
  const [from, to] = [front + 2.2, front - 2.2];
  const steps = Array.from({ length: 17 }, (_, i) => text(at(from + ((to - from) * i) / 16, 1)));
  const back = to + 0.62;
  return `M${steps.join("L")}M${text(at(back, 0.72, 0.3))}L${text(at(to, 1))}L${text(at(back, 1.2, -0.3))}`;
}

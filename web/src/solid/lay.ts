/** Where a held block would lie, for drawing: only the server decides whether it may. */

import type { Point } from "../geometry";
import { clashes, cover, keys, least, over, type Cells, type Piece, type Shaped, type Spot } from "../lay";
import { middle, project, UNIT, type Axis, type Cube, type Cubes, type Look, type Paint } from "./space";

/** As `/api/games/cubes/pieces` lists it: its orientations, and which follows which by a turn about each axis. */
export type Block = Shaped<Cube> & {
  readonly colour: string;
  readonly after: Readonly<Record<Axis, readonly number[]>>;
};

/** A place farther than this from where one points is none. */
const REACH = UNIT * 1.3;
/** A free place is worth going this much farther for. */
const COVERED = UNIT * 0.45;

/** The blocks of 3-D among a game's pieces, by name. */
export function blocksOf(pieces: ReadonlyMap<string, Piece>): ReadonlyMap<string, Block> {
  return pieces as unknown as ReadonlyMap<string, Block>;
}

const PAINTS: Readonly<Record<string, Paint>> = { yellow: "sun", blue: "sea", red: "clay", green: "leaf" };

export function paintOf(block: Block | undefined): Paint {
  return PAINTS[block?.colour ?? ""] ?? "sun";
}

/** For each block of a task: how many before it have its colour. */
export function shadesOf(blocks: readonly (Block | undefined)[]): number[] {
  return blocks.map((block, i) => blocks.slice(0, i).filter((one) => one?.colour === block?.colour).length);
}

/** The number that distinguishes blocks that look alike (Q9a): of `type-9`, 9. */
export function numberOf({ name }: Block): string {
  return name.split("-")[1] ?? name;
}

/** Which orientation follows by a quarter turn, or leads here by one. */
export function twisted({ after }: Block, turn: number, axis: Axis, back: boolean): number {
  return back ? Math.max(0, after[axis].indexOf(turn)) : (after[axis][turn] ?? turn);
}

/** On which levels it can lie at all, of that many. */
export function levelsOf(shape: Cubes, levels: number): number[] {
  const height = Math.max(...shape.map(([, , z]) => z)) + 1;
  return Array.from({ length: Math.max(0, levels - height + 1) }, (_, z) => z);
}

/** Over these squares: on the chosen level, else on the lowest free one, else where the fewest cells are wrong. */
export function settled(
  shape: Cubes,
  [x, y]: readonly [number, number],
  region: Cells,
  taken: Cells,
  levels: number,
  wanted: number | null,
): Spot<Cube> {
  const all = levelsOf(shape, levels);
  const open = wanted !== null && all.includes(wanted) ? [wanted] : all.length > 0 ? all : [0];
  const spots = open.map((z): Spot<Cube> => ({ at: [x, y, z], bad: clashes(shape, [x, y, z], region, taken) }));
  return spots.reduce((best, spot) => (spot.bad.length < best.bad.length ? spot : best));
}

/** Of all places wholly within the area, one over each of its squares, the one whose middle is seen nearest to there. */
export function nearest(
  shape: Cubes,
  point: Point,
  seen: Look,
  area: Cubes,
  taken: Cells,
  levels: number,
  wanted: number | null,
  reach: number = REACH,
): Spot<Cube> | null {
  const region = keys(area);
  return closest(shape, area, reach, (at) => {
    const spot = settled(shape, at, region, taken, levels, wanted);
    const [x, y] = project(seen, middle(cover(shape, spot.at)));
    return { spot, away: Math.hypot(x - point[0], y - point[1]) };
  });
}

/** The same on the plan of a level, where a point is in squares. */
export function planned(
  shape: Cubes,
  [px, py]: Point,
  level: number,
  area: Cubes,
  taken: Cells,
  levels: number,
): Spot<Cube> | null {
  const region = keys(area);
  const [mx, my] = middle(shape);
  return closest(shape, area, REACH, ([x, y]) => {
    const spot = settled(shape, [x, y], region, taken, levels, level);
    return { spot, away: UNIT * Math.hypot(x + mx - px, y + my - py) };
  });
}

function closest(
  shape: Cubes,
  area: Cubes,
  reach: number,
  found: (at: readonly [number, number]) => { spot: Spot<Cube>; away: number },
): Spot<Cube> | null {
  const floor = keys(area.map(([x, y]): Cube => [x, y, 0]));
  const [first] = shape;
  if (first === undefined) return null;
  const offered = area.flatMap(([x, y, z]) => {
    // Its first cube over each square in turn: every place is tried once.
    if (z !== 0) return [];
    const at = [x - first[0], y - first[1]] as const;
    if (!shape.every(([dx, dy]) => floor.has(String([at[0] + dx, at[1] + dy, 0])))) return [];
    const { spot, away } = found(at);
    return away > reach ? [] : [{ spot, cost: away + (spot.bad.length > 0 ? COVERED : 0) }];
  });
  return least(offered)?.spot ?? null;
}

/** Where it would lie if that cell was tapped: in it, free, with its middle as near as can be, and rather below. */
export function tapped(shape: Cubes, cell: Cube, region: Cells, taken: Cells): Cube | null {
  return over(shape, cell, region, taken, (cells, at) => {
    const [x, y] = middle(cells);
    return Math.hypot(x - cell[0] - 0.5, y - cell[1] - 0.5) + at[2] * 0.01;
  });
}

/** One square on, for an arrow key, as it is seen on the screen: across by the axis that lies most across it. */
export function stepped([x, y]: Cube, key: string, { right }: Look): readonly [number, number] | null {
  const across: readonly [number, number] =
    Math.abs(right[0]) >= Math.abs(right[1]) ? [Math.sign(right[0]), 0] : [0, Math.sign(right[1])];
  const away = [-across[1], across[0]] as const;
  switch (key) {
    case "ArrowRight":
      return [x + across[0], y + across[1]];
    case "ArrowLeft":
      return [x - across[0], y - across[1]];
    case "ArrowUp":
      return [x + away[0], y + away[1]];
    case "ArrowDown":
      return [x - away[0], y - away[1]];
    default:
      return null;
  }
}

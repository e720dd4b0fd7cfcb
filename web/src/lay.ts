/**
 * Where a held piece would lie, for drawing: only the server decides whether it may.
 *
 * A cell's key is its text, so that sets of cells can be asked.
 */

import { middle } from "./geometry";
import type { Cell, Lattice, Point } from "./lattice";
import type { Placement } from "./protocol";

/** A cell of any lattice, flat or of cubes. */
export type Place = readonly number[];
/** Whatever is laid: its orientations, each as its cells. */
export type Shaped<At extends Place = Place> = { readonly name: string; readonly shapes: readonly (readonly At[])[] };
/** As `/api/games/{game}/pieces` lists it: its orientations, and which follows which. A card is never flipped. */
export type Piece = Shaped<Cell> & {
  readonly after: { readonly turn: readonly number[]; readonly flip?: readonly number[] };
  /** A card's symbols: cell i of every shape carries mark i. */
  readonly marks?: readonly string[];
};
export type Spot<At extends Place = Cell> = { readonly at: At; readonly bad: readonly At[] };
export type Cells = ReadonlySet<string>;
export type Twist = "turn" | "back" | "flip";

/** A place farther than this from where the piece is held is none; in cells. */
const REACH = 0.8;
/** A free place is worth going this much farther for. */
const COVERED = 0.35;

export function keys(cells: Iterable<Place>): Cells {
  return new Set(Array.from(cells, String));
}

export function cover<At extends Place>(shape: readonly At[], at: Place): At[] {
  return shape.map((cell) => cell.map((one, axis) => one + (at[axis] ?? 0)) as unknown as At);
}

export function alike(one: Placement, other: Placement): boolean {
  return one.piece === other.piece && one.turn === other.turn && String(one.at) === String(other.at);
}

/** Which orientation follows; the way back is whichever one leads here. */
export function twisted(piece: Piece, turn: number, twist: Twist): number {
  if (twist === "back") return Math.max(0, piece.after.turn.indexOf(turn));
  return piece.after[twist]?.[turn] ?? turn;
}

/** Where a piece lies after it was turned about its middle cell. A full circle of turns leads back to where it was. */
export function reseat(lattice: Lattice, before: readonly Cell[], now: readonly Cell[], at: Cell): Cell {
  const [from, to] = [lattice.cellAt(middle(before, lattice)), lattice.cellAt(middle(now, lattice))];
  return [at[0] + from[0] - to[0], at[1] + from[1] - to[1]];
}

/** The cells of a placement that cannot be: outside the region, if there is one, or on something that lies there. */
export function clashes<At extends Place>(shape: readonly At[], at: At, region: Cells | null, taken: Cells): At[] {
  return cover(shape, at).filter((cell) => region?.has(String(cell)) === false || taken.has(String(cell)));
}

/** The nearest place wholly inside the region for a piece whose first cell would be at `origin`, or null. */
export function snap(
  lattice: Lattice,
  shape: readonly Cell[],
  origin: Point,
  region: Cells,
  taken: Cells,
): Spot | null {
  const found = lattice.around(lattice.cellAt(origin)).flatMap((at) => {
    const cells = cover(shape, at);
    const [x, y] = lattice.centre(at);
    const away = Math.hypot(x - origin[0], y - origin[1]) / lattice.pitch;
    if (away > REACH || !cells.every((cell) => region.has(String(cell)))) return [];
    const bad = cells.filter((cell) => taken.has(String(cell)));
    return [{ at, bad, cost: away + (bad.length > 0 ? COVERED : 0) }];
  });
  return least(found);
}

/** Where a piece would lie if that cell was tapped: over it, free, and with its middle as near as can be. */
export function tapped(lattice: Lattice, shape: readonly Cell[], cell: Cell, region: Cells, taken: Cells): Cell | null {
  const [x, y] = lattice.centre(cell);
  return over(shape, cell, region, taken, (cells) => {
    const [midX, midY] = middle(cells, lattice);
    return Math.hypot(midX - x, midY - y);
  });
}

/** Of the free places where a piece covers a cell, the one that costs least. */
export function over<At extends Place>(
  shape: readonly At[],
  cell: At,
  region: Cells,
  taken: Cells,
  cost: (cells: readonly At[], at: At) => number,
): At | null {
  const found = shape.flatMap((own) => {
    const at = cell.map((one, axis) => one - (own[axis] ?? 0)) as unknown as At;
    return clashes(shape, at, region, taken).length > 0 ? [] : [{ at, cost: cost(cover(shape, at), at) }];
  });
  return least(found)?.at ?? null;
}

export function least<Item extends { cost: number }>(items: readonly Item[]): Item | null {
  return items.reduce<Item | null>((best, item) => (best === null || item.cost < best.cost - 1e-6 ? item : best), null);
}

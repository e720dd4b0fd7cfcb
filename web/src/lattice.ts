/**
 * Hexagons and squares on the screen: the two lattices that are played flat.
 *
 * Corners are integer steps, so that two cells agree exactly on a corner they share; a lattice defines a step.
 */

export type Cell = readonly [q: number, r: number];
export type Point = readonly [x: number, y: number];

export type Lattice = {
  /** The side of a cell: insets and corners are shares of it. */
  readonly size: number;
  /** From a cell's centre to its neighbour's. */
  readonly pitch: number;
  readonly centre: (cell: Cell) => Point;
  /** A cell's corners, clockwise from its top, in whole steps. */
  readonly corners: (cell: Cell) => readonly Point[];
  /** How wide and how high such a step is. */
  readonly step: Point;
  /** The cell that a point is in. */
  readonly cellAt: (point: Point) => Cell;
  /** A cell and its neighbours. */
  readonly around: (cell: Cell) => readonly Cell[];
  /** One cell on, for an arrow key; null for any other. */
  readonly stepped: (cell: Cell, key: string) => Cell | null;
};

const HEX_SIDE = 40;
const HEX_CORNERS: readonly Point[] = [
  [0, -2],
  [1, -1],
  [1, 1],
  [0, 2],
  [-1, 1],
  [-1, -1],
];
const HEX_BESIDE: readonly Cell[] = [
  [0, 0],
  [1, 0],
  [-1, 0],
  [0, 1],
  [0, -1],
  [1, -1],
  [-1, 1],
];

/** A hexagon stands on a corner; q runs to the right, r down and to the right. */
export const HEX: Lattice = {
  size: HEX_SIDE,
  pitch: HEX_SIDE * Math.sqrt(3),
  centre: ([q, r]) => [HEX_SIDE * Math.sqrt(3) * (q + r / 2), HEX_SIDE * 1.5 * r],
  corners: ([q, r]) => HEX_CORNERS.map(([x, y]) => [2 * q + r + x, 3 * r + y]),
  step: [(HEX_SIDE * Math.sqrt(3)) / 2, HEX_SIDE / 2],
  cellAt: ([x, y]) => {
    // The nearest centre, found by rounding on three axes that add up to 0.
    const r = y / (HEX_SIDE * 1.5);
    const q = x / (HEX_SIDE * Math.sqrt(3)) - r / 2;
    const [roundQ, roundR, roundS] = [Math.round(q), Math.round(r), Math.round(-q - r)];
    const [offQ, offR, offS] = [Math.abs(roundQ - q), Math.abs(roundR - r), Math.abs(roundS + q + r)];
    if (offQ > offR && offQ > offS) return [-roundR - roundS + 0, roundR + 0];
    if (offR > offS) return [roundQ + 0, -roundQ - roundS + 0];
    return [roundQ + 0, roundR + 0];
  },
  around: (cell) => HEX_BESIDE.map((beside) => moved(cell, beside)),
  // Up and down go to and fro, so that they go straight.
  stepped: (cell, key) => {
    const even = cell[1] % 2 === 0;
    return stepBy(cell, key, { ArrowUp: [even ? 1 : 0, -1], ArrowDown: [even ? 0 : -1, 1] });
  },
};

const SQUARE_SIDE = 60;
const SQUARE_CORNERS: readonly Point[] = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
];

/** x runs to the right, y down. */
export const SQUARE: Lattice = {
  size: SQUARE_SIDE,
  pitch: SQUARE_SIDE,
  centre: ([x, y]) => [SQUARE_SIDE * x, SQUARE_SIDE * y],
  corners: ([x, y]) => SQUARE_CORNERS.map(([dx, dy]) => [2 * x + dx, 2 * y + dy]),
  step: [SQUARE_SIDE / 2, SQUARE_SIDE / 2],
  cellAt: ([x, y]) => [Math.round(x / SQUARE_SIDE) + 0, Math.round(y / SQUARE_SIDE) + 0],
  around: (cell) => [-1, 0, 1].flatMap((dx) => [-1, 0, 1].map((dy) => moved(cell, [dx, dy]))),
  stepped: (cell, key) => stepBy(cell, key, { ArrowUp: [0, -1], ArrowDown: [0, 1] }),
};

const ALONG: Readonly<Record<string, Cell>> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

function stepBy(cell: Cell, key: string, across: Readonly<Record<string, Cell>>): Cell | null {
  const by = ALONG[key] ?? across[key];
  return by === undefined ? null : moved(cell, by);
}

function moved([q, r]: Cell, [dq, dr]: Cell): Cell {
  return [q + dq, r + dr];
}

/** What the first page shows of each game: boards, cards and dice of our own. */

import type { Cell } from "./lattice";
import type { Cube, Painting } from "./solid/space";

/** A board of Extreme: four yellow pieces. A row is r, a place in it q, a letter a piece. */
const HEXAGONS = `
  C C C D J
   C D D J J
    D J J G .
     G G G . .
      . G . . .
`;

export const pieces: readonly (readonly Cell[])[] = [..."CDGJ"].map((letter) => cellsOf(HEXAGONS, letter));
export const region: readonly Cell[] = pieces.flat();

export function cellsOf(picture: string, letter: string): Cell[] {
  const rows = picture.trim().split("\n");
  return rows.flatMap((row, r) => {
    const places = row.trim().split(" ");
    return places.flatMap((place, q) => (place === letter ? [[q, r] as const] : []));
  });
}

/** A task of 3-D: both levels from above, the lower one first. */
const LEVELS = ["..C. CCCB A...", "..C. AABB A..."] as const;

export const blocks: readonly Painting[] = (
  [
    ["C", "leaf"],
    ["B", "sea"],
    ["A", "sun"],
  ] as const
).map(([letter, colour]) => ({ cells: LEVELS.flatMap((level, z) => cubesOf(level, z, letter)), colour }));
export const space: readonly Cube[] = blocks.flatMap(({ cells }) => cells);

function cubesOf(level: string, z: number, letter: string): Cube[] {
  const rows = level.split(" ");
  return rows.flatMap((row, far) =>
    [...row].flatMap((place, x) => (place === letter ? [[x, rows.length - 1 - far, z] as const] : [])),
  );
}

/** Cards that fit each other: a symbol is beside its like wherever two meet. `at`: the corner they are laid at. */
export const cards: readonly { marks: string; turn: number; at: Cell }[] = [
  { marks: "T4 T4 L5 Y5 O4 T4", turn: 0, at: [0, 0] },
  { marks: "Y5 T4 Y5 O4 O4 L5", turn: 3, at: [2, 0] },
  { marks: "L5 Y5 T4 T4 O4 L5", turn: 0, at: [-2, -1] },
  { marks: "T4 Y5 O4 T4 L5 O4", turn: 1, at: [-1, 3] },
  { marks: "Y5 T4 T4 O4 O4 L5", turn: 3, at: [2, 3] },
];

/** Faces of dice, as they come up throw after throw. */
export const faces = ["P5", "L3", "T4", "O4", "L5", "S4", "I3", "Y5", "Z5", "I4", "L4"] as const;

/** Where a picture begins: something lies, and something is left to lay. */
export function begun(game: string): number {
  return game === "cards" ? 4 : 2;
}

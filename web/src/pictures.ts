/** What the wait before a match shows of each game: small tasks of our own, laid step by step. */

import { cellsOf, pieces as four } from "./sample";
import type { Cell } from "./lattice";

/** An area of Extreme, for three pieces and for four. */
const THREE = `
  . . . . A .
   . B A A A C
    B B B A C .
     . . C C . .
`;

export const hexagons: Readonly<Record<number, readonly (readonly Cell[])[]>> = {
  3: [..."ABC"].map((letter) => cellsOf(THREE, letter)),
  4: four,
};

/** An area of the dice game with the shapes of two dice. */
const SQUARES = `
  . . B B
  . . B A
  A A A A
`;

export const entered = [
  { face: "L5", cells: cellsOf(SQUARES, "A") },
  { face: "L3", cells: cellsOf(SQUARES, "B") },
] as const;

/** A hand of the first round: the seven that fit each other as they lie, then the two that are left over. */
export const seven: readonly { marks: string; turn: number; at: Cell }[] = [
  { marks: "Y5 T4 T4 O4 L5 L5", turn: 0, at: [4, 3] },
  { marks: "L5 O4 T4 L5 T4 Y5", turn: 3, at: [1, 3] },
  { marks: "T4 Y5 L5 Y5 O4 T4", turn: 2, at: [4, 0] },
  { marks: "Y5 T4 Y5 O4 O4 L5", turn: 1, at: [6, 4] },
  { marks: "T4 T4 L5 Y5 O4 T4", turn: 1, at: [0, 5] },
  { marks: "T4 L5 Y5 O4 T4 L5", turn: 1, at: [0, 1] },
  { marks: "T4 T4 Y5 O4 O4 L5", turn: 1, at: [6, 0] },
];
export const left = ["Y5 T4 L5 T4 O4 O4", "L5 Y5 T4 T4 O4 L5"] as const;

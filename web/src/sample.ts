import type { Cell } from "./geometry";

/** A board of our own to show on the first page: four yellow pieces, and the region that they fill. */
export const pieces: readonly { readonly name: string; readonly cells: readonly Cell[] }[] = [
  {
    name: "yellow-3",
    cells: [
      [0, 0],
      [0, 1],
      [1, 0],
      [2, 0],
    ],
  },
  {
    name: "yellow-4",
    cells: [
      [0, 2],
      [1, 1],
      [2, 1],
      [3, 0],
    ],
  },
  {
    name: "yellow-10",
    cells: [
      [1, 2],
      [2, 2],
      [3, 1],
      [4, 0],
      [4, 1],
    ],
  },
  {
    name: "yellow-7",
    cells: [
      [0, 3],
      [1, 3],
      [1, 4],
      [2, 3],
      [3, 2],
    ],
  },
];

export const region: readonly Cell[] = pieces.flatMap((piece) => piece.cells);

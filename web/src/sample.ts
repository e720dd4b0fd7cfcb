import type { Cell } from "./lattice";

/** A board of our own to show on the first page: four yellow pieces. A row is r, a place in it q, a letter a piece. */
const PICTURE = `
  C C C D J
   C D D J J
    D J J G .
     G G G . .
      . G . . .
`;

export const pieces: readonly (readonly Cell[])[] = [..."CDGJ"].map((letter) => cellsOf(PICTURE, letter));
export const region: readonly Cell[] = pieces.flat();

function cellsOf(picture: string, letter: string): Cell[] {
  const rows = picture.trim().split("\n");
  return rows.flatMap((row, r) => {
    const places = row.trim().split(" ");
    return places.flatMap((place, q) => (place === letter ? [[q, r] as const] : []));
  });
}

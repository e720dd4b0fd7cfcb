/** Which animal a board of 3-D has: those of an animal stand together, four and four, in this order. */

const ANIMALS = ["elephant", "gazelle", "snake", "gnu", "ostrich", "rhino", "giraffe", "zebra", "warthog"];
const BOARDS_OF_AN_ANIMAL = 4;

/** Of a board's name, `A25`. */
export function animalOf(board: string): string {
  return ANIMALS[Math.floor((Number(board.slice(1)) - 1) / BOARDS_OF_AN_ANIMAL)] ?? "";
}

/** Which animal a board of 3-D has: each animal has four consecutive boards, in this order. */

const ANIMALS = ["elephant", "gazelle", "snake", "gnu", "ostrich", "rhino", "giraffe", "zebra", "warthog"];
const BOARDS_OF_AN_ANIMAL = 4;

/** Of a board's name, `A25`. */
export function animalOf(board: string): string {
  return ANIMALS[Math.floor((Number(board.slice(1)) - 1) / BOARDS_OF_AN_ANIMAL)] ?? "";
}

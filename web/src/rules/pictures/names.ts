/** The pictures that the rules for families can name, by the game that they show. */

export const PICTURES = {
  gems: ["gems-by-place", "display", "bag", "stack", "glass", "crown", "ruby", "sapphire", "emerald", "amber"],
  extreme: ["extreme-task", "extreme-lay", "extreme-call", "extreme-turns"],
  cards: [
    "cards-hand",
    "cards-lay",
    "cards-call",
    "cards-turn",
    "cards-sides",
    "join-long",
    "join-short",
    "join-across",
    "join-branches",
    "join-one",
    "join-three",
    "join-differs",
    "join-crosswise",
  ],
  dice: ["dice-throw", "dice-grab", "dice-enter", "dice-full", "dice-sheet", "dice-pair", "dice-turns"],
  cubes: ["cubes-throw", "cubes-build", "cubes-call", "cubes-turns", "cubes-easier", "cubes-harder"],
} as const;

export type PictureOf<Kind extends keyof typeof PICTURES> = (typeof PICTURES)[Kind][number];

export function isPictureOf<Kind extends keyof typeof PICTURES>(kind: Kind, name: string): name is PictureOf<Kind> {
  return (PICTURES[kind] as readonly string[]).includes(name);
}

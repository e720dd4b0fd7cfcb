/** What a piece is coloured by: four colours as the rules call them, or the colour of its shape. */

import { SHAPES, type ShapeName } from "./shapes";

export type Colour = "sun" | "sea" | "clay" | "leaf" | `shape-${ShapeName}`;
const COLOURS: Readonly<Record<string, Colour>> = { yellow: "sun", blue: "sea", red: "clay", green: "leaf" };

/** Of a piece's name: `yellow-9`, or `L4`. */
export function colourOf(name: string | null | undefined): Colour {
  const shape = SHAPES.find((one) => one === name);
  if (shape !== undefined) return `shape-${shape}`;
  return COLOURS[name?.split("-")[0] ?? ""] ?? "sun";
}

/** The four colours: as the rules call them, and as the style sheet does. */

export type Colour = "sun" | "sea" | "clay" | "leaf";
const COLOURS: Readonly<Record<string, Colour>> = { yellow: "sun", blue: "sea", red: "clay", green: "leaf" };

/** Of a piece's name, `yellow-9`. */
export function colourOf(name: string | null | undefined): Colour {
  return COLOURS[name?.split("-")[0] ?? ""] ?? "sun";
}

import { tAny } from "./index.svelte";

/** An option as a question: in the game's own words if it has some. */
export function asks(game: string, name: string): string {
  return tAny(`option.${name}.of.${game}`) || tAny(`option.${name}`);
}

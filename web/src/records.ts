/** Tables of records: the selected kind of run, as in the address. */

import { hasSides } from "./solo";
import type { RunKind } from "./protocol";

export const recordsLink = (kind: RunKind): string => `/records#${fragmentOf(kind)}`;

/** Such as `extreme-count-5-3`: the game, the mode, how long, how many pieces; `first` for 3-D without the die. */
export function fragmentOf({ of, mode, minutes, tasks, side, die }: RunKind): string {
  const parts = [of, mode, minutes ?? tasks, side, die === "off" ? "first" : null];
  return parts.filter((part) => part !== null).join("-");
}

/** The other way; what is missing or odd is as usual. */
export function kindIn(fragment: string): RunKind {
  const [of = "", mode = "", ...rest] = fragment.split("-");
  const game = ["extreme", "cards", "dice", "cubes"].includes(of) ? of : "extreme";
  const way = ["clock", "count", "day"].includes(mode) ? mode : "count";
  return kindOf(game, way, Number(rest[0]) || 5, rest[1] === "4" ? 4 : 3, rest.includes("first") ? "off" : "on");
}

/** A kind of run: what makes no difference there is null. */
export function kindOf(of: string, mode: string, length: number, side: number, die: "on" | "off" = "on"): RunKind {
  const day = mode === "day";
  return {
    of,
    mode,
    minutes: mode === "clock" ? length : null,
    tasks: mode === "count" ? length : null,
    side: day || !hasSides(of) ? null : side,
    die: day || of !== "cubes" ? null : side === 3 ? die : "on",
  };
}

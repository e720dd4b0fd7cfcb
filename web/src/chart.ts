/** Points after each round, read from a finished match's log. */

import type { LogLine } from "./api";
import { GEMS } from "./gems";
import type { GemMoved, RoundOpened, Scored } from "./protocol";

/** By seat: 0, then the sum after each round; in the dice game after each area. */
export function byRound(lines: readonly LogLine[], seats: number): number[][] {
  const sums = Array.from({ length: seats }, () => 0);
  const found = sums.map(() => [0]);
  let area: number | null = 1;
  for (const { event } of lines) {
    if (event?.type === "gem_moved") {
      const { gem, source, target } = event as GemMoved;
      if (typeof target === "number") sums[target] = (sums[target] ?? 0) + GEMS[gem].value;
      if (typeof source === "number") sums[source] = (sums[source] ?? 0) - GEMS[gem].value;
    } else if (event?.type === "scored") {
      const { seat, points } = event as Scored;
      sums[seat] = (sums[seat] ?? 0) + points;
    } else if (event?.type === "round_closed") {
      found.forEach((row, seat) => row.push(sums[seat] ?? 0));
    } else if (event?.type === "round_opened") {
      const { area: next } = event as RoundOpened;
      // The area goes on: what was counted is not its end.
      if (next !== null && next === area) found.forEach((row) => row.pop());
      area = next;
    } else if (event?.type === "match_closed" && found.some((row, seat) => row.at(-1) !== sums[seat])) {
      // Who has left may have ended it in the middle of a round.
      found.forEach((row, seat) => row.push(sums[seat] ?? 0));
    }
  }
  return found;
}

/** Labels at the lines' ends, moved apart so that none covers another, and none below what is lowest. */
export function apart(wanted: readonly number[], gap: number, lowest: number): number[] {
  const order = wanted.map((y, i) => ({ y, i })).sort((a, b) => a.y - b.y);
  for (let k = 1; k < order.length; k++) {
    const [above, below] = [order[k - 1], order[k]];
    if (above && below && below.y - above.y < gap) below.y = above.y + gap;
  }
  const found = [...wanted];
  let room = lowest;
  for (const { y, i } of order.reverse()) {
    found[i] = Math.min(y, room);
    room = found[i] - gap;
  }
  return found;
}

/** As much of a name as there is room for, `wide` as its letters are; what is cut ends in dots. */
export function fitted(name: string, room: number, wide: (text: string) => number): string {
  if (wide(name) <= room) return name;
  const letters = [...name];
  while (letters.length > 1 && wide(`${letters.join("")}…`) > room) letters.pop();
  return `${letters.join("").trimEnd()}…`;
}

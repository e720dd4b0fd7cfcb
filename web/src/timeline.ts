/** A finished match as moments: the server sends the changes, and they are only added up here. */

import { changed, type Part, type Seen } from "./change";
import type { AnyEvent } from "./protocol";
import { tale, type Tale } from "./story";

export type ReplayLine = { readonly at: number; readonly events: readonly AnyEvent[]; readonly table: Part };
export type Moment = {
  /** When it happened in the match, and when it is shown; in milliseconds. */
  readonly at: number;
  readonly shown: number;
  readonly table: Seen;
  readonly tale: Tale | null;
};
/** Where a round begins: when everybody may lay. */
export type Mark = { readonly round: number; readonly playoff: boolean; readonly shown: number };

/** Long waits are shortened; a result stays long enough to be read. */
const LONGEST_WAIT = 3000;
const RESULT = 3000;
const PLAYED: readonly Seen["phase"][] = ["play", "grab", "enter"];

export function moments(lines: readonly ReplayLine[]): readonly Moment[] {
  const found: Moment[] = [];
  let wait = 0;
  for (const { at, events, table: part } of lines) {
    const before = found.at(-1);
    if (before === undefined) {
      found.push({ at, shown: 0, table: whole(part), tale: null });
      continue;
    }
    // A table is opened empty: it begins with what is dealt to it.
    if (found.length === 1 && at === before.at && events.some(({ type }) => type === "dealt")) {
      found[0] = { ...before, table: changed(before.table, part) };
      continue;
    }
    // What happened in one millisecond can still be seen step by step.
    const shown = before.shown + Math.max(wait, 1, Math.min(at - before.at, LONGEST_WAIT));
    found.push({
      at,
      shown,
      table: changed(before.table, part),
      tale: tale(events, before.table, null) ?? before.tale,
    });
    wait = events.some(({ type }) => type === "round_closed") ? RESULT : 0;
  }
  return found;
}

/** The first line has every field of a table except the lobby's. */
function whole(part: Part): Seen {
  return { ...(part as unknown as Seen), host: null, next: null };
}

/** The moment that is seen at a time: the last one that has come. */
export function indexAt(all: readonly Moment[], shown: number): number {
  let [low, high] = [0, all.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((all[middle]?.shown ?? Infinity) <= shown) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The last moment that has come at a time of the match; the first one before it began. */
export function momentAt(all: readonly Moment[], at: number): number {
  return Math.max(
    0,
    all.findLastIndex((moment) => moment.at <= at),
  );
}

/** The match's own time: where a wait is shortened it runs quicker. */
export function timeAt(all: readonly Moment[], shown: number): number {
  const index = indexAt(all, shown);
  const [here, next] = [all[index], all[index + 1]];
  if (here === undefined) return 0;
  if (next === undefined || next.shown === here.shown) return here.at;
  return here.at + ((shown - here.shown) * (next.at - here.at)) / (next.shown - here.shown);
}

export function marks(all: readonly Moment[]): readonly Mark[] {
  const found: Mark[] = [];
  for (const { shown, table } of all) {
    if (!PLAYED.includes(table.phase)) continue;
    const last = found.at(-1);
    if (last === undefined || last.round !== table.round || last.playoff !== table.playoff) {
      found.push({ round: table.round, playoff: table.playoff, shown });
    }
  }
  return found;
}

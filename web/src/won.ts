/** The gems that each seat has got in the round that is played, as far as its events were seen. */

import type { GemName } from "./gems";
import type { AnyEvent } from "./protocol";

export type Won = Readonly<Record<number, readonly GemName[]>>;

export function wonAfter(won: Won, events: readonly AnyEvent[]): Won {
  for (const event of events) {
    if (event.type === "started") won = {};
    if (event.type === "gem_moved" && typeof event.target === "number") {
      won = { ...won, [event.target]: [...(won[event.target] ?? []), event.gem] };
    }
  }
  return won;
}

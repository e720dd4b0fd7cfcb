/** A finished run, replayed next to mine: what it had done by now, counted from the start of each. */

import { momentAt, moments, type Moment } from "./timeline";
import { replay } from "./api";
import type { Seen } from "./change";
import type { ServerClock } from "./clock.svelte";
import { named } from "./match.svelte";

export class GhostRun {
  /** Null: not loaded yet, or it does not exist any more. */
  table: Seen | null = $state.raw(null);
  private all: readonly Moment[] = $state.raw([]);

  /** Call it during a component's initialisation. `began`: when my own run did. */
  constructor(key: () => string, began: () => number | null, clock: () => ServerClock) {
    $effect(() => {
      let gone = false;
      replay(key()).then(
        (lines) => {
          if (!gone) this.all = moments(lines);
        },
        // Without it the race is a run like any other.
        () => {},
      );
      return () => (gone = true);
    });
    $effect(() => {
      const all = this.all;
      const mine = began();
      if (all.length === 0) return;
      const start = all.find((moment) => moment.table.began !== null)?.table.began ?? 0;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const show = (): void => {
        const at = mine === null ? start : start + clock().now() - mine;
        const here = momentAt(all, at);
        const moment = all[here];
        if (moment !== undefined) this.table = named(moment.table);
        const next = all[here + 1];
        if (mine !== null && next !== undefined) timer = setTimeout(show, next.at - at + 2);
      };
      show();
      return () => clearTimeout(timer);
    });
  }
}

/** Whole seconds since something began. It wakes when the number changes, and not before. */

import type { ServerClock } from "./clock.svelte";

export class Stopwatch {
  /** Null: nothing has begun. */
  seconds: number | null = $state.raw(null);

  /** To be made where a component starts: it counts as long as that is shown. */
  constructor(began: () => number | null, clock: () => ServerClock) {
    $effect(() => {
      const start = began();
      if (start === null) {
        this.seconds = null;
        return;
      }
      let timer: ReturnType<typeof setTimeout> | undefined;
      const count = (): void => {
        const passed = Math.max(0, clock().now() - start);
        this.seconds = Math.floor(passed / 1000);
        timer = setTimeout(count, clock().wait((this.seconds + 1) * 1000 - passed) + 2);
      };
      count();
      return () => clearTimeout(timer);
    });
  }
}

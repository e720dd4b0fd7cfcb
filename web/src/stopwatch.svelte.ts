/** Whole seconds since something began. It updates only when the number changes. */

import type { ServerClock } from "./clock.svelte";

export class Stopwatch {
  /** Null: nothing has begun. */
  seconds: number | null = $state.raw(null);

  /** Call it during a component's initialisation: it counts as long as the component is shown. */
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

/** Whole seconds until something happens. It updates only when the number changes. */

import type { ServerClock } from "./clock.svelte";

export class Countdown {
  /** Null: nothing runs. */
  seconds: number | null = $state.raw(null);

  /** Call it during a component's initialisation: it counts as long as the component is shown. */
  constructor(ends: () => number | null, clock: () => ServerClock, each: (seconds: number) => void = () => {}) {
    $effect(() => {
      const end = ends();
      if (end === null) {
        this.seconds = null;
        return;
      }
      let timer: ReturnType<typeof setTimeout> | undefined;
      const count = (): void => {
        const left = end - clock().now();
        const seconds = Math.max(0, Math.ceil(left / 1000));
        if (seconds !== this.seconds) {
          this.seconds = seconds;
          each(seconds);
        }
        if (left > 0) timer = setTimeout(count, clock().wait(left - (seconds - 1) * 1000) + 2);
      };
      count();
      return () => clearTimeout(timer);
    });
  }
}

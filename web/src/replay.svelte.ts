/** The position in a finished match, and the speed. */

import { indexAt, marks, timeAt, type Mark, type Moment } from "./timeline";

export const SPEEDS = [1, 2, 4, 8, 16] as const;
type Speed = (typeof SPEEDS)[number];

export class Replay {
  /** Milliseconds of what is shown; long waits are shortened in it. */
  position = $state(0);
  playing = $state(false);
  speed: Speed = $state(1);
  readonly end: number;
  readonly marks: readonly Mark[];
  readonly index: number = $derived.by(() => indexAt(this.moments, this.position));
  readonly time: number = $derived.by(() => timeAt(this.moments, this.position));

  constructor(readonly moments: readonly Moment[]) {
    this.end = moments.at(-1)?.shown ?? 0;
    this.marks = marks(moments);
  }

  /** Call it during a component's initialisation: while it plays, it advances with every frame. */
  run(): void {
    $effect(() => {
      if (!this.playing) return;
      let last = performance.now();
      let frame = 0;
      const next = (now: number): void => {
        this.goTo(this.position + Math.max(0, now - last) * this.speed);
        last = now;
        if (this.position >= this.end) this.playing = false;
        else frame = requestAnimationFrame(next);
      };
      frame = requestAnimationFrame(next);
      return () => cancelAnimationFrame(frame);
    });
  }

  /** Plays or pauses; at the end it plays from the beginning. */
  toggle(): void {
    if (!this.playing && this.position >= this.end) this.position = 0;
    this.playing = !this.playing;
  }

  goTo(position: number): void {
    this.position = Math.min(this.end, Math.max(0, position));
  }

  /** To the next thing that happened, or the one before. */
  step(by: 1 | -1): void {
    this.playing = false;
    const here = this.moments[this.index]?.shown ?? 0;
    const other =
      by > 0
        ? this.moments.find(({ shown }) => shown > this.position)
        : this.moments.findLast(({ shown }) => shown < here);
    this.goTo(other?.shown ?? (by > 0 ? this.end : 0));
  }

  /** To the beginning of the next round, or of this one; from there to the one before. */
  leap(by: 1 | -1): void {
    const other =
      by > 0
        ? this.marks.find(({ shown }) => shown > this.position)
        : this.marks.findLast(({ shown }) => shown < this.position - 1500);
    this.goTo(other?.shown ?? (by > 0 ? this.end : 0));
  }
}

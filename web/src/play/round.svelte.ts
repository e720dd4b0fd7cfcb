/** My side of a round, as the screen of any game reads it: my task, what I have laid, and the time that runs. */

import type { Seen } from "../change";
import { Countdown } from "../countdown.svelte";
import type { Place, Shaped } from "../lay";
import type { Placement } from "../protocol";
import { running, type Running } from "../running";
import { play as sound } from "../sound";
import type { PlayProps } from "./screens";

type Seat = Seen["seats"][number];

export class Round<At extends Place, One extends Shaped<At>> {
  private readonly props: () => PlayProps;
  readonly me: Seat | undefined = $derived.by(() => this.props().table.seats[this.props().seat]);
  readonly task: Seat["task"] = $derived(this.me?.task ?? null);
  readonly region: readonly At[] = $derived((this.task?.region ?? []) as unknown as readonly At[]);
  readonly pieces: readonly One[] = $derived.by(() => {
    const known = this.props().pieces as ReadonlyMap<string, unknown>;
    return (this.task?.pieces ?? []).flatMap((name) => (known.get(name ?? "") as One | undefined) ?? []);
  });
  readonly laid: readonly Placement[] = $derived(this.me?.laid ?? []);
  readonly called: boolean = $derived(this.me?.called != null);
  /** Nothing can be laid on a board just now. */
  readonly fixed: boolean = $derived.by(() => this.called || this.props().table.phase !== "play");
  readonly time: Running | null = $derived.by(() => running(this.props().table));
  private readonly count: Countdown;

  /** Call it during a component's initialisation. `done`: the last seconds no longer sound for me. */
  constructor(props: () => PlayProps, done: () => boolean = () => this.called) {
    this.props = props;
    this.count = new Countdown(
      () => this.time?.ends ?? null,
      () => props().match.clock,
      (seconds) => {
        if (seconds <= 10 && seconds > 0 && !done()) sound("tick");
      },
    );
  }

  /** Whole seconds left; null: nothing runs. */
  get seconds(): number | null {
    return this.count.seconds;
  }
}

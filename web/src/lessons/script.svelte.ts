/** A lesson's own table. It has no rules: it takes the move that comes next in its one solution, and no other. */

import type { Pending } from "../change";
import { ServerClock } from "../clock.svelte";
import { t } from "../i18n/index.svelte";
import { cover, type Place, type Shaped } from "../lay";
import type { Asked } from "../match.svelte";
import type { AnyMove, Placement } from "../protocol";
import { play as sound } from "../sound";

export class Script implements Asked {
  /** What has been done, in order. */
  made: readonly Pending[] = $state.raw([]);
  readonly laid: readonly Placement[] = $derived(
    this.made.flatMap(({ move }) =>
      move.type === "place" ? [{ piece: move.piece, turn: move.turn, at: move.at }] : [],
    ),
  );
  readonly called = $derived(this.made.some(({ move }) => move.type === "call"));
  /** As a match has them; a lesson answers at once, and says what is wrong in its own words. */
  refused = null;
  readonly pending = [];
  readonly clock = new ServerClock();

  constructor(
    private readonly moves: readonly AnyMove[],
    /** The step is done. */
    private readonly next: () => void,
    /** The move was another one: what to look at. */
    private readonly hint: (text: string) => void,
  ) {}

  /** The move that comes next; undefined: there is nothing left to do. */
  get wanted(): AnyMove | undefined {
    return this.moves[this.made.length];
  }

  ask(move: AnyMove): boolean {
    // What lies right stays.
    if (move.type === "lift") return false;
    const { wanted } = this;
    const right = wanted !== undefined && same(move, wanted);
    if (right) {
      this.made = [...this.made, { n: this.made.length, move }];
      if (move.type === "grab") sound("lift");
      this.next();
    } else {
      this.hint(move.type === "grab" ? t("lesson.dice.other") : t("lesson.not_there"));
    }
    return right;
  }

  readonly call = (): void => {
    if (this.ask({ type: "call" })) sound("call");
  };
}

/** The cells that a move covers. */
export function goal<At extends Place>(pieces: readonly Shaped<At>[], move: AnyMove | undefined): At[] {
  return move?.type === "place" ? cover(pieces[move.piece]?.shapes[move.turn] ?? [], move.at) : [];
}

function same(move: AnyMove, wanted: AnyMove): boolean {
  const asked = new Map(Object.entries(move));
  return Object.entries(wanted).every(([field, value]) => String(asked.get(field)) === String(value));
}

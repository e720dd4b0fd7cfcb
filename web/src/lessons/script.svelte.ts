/** A lesson's own table. It has no rules: it takes a move that is the next step of its one solution, and no other. */

import type { AnyMove, Placement } from "../protocol";

export class Script {
  laid: readonly Placement[] = $state.raw([]);
  called = $state(false);
  /** As a match has it; a lesson says what is wrong in its own words. */
  refused = null;

  constructor(
    private readonly answer: readonly Placement[],
    /** The step is done, or the move was another one. */
    private readonly judged: (right: boolean) => void,
  ) {}

  ask(move: AnyMove): boolean {
    // What lies right stays.
    if (move.type === "lift") return false;
    const right = this.next(move);
    this.judged(right);
    return right;
  }

  private next(move: AnyMove): boolean {
    const wanted = this.answer[this.laid.length];
    if (wanted === undefined) {
      this.called ||= move.type === "call";
      return this.called;
    }
    if (move.type !== "place" || move.piece !== wanted.piece) return false;
    if (move.turn !== wanted.turn || String(move.at) !== String(wanted.at)) return false;
    this.laid = [...this.laid, wanted];
    return true;
  }
}

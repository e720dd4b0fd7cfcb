/** Which control a lesson's next move needs: it gets a ring, and is named for screen readers. */

import { SHORTCUTS } from "../keys";
import type { AnyMove } from "../protocol";

/** What each twist makes of each orientation, as Python lists it. */
type After = Readonly<Record<string, readonly number[]>>;
type Twisted = { readonly after: After };
type InHand = { readonly piece: number; readonly turn: number };

/** Its selector; empty: the held piece only has to be laid on the dashed outline. */
export function controlFor(move: AnyMove | undefined, held: InHand | null, pieces: readonly Twisted[]): string {
  switch (move?.type) {
    case "grab":
      return `[data-die="${move.die}"]`;
    case "place": {
      if (held?.piece !== move.piece) return `button[data-piece="${move.piece}"]`;
      const twist = firstTwist(pieces[move.piece]?.after ?? {}, held.turn, move.turn);
      return twist === null ? "" : `[data-twist="${twist}"]`;
    }
    case "call":
      return `[aria-keyshortcuts="${SHORTCUTS.call}"]`;
    case "pass":
      return `[aria-keyshortcuts="${SHORTCUTS.done}"]`;
    default:
      return "";
  }
}

/** The first of the fewest twists from one orientation to another; null: there is nothing to twist. */
export function firstTwist(after: After, from: number, to: number): string | null {
  if (from === to) return null;
  const back = after["turn"]?.map((_, turn, all) => all.indexOf(turn));
  const twists = Object.entries(back === undefined ? after : { ...after, back });
  const seen = new Set([from]);
  let waiting: { turn: number; first: string | null }[] = [{ turn: from, first: null }];
  while (waiting.length > 0) {
    const reached = waiting.flatMap(({ turn, first }) =>
      twists.map(([twist, all]) => ({ turn: all[turn] ?? turn, first: first ?? twist })),
    );
    const found = reached.find(({ turn }) => turn === to);
    if (found !== undefined) return found.first;
    waiting = reached.filter(({ turn }) => !seen.has(turn));
    waiting.forEach(({ turn }) => seen.add(turn));
  }
  return null;
}

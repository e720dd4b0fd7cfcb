/** The only writer of the table: applies the server's updates, and my own moves that are not answered yet. */

import type { AnyMove, Bye, CardsOptions, CubesOptions, MoveRefused, DiceOptions, Fault } from "./protocol";
import type { PartOf, Placement, Pong, Reaction, Seat, SoloOptions, Table, TableFacts, Update } from "./protocol";
import type { Waiting, Welcome } from "./protocol";

/** The options of all games: a table has those of its own. */
export type Options = Table["options"] &
  Partial<Omit<CardsOptions & CubesOptions & DiceOptions & SoloOptions, keyof Table["options"]>>;
/** The table as this browser sees it. */
export type Seen = Omit<Table, "options"> & TableFacts & { readonly options: Options };
export type Part = PartOf<Seen>;
/** The options of a table are those of its own game; all else is as Python has it. */
type WithOptions<T> = Omit<T, "table"> & { readonly table: T extends Welcome ? Seen : Part };
export type ServerMessage =
  WithOptions<Welcome> | WithOptions<Update> | MoveRefused | Reaction | Pong | Fault | Waiting | Bye;
/** A move that was sent and has no answer yet. */
export type Pending = { readonly n: number; readonly move: AnyMove };

/** The table after an update. */
export function changed(table: Seen, part: Part): Seen {
  const { seats, ...rest } = part;
  if (seats === undefined) return { ...table, ...rest };
  return { ...table, ...rest, seats: table.seats.map((seat, i) => ({ ...seat, ...seats[i] })) };
}

/** The moves that wait for an answer after an update: those up to `acked` have been answered. */
export function unanswered(pending: readonly Pending[], acked: number | null): readonly Pending[] {
  return acked === null ? pending : pending.filter(({ n }) => n > acked);
}

/** The table as if all my pending moves had been accepted: what I lay shows at once (optimistic update). */
export function ahead(table: Seen, seat: number | null, pending: readonly Pending[]): Seen {
  const mine = seat === null ? undefined : table.seats[seat];
  if (mine === undefined || pending.length === 0) return table;
  const hoped = pending.reduce((now, { move }) => after(now, move), mine);
  const grabbed = pending.flatMap(({ move }) => (move.type === "grab" ? [move.die] : []));
  return {
    ...table,
    seats: table.seats.map((other, i) => (i === seat ? hoped : other)),
    dice: table.dice.map((die, i) => (die.taken === null && grabbed.includes(i) ? { ...die, taken: seat } : die)),
  };
}

function after(seat: Seat, move: AnyMove): Seat {
  switch (move.type) {
    case "place": {
      const { piece, turn, at } = move;
      return { ...seat, laid: [...without(seat.laid, piece), { piece, turn, at }] };
    }
    case "lift":
      return { ...seat, laid: without(seat.laid, move.piece) };
    case "ready":
      return { ...seat, ready: true };
    case "pass":
      return { ...seat, passed: true };
    case "stop":
      return { ...seat, stop: true };
    case "skip":
      return { ...seat, fast_forward: "skip" };
    case "speed_up":
      return { ...seat, fast_forward: "speed_up" };
    default:
      return seat;
  }
}

function without(laid: readonly Placement[], piece: number): readonly Placement[] {
  return laid.filter((where) => where.piece !== piece);
}

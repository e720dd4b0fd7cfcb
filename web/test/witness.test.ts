import { expect, it } from "vitest";
import type { RoundResult, Placement } from "../src/protocol";
import { earlier, NOTHING_SEEN, witnessed } from "../src/witness";
import { seated, table } from "./tables";

const P = (piece: number): Placement => ({ piece, turn: 0, at: [piece, 0] });
const had = (gems: RoundResult["gems"]): RoundResult => ({
  task: null,
  laid: [],
  wrong: [],
  called: null,
  gems,
  points: null,
});

it("notes when pieces were laid, from the start on", () => {
  const ready = table({ phase: "ready" });
  const begun = table({ started: 5000 });
  const one = table({ started: 5000, seats: [seated("Ann", { laid: [P(0)] }), seated("Bo")] });
  const two = table({ started: 5000, seats: [seated("Ann", { laid: [P(0), P(1)] }), seated("Bo")] });
  let seen = witnessed(NOTHING_SEEN, ready, begun, 5010);
  seen = witnessed(seen, begun, one, 7000);
  // What is taken up is laid again later.
  seen = witnessed(seen, one, begun, 8000);
  seen = witnessed(seen, begun, one, 9000);
  seen = witnessed(seen, one, two, 9500);
  expect(seen.reached).toEqual([[5000, 9000, 9500], [5000]]);
});

it("keeps what rounds brought, if it has seen all of them", () => {
  const closing = (round: number, gems: RoundResult["gems"]) =>
    [
      table({ round, started: round }),
      table({ round: round + 1, phase: "ready", last: [had(gems), had([])] }),
    ] as const;
  let seen = witnessed(NOTHING_SEEN, ...closing(1, ["ruby"]), 1);
  seen = witnessed(seen, ...closing(2, ["amber", "sapphire"]), 2);
  expect(earlier(seen, table({ round: 4 }), 0)).toEqual([4, 4]);
  expect(earlier(seen, table({ round: 5 }), 0)).toBeNull();
  expect(earlier(seen, table({ round: 4 }), null)).toBeNull();
  const cards = table({ round: 4, game: "cards", seats: [seated("Ann", { points: [3, 10, 7] })] });
  expect(earlier(NOTHING_SEEN, cards, 0)).toEqual([3, 10]);
});

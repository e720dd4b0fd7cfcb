/** Tables to test with: a small one, with what a test is about put in. */

import type { Seen } from "../src/change";
import type { Seat } from "../src/protocol";

export function seated(name: string, more: Partial<Seat> = {}): Seat {
  return {
    name,
    bot: null,
    present: true,
    gone: false,
    ready: false,
    passed: false,
    stop: false,
    task: null,
    laid: [],
    called: null,
    wrong: [],
    gems: [],
    points: [],
    away: null,
    won: [],
    hints: 0,
    sheet: [],
    cards: null,
    told: [],
    fast_forward: null,
    ...more,
  };
}

export function table(more: Partial<Seen>): Seen {
  return {
    game: "extreme",
    options: {
      ready_s: 30,
      first_seat: 0,
      reveal: "start",
      edition: "",
      takeover_s: 60,
      companion: false,
      count_in_s: 0,
      side: 3,
      hourglass_s: 60,
      auto_call: true,
    },
    seats: [seated("Ann"), seated("Bo")],
    phase: "play",
    round: 1,
    area: null,
    playoff: false,
    roller: null,
    until: null,
    glass: null,
    dice: [],
    display: [],
    bag: [],
    seed_hash: "",
    seed: null,
    last: null,
    limit: null,
    began: null,
    started: null,
    standing: null,
    totals: null,
    took: null,
    among: null,
    stood: 0,
    time_skipped: 0,
    clock_wrong: false,
    host: 0,
    next: null,
    ...more,
  };
}

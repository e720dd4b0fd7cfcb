import { expect, it } from "vitest";
import type { AnyEvent } from "../src/protocol";
import { interruption, newest, tale, type Tale } from "../src/story";
import { seated, table } from "./tables";

const before = table({ stand_ins: [2], seats: [seated("Ann"), seated("Bo", { called: 900 }), seated("Cy")] });

// prettier-ignore
it.each<[string, AnyEvent[], number | null, string | undefined, string[]]>([
  ["nothing worth a line", [{ type: "readied", seat: 0 }], 0, undefined, []],
  ["a start", [{ type: "started", at: 0, limit: null }], 0, "tale.started", []],
  ["the first glass says nothing", [{ type: "glass_turned", turned: 1, ends: 9 }], 0, undefined, []],
  ["the second does", [{ type: "glass_turned", turned: 2, ends: 9 }], 0, "tale.second_chance", []],
  ["a call, after one who called before", [{ type: "called", seat: 0, at: 5 }], 2, "tale.second", []],
  ["mine", [{ type: "called", seat: 0, at: 5 }], 0, "tale.second.you", []],
  ["with what it brought", [
    { type: "called", seat: 2, at: 5 },
    { type: "gem_moved", gem: "amber", source: "display", target: 2 },
    { type: "gem_moved", gem: "ruby", source: "bag", target: 2 },
  ], 0, "tale.second", ["amber", "ruby"]],
  ["two at once: the newest", [{ type: "called", seat: 0, at: 5 }, { type: "called", seat: 2, at: 6 }], 1, "tale.third", []],
  ["who is back, after a bot stood in", [{ type: "back", seat: 2 }], 2, "tale.handed_over.you", []],
  ["who is just back", [{ type: "back", seat: 1 }], 2, "tale.back", []],
  ["who would share the win", [{ type: "stopped", seat: 1 }], 0, "tale.stopped", []],
  ["a number in 3-D says nothing", [{ type: "thrown", values: [7] }], 0, undefined, []],
  ["who is away", [{ type: "away", seat: 1, at: 4 }], 0, "tale.away", []],
  ["an interruption, though others are away since", [
    { type: "resumed", until: 9, stood: 5 },
    { type: "away", seat: 0, at: 9 },
    { type: "away", seat: 1, at: 9 },
    { type: "back", seat: 0 },
  ], 0, "tale.resumed", []],
])("%s", (_, events, mine, key, gems) => {
  const told = tale(events, before, mine);
  expect(told?.key).toBe(key);
  expect(told?.gems ?? []).toEqual(gems);
});

it("says that a run does not count any more, also to who comes only then", () => {
  const run = table({ options: { ...before.options, mode: "count" } });
  const events: AnyEvent[] = [
    { type: "clock_wrong", by: 3_600_000 },
    { type: "resumed", until: 9, stood: 5 },
  ];
  expect(tale(events, run, 0)?.key).toBe("tale.clock_wrong");
  expect(tale(events, before, 0)?.key).toBe("tale.resumed");
  const wrong = table({ options: { ...before.options, mode: "count" }, clock_wrong: true, stood: 5 });
  expect(interruption(null, wrong)?.key).toBe("tale.clock_wrong");
  expect(interruption(wrong, wrong)).toBeNull();
});

it("does not call it a return when somebody comes for the first time", () => {
  const begun = table({ seats: [seated("Ann", { present: false, away: 3 })] });
  expect(tale([{ type: "back", seat: 0 }], begun, 0)).toBeNull();
});

const dicing = table({ game: "dice", area: 2, dice: [] });

// prettier-ignore
it.each<[string, AnyEvent[], number | null, string, number]>([
  ["a throw", [{ type: "thrown", values: ["L4", "T4", "I1", "I2"] }], 0, "tale.thrown", 0],
  ["a black one", [{ type: "thrown", values: ["L4", "T4", "I1", "I2"] }, { type: "grabbed", seat: 1, die: 1 }], 0, "tale.grabbed.black", 0],
  ["a white one, mine", [{ type: "thrown", values: ["L4", "T4", "I1", "I2"] }, { type: "grabbed", seat: 0, die: 2 }], 0, "tale.grabbed.white.you", 0],
  ["who is done", [{ type: "passed", seat: 1 }], 0, "tale.passed", 0],
  ["points", [{ type: "scored", seat: 1, points: 3 }], 0, "tale.scored", 3],
  ["who gives it up", [{ type: "stopped", seat: 1 }], 0, "tale.gives_up", 0],
])("of the dice: %s", (_, events, mine, key, n) => {
  expect(tale(events, dicing, mine)).toMatchObject({ key, n });
});

it("tells only those to grab who still have an area to fill", () => {
  const events: AnyEvent[] = [{ type: "thrown", values: ["L4", "T4", "I1", "I2"] }];
  const filled = table({
    game: "dice",
    area: 2,
    seats: [seated("Ann", { points: [3, 2] }), seated("Bo", { points: [1] })],
  });
  expect([0, 1, null].map((mine) => tale(events, filled, mine)?.key)).toEqual([undefined, "tale.thrown", undefined]);
});

it("sends nobody to grab who has filled the area in the round just closed", () => {
  const opened = { round: 5, phase: "throw", limit: null, roller: 1, playoff: false, among: null } as const;
  const thrown: AnyEvent = { type: "thrown", values: ["L4", "T4", "I1", "I2"] };
  const mine: AnyEvent = { type: "scored", seat: 0, points: 3 };
  const all: AnyEvent[] = [mine, { type: "scored", seat: 1, points: 1 }];
  const keys = (area: number, scored: readonly AnyEvent[]) =>
    [0, 1].map((seat) => tale([...scored, { type: "round_opened", area, ...opened }, thrown], dicing, seat)?.key);
  expect(keys(1, [mine])).toEqual(["tale.scored.you", "tale.thrown"]);
  expect(keys(2, all)).toEqual(["tale.thrown", "tale.thrown"]);
});

// After a restart nobody is there to hear the event: only the welcome can tell.
it.each<[string, number | null, number, number | null, string | undefined]>([
  ["a round that lasts longer", 0, 4200, 60_000, "tale.resumed.longer"],
  ["for who comes only now", null, 4200, 60_000, "tale.resumed.longer"],
  ["where nothing runs out", 0, 4200, null, "tale.resumed"],
  ["a second time", 4200, 9000, 60_000, "tale.resumed.longer"],
  ["what has been told", 4200, 4200, 60_000, undefined],
  ["nothing", null, 0, 60_000, undefined],
])("an interruption: %s", (_, before, stood, limit, key) => {
  const told = interruption(before === null ? null : table({ stood: before }), table({ stood, limit }));
  expect(told?.key).toBe(key);
});

it("tells of an interruption until there is other news than who came and went", () => {
  const of = (key: string): Tale => ({ key, seat: 0, gems: [], n: 0 });
  const resumed = of("tale.resumed.longer");
  for (const key of ["tale.back", "tale.back.you", "tale.away", "tale.handed_over.you"])
    expect(newest(resumed, of(key))).toBe(resumed);
  expect(newest(resumed, null)).toBe(resumed);
  expect(newest(resumed, of("tale.first"))?.key).toBe("tale.first");
  expect(newest(of("tale.first"), of("tale.back"))?.key).toBe("tale.back");
  expect(newest(null, of("tale.back"))?.key).toBe("tale.back");
});

import { expect, it } from "vitest";
import type { AnyEvent } from "../src/protocol";
import { tale } from "../src/story";
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
  ["who is away", [{ type: "away", seat: 1, at: 4 }], 0, "tale.away", []],
])("%s", (_, events, mine, key, gems) => {
  const told = tale(events, before, mine);
  expect(told?.key).toBe(key);
  expect(told?.gems ?? []).toEqual(gems);
});

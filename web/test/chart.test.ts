import { describe, expect, it } from "vitest";
import type { LogLine } from "../src/api";
import { apart, byRound } from "../src/chart";
import { questions, usual } from "../src/options";
import { clockText, placesOf } from "../src/places";

const gem = (gem: "ruby" | "amber", target: number | "bag"): LogLine => ({
  at: 0,
  event: { type: "gem_moved", gem, source: "display", target },
});
const closed: LogLine = { at: 0, event: { type: "round_closed" } };

it("adds up gems by round, from a log", () => {
  expect(byRound([{ at: 0 }, gem("ruby", 0), closed, gem("amber", 1), gem("ruby", "bag"), closed], 2)).toEqual([
    [0, 4, 4],
    [0, 0, 1],
  ]);
});

it("adds up points by round, where a game scores", () => {
  const scored = (seat: number, points: number): LogLine => ({ at: 0, event: { type: "scored", seat, points } });
  expect(byRound([scored(0, 10), scored(1, 4), closed, scored(0, 0), scored(1, 7), closed], 2)).toEqual([
    [0, 10, 10],
    [0, 4, 11],
  ]);
});

describe("labels", () => {
  it.each([
    [
      [10, 50],
      [10, 50],
    ],
    [
      [10, 12],
      [10, 30],
    ],
    [
      [12, 10],
      [30, 10],
    ],
    [
      [10, 10, 10],
      [10, 30, 50],
    ],
  ])("at %j keep apart", (wanted, found) => {
    expect(apart(wanted, 20)).toEqual(found);
  });
});

it("says who called first", () => {
  expect(placesOf([{ called: 70 }, { called: null }, { called: 20 }])).toEqual([2, 0, 1]);
});

it.each([
  [0, "0:00"],
  [59_999, "0:59"],
  [61_000, "1:01"],
])("%i ms are %s", (millis, text) => {
  expect(clockText(millis)).toBe(text);
});

it("makes questions of a game's options, its default always among the answers", () => {
  const asked = questions({
    game: "extreme",
    seats: [2, 3, 4],
    levels: [],
    options: {
      properties: {
        side: { enum: [3, 4], default: 3 },
        hourglass_s: { type: "integer", default: 75 },
        auto_call: { type: "boolean", default: true },
        tie_ms: { type: "integer", default: 150 },
      },
    },
  });
  expect(asked.map(({ name, answers }) => [name, answers])).toEqual([
    ["side", [3, 4]],
    ["hourglass_s", [45, 60, 75, 90]],
    ["auto_call", [true, false]],
  ]);
  expect(usual(asked)).toEqual({ side: 3, hourglass_s: 75, auto_call: true });
});

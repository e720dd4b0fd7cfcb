import { describe, expect, it } from "vitest";
import { apart, fitted } from "../src/chart";
import { agreed, answered, questions } from "../src/options";
import { clockText, placesOf } from "../src/places";

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
    // Below the lowest line the rounds have their numbers.
    [
      [60, 60, 10],
      [40, 60, 10],
    ],
    [
      [30, 60, 60, 60],
      [0, 20, 40, 60],
    ],
  ])("at %j keep apart", (wanted, found) => {
    expect(apart(wanted, 20, 60)).toEqual(found);
  });
});

it.each([
  ["Medium bot", 10, "Medium bot"],
  ["Medium bot", 9, "Medium b…"],
  ["Medium bot", 8, "Medium…"],
  ["👩‍🚀👩‍🚀", 0, "👩…"],
])("of %s there is room for %i letters: %s", (name, room, text) => {
  expect(fitted(name, room, (one) => [...one].length)).toBe(text);
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
  const entry = {
    game: "extreme",
    seats: [2, 3, 4],
    levels: [],
    bots: {},
    editions: [],
    options: {
      properties: {
        side: { enum: [3, 4], default: 3 },
        hourglass_s: { type: "integer", default: 75 },
        auto_call: { type: "boolean", default: true },
        tie_ms: { type: "integer", default: 150 },
        areas: { enum: [5, 6], default: 6 },
      },
    },
  };
  const asked = questions(entry, 4);
  expect(asked.map(({ name, answers }) => [name, answers])).toEqual([
    ["side", [3, 4]],
    ["hourglass_s", [45, 60, 75, 90]],
    ["auto_call", [true, false]],
  ]);
  expect(answered(asked, { side: 4, areas: 5 })).toEqual({ side: 4, hourglass_s: 75, auto_call: true });
  expect(questions(entry, 2).map(({ name }) => name)).toContain("areas");
  expect(agreed("dice", { reveal: "start", ready_s: 9, tie_ms: 1 }, 4)).toEqual([["ready_s", 9]]);
});

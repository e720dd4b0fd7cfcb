import { describe, expect, it } from "vitest";
import { momentAt, moments, type ReplayLine } from "../src/timeline";
import { dayAfter, dayBefore, dayText } from "../src/dates";
import { byGrade, steps } from "../src/plot";
import type { Dot } from "../src/protocol";
import { fragmentOf, kindIn, kindOf } from "../src/records";
import { tale } from "../src/story";
import { running } from "../src/running";
import type { Options } from "../src/change";
import { table } from "./tables";

const dot = (grade: number, took: number): Dot => ({ game: "extreme", grade, difficulty: 10 * grade, took, ended: 0 });

describe("which records one looks at", () => {
  it.each([
    ["extreme-count-5-3", kindOf("extreme", "count", 5, 3)],
    ["extreme-clock-20-4", kindOf("extreme", "clock", 20, 4)],
    ["cards-count-10", kindOf("cards", "count", 10, 3)],
    ["dice-day", kindOf("dice", "day", 5, 3)],
    ["cubes-count-5-3-first", kindOf("cubes", "count", 5, 3, "off")],
  ])("is written as %s and read again", (fragment, kind) => {
    expect(fragmentOf(kind)).toBe(fragment);
    expect(kindIn(fragment)).toEqual(kind);
  });
  it("is as usual when the address says nothing, or something odd", () => {
    expect(kindIn("")).toEqual(kindOf("extreme", "count", 5, 3));
    expect(kindIn("chess-blitz-x")).toEqual(kindOf("extreme", "count", 5, 3));
  });
  it("has a side for boards only, and the die for 3-D only", () => {
    expect(kindOf("cards", "clock", 5, 4)).toMatchObject({ side: null, die: null });
    expect(kindOf("cubes", "clock", 5, 4, "off")).toMatchObject({ side: 4, die: "on" });
  });
});

describe("how long one takes", () => {
  it("has the middle time of each grade", () => {
    expect(byGrade([dot(2, 3000), dot(1, 10), dot(2, 1000), dot(2, 9000), dot(1, 30)])).toEqual([
      { grade: 1, count: 2, middle: 20 },
      { grade: 2, count: 3, middle: 3000 },
    ]);
  });
  it("stands between steps that hold all times", () => {
    expect(steps([7000, 45_000])).toEqual([5000, 10_000, 20_000, 30_000, 60_000]);
    expect(steps([100])).toEqual([1000, 2000]);
    expect(steps([9_000_000])).toEqual([3_600_000]);
  });
});

it("knows the days beside a day, over the end of a year", () => {
  expect(dayBefore("2027-01-01")).toBe("2026-12-31");
  expect(dayAfter("2028-02-28")).toBe("2028-02-29");
  expect(dayText("2026-11-15", "de")).toBe("15. November 2026");
});

it("shows of a ghost what it had done by then", () => {
  const line = (at: number): ReplayLine => ({ at, events: [], table: {} });
  const all = moments([line(0), line(500), line(500), line(90_000)]);
  expect([-1, 499, 500, 89_999, 90_000].map((at) => momentAt(all, at))).toEqual([0, 0, 2, 2, 3]);
});

describe("alone", () => {
  const solo = (options: Partial<Options>, more: object) =>
    table({ game: "solo", options: { ...table({}).options, of: "extreme", ...options }, ...more });
  const clock = solo({ mode: "clock", minutes: 5 }, { limit: 300_500, began: 500 });
  it("the clock runs over all tasks", () => {
    expect(running(clock)).toEqual({ ends: 300_500, runs: 300_000 });
    expect(running(solo({ mode: "count" }, { limit: 30 }))).toBeNull();
  });
  it("it is told how the tasks go, not who came first", () => {
    const done = [
      { type: "called", seat: 0, at: 9 },
      { type: "scored", seat: 0, points: 1 },
      { type: "started", at: 9, limit: null },
    ] as const;
    expect(tale(done, clock, 0)?.key).toBe("tale.solved");
    expect(tale([{ type: "hinted", seat: 0, piece: null, wrong: [1], again: false }], clock, 0)?.key).toBe(
      "tale.hint.wrong",
    );
  });
});

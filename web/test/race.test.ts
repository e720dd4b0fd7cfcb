import { describe, expect, it } from "vitest";
import type { SoloRun, Split } from "../src/protocol";
import { timesOf, verdict } from "../src/race";

const run = (of: string, mode: string, took: number | null, solved = 5, rounds = 5): SoloRun => ({
  kind: { of, mode, minutes: null, tasks: 5, side: 3, die: null },
  day: "",
  scored: true,
  solved,
  rounds,
  took,
  ended: 0,
});
const split = (board: string, took: number, solved = true): Split => ({
  took,
  solved,
  task: { pieces: [board], region: null, board, number: "", face: "up" },
  laid: [],
});

describe("a race against an earlier run", () => {
  it("is won by time", () => {
    expect(verdict(run("extreme", "count", 21_000), run("extreme", "count", 30_000))).toEqual({
      unit: "time",
      by: -9000,
    });
  });
  it("is won by boards against the clock", () => {
    expect(verdict(run("extreme", "clock", 300_000, 4), run("extreme", "clock", 300_000, 6))).toEqual({
      unit: "solved",
      by: 2,
    });
  });
  it("is won by rounds with dice, and by time where those are equal", () => {
    expect(verdict(run("dice", "count", 9000, 5, 12), run("dice", "count", 5000, 5, 14))).toEqual({
      unit: "rounds",
      by: -2,
    });
    expect(verdict(run("dice", "count", 9000), run("dice", "count", 5000))).toEqual({ unit: "time", by: 4000 });
  });
  it("is not won where somebody gave up", () => {
    expect(verdict(run("extreme", "count", null), run("extreme", "count", 1))).toBeNull();
    expect(verdict(run("extreme", "count", 1), run("extreme", "count", null))).toBeNull();
  });
  it("compares the same boards, though some were set aside", () => {
    const mine = [split("a", 10), split("b", 20, false), split("c", 30)];
    const theirs = [split("a", 15, false), split("b", 25), split("c", 35), split("a", 45)];
    expect(timesOf(mine, theirs)).toEqual([45, null, 35]);
    expect(timesOf(mine, [])).toEqual([null, null, null]);
  });
});

import { describe, expect, it } from "vitest";
import type { RoundResult } from "../src/protocol";
import { marginOf, ranking } from "../src/result";

const had = (called: number | null, laid = 0, points: number | null = null): RoundResult =>
  ({
    task: null,
    laid: Array<unknown>(laid).fill(null),
    wrong: [],
    called,
    gems: [],
    points,
  }) as unknown as RoundResult;

describe("the order of a result", () => {
  it.each<[string, RoundResult[], number[]]>([
    ["by the call", [had(9), had(null), had(4)], [2, 0, 1]],
    ["then by what lies", [had(null, 1), had(null, 3), had(9, 3)], [2, 1, 0]],
    ["by points where there are some", [had(null, 6, 6), had(8, 7, 10), had(null, 7, 0)], [1, 0, 2]],
    ["else as they sit", [had(null), had(null)], [0, 1]],
  ])("is %s", (_, last, order) => {
    expect(ranking(last)).toEqual(order);
  });
});

describe("the margin", () => {
  const last = [had(5400), had(null), had(5000), had(7000)];
  it.each([
    [2, { ahead: true, other: 0, by: 400 }],
    [0, { ahead: false, other: 2, by: 400 }],
    [3, { ahead: false, other: 0, by: 1600 }],
    [1, null],
  ])("of seat %i", (seat, margin) => {
    expect(marginOf(last, seat)).toEqual(margin);
  });
  it("is none for the only one", () => {
    expect(marginOf([had(5), had(null)], 0)).toBeNull();
  });
});

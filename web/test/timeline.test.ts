import { expect, it } from "vitest";
import { indexAt, marks, moments, timeAt, type ReplayLine } from "../src/timeline";
import { seated, table } from "./tables";

const { host: _, next: __, ...opening } = table({ phase: "ready" });
const lines: ReplayLine[] = [
  { at: 0, events: [], table: opening as unknown as ReplayLine["table"] },
  { at: 1000, events: [{ type: "started", at: 1000, limit: null }], table: { phase: "play" } },
  {
    at: 61_000,
    events: [
      { type: "called", seat: 1, at: 61_000 },
      { type: "gem_moved", gem: "ruby", source: "bag", target: 1 },
    ],
    table: { seats: { 1: { called: 61_000, gems: ["ruby"] } } },
  },
  { at: 61_000, events: [{ type: "round_closed", round: 1 }], table: { phase: "ready", round: 2 } },
  { at: 61_500, events: [{ type: "started", at: 61_500, limit: null }], table: { phase: "play" } },
];
const all = moments(lines);

it("adds up what changed, and leaves the moments before as they were", () => {
  expect(all.map((one) => one.table.phase)).toEqual(["ready", "play", "play", "ready", "play"]);
  expect(all[1]?.table.seats).toEqual([seated("Ann"), seated("Bo")]);
  expect(all[4]?.table.seats[1]).toEqual(seated("Bo", { called: 61_000, gems: ["ruby"] }));
});

it("tells what happened, the newest of it", () => {
  expect(all.map((one) => one.tale?.key)).toEqual([
    undefined,
    "tale.started",
    "tale.first",
    "tale.first",
    "tale.started",
  ]);
});

it("shortens long waits, and gives a result its time", () => {
  expect(all.map((one) => one.shown)).toEqual([0, 1000, 4000, 4001, 7001]);
});

it.each([
  [0, 0, 0],
  [999, 0, 999],
  [1000, 1, 1000],
  [2500, 1, 31_000],
  [4000, 2, 61_000],
  [5501, 3, 61_250],
  [9999, 4, 61_500],
])("at %d it shows moment %d, the match's time is %d", (shown, index, time) => {
  expect(indexAt(all, shown)).toBe(index);
  expect(timeAt(all, shown)).toBe(time);
});

it("marks where rounds begin", () => {
  expect(marks(all)).toEqual([
    { round: 1, playoff: false, shown: 1000 },
    { round: 2, playoff: false, shown: 7001 },
  ]);
});

it("begins with what was dealt, since a table is opened empty", () => {
  const task = { pieces: ["blue-1"], region: null, board: "1", number: "", face: "down" } as const;
  const dealt: ReplayLine = { at: 0, events: [{ type: "dealt", seat: 0, task }], table: { seats: { 0: { task } } } };
  const begun = moments([...lines.slice(0, 1), dealt, ...lines.slice(1)]);
  expect(begun.map((one) => one.shown)).toEqual(all.map((one) => one.shown));
  expect(begun[0]?.table.seats[0]?.task).toEqual(task);
});

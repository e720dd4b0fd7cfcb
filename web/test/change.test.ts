import { describe, expect, it } from "vitest";
import { ahead, changed, unanswered, type Part, type Pending } from "../src/change";
import type { AnyMove, Placement } from "../src/protocol";
import { seated, table } from "./tables";

const P = (piece: number, turn = 0): Placement => ({ piece, turn, at: [1, 2] });

describe("changed", () => {
  const before = table({ round: 3, seats: [seated("Ann"), seated("Bo")] });

  it.each<[string, Part, (after: typeof before) => unknown, unknown]>([
    ["a field is replaced whole", { round: 4 }, ({ round }) => round, 4],
    ["null is a value", { glass: null }, ({ glass }) => glass, null],
    ["what is not there stays", { round: 4 }, ({ seats }) => seats, before.seats],
    ["a seat is told by its fields", { seats: { 1: { ready: true } } }, ({ seats }) => seats[1]?.ready, true],
    ["its other fields stay", { seats: { 1: { ready: true } } }, ({ seats }) => seats[1]?.name, "Bo"],
    ["other seats stay", { seats: { 1: { ready: true } } }, ({ seats }) => seats[0], before.seats[0]],
    ["the lobby's facts too", { host: 1 }, ({ host }) => host, 1],
  ])("%s", (_, part, of, expected) => {
    expect(of(changed(before, part))).toEqual(expected);
  });

  it("changes nothing that it was given", () => {
    const copy = structuredClone(before);
    changed(before, { round: 9, seats: { 0: { name: "Cy" } } });
    expect(before).toEqual(copy);
  });
});

describe("unanswered", () => {
  const pending: Pending[] = [1, 2, 3].map((n) => ({ n, move: { type: "ready" } }));

  it.each<[number | null, number[]]>([
    [null, [1, 2, 3]],
    [0, [1, 2, 3]],
    [2, [3]],
    [9, []],
  ])("after %s was acked", (acked, left) => {
    expect(unanswered(pending, acked).map(({ n }) => n)).toEqual(left);
  });
});

describe("ahead", () => {
  it.each<[string, Placement[], AnyMove[], Placement[]]>([
    ["nothing asked", [P(0)], [], [P(0)]],
    ["a piece laid", [P(0)], [{ type: "place", ...P(1) }], [P(0), P(1)]],
    ["a piece moved lies once", [P(0), P(1)], [{ type: "place", ...P(0, 3) }], [P(1), P(0, 3)]],
    ["a piece lifted", [P(0), P(1)], [{ type: "lift", piece: 0 }], [P(1)]],
    [
      "laid and lifted again",
      [],
      [
        { type: "place", ...P(1) },
        { type: "lift", piece: 1 },
      ],
      [],
    ],
    ["a call lays nothing", [P(0)], [{ type: "call" }], [P(0)]],
  ])("%s", (_, laid, moves, expected) => {
    const now = table({ seats: [seated("Ann"), seated("Bo", { laid })] });
    const asked = moves.map((move, i) => ({ n: i + 1, move }));
    expect(ahead(now, 1, asked).seats[1]?.laid).toEqual(expected);
    expect(ahead(now, 1, asked).seats[0]).toBe(now.seats[0]);
  });

  it("leaves a spectator's table as it is", () => {
    const now = table({});
    expect(ahead(now, null, [{ n: 1, move: { type: "ready" } }])).toBe(now);
  });
});

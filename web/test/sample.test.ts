import { expect, it } from "vitest";
import { outline } from "../src/geometry";
import { HEX } from "../src/lattice";
import { pieces, region } from "../src/sample";

it("has four pieces and the region that they fill", () => {
  expect(pieces.map((cells) => cells.length)).toEqual([4, 4, 5, 5]);
  expect(region).toHaveLength(18);
});

it("has pieces that lie apart", () => {
  expect(new Set(region.map(String)).size).toBe(region.length);
});

it.each([["the region", region] as const, ...pieces.map((cells, i) => [`piece ${i}`, cells] as const)])(
  "is one whole without a hole: %s",
  (_, cells) => {
    expect(outline(cells, HEX).loops).toHaveLength(1);
  },
);

it("starts at 0 on both axes, as regions do", () => {
  expect(Math.min(...region.map(([q]) => q))).toBe(0);
  expect(Math.min(...region.map(([, r]) => r))).toBe(0);
});

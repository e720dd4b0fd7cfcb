/** The table's time at eight times the speed: the server tells of it in jumps, the page runs evenly (T7a). */

import { beforeEach, describe, expect, it } from "vitest";
import { ServerClock } from "../src/clock.svelte";

let mine = 0;
beforeEach(() => {
  mine = 0;
});

/** Our time passes in steps of a frame or so; what the clock says after each. */
function watched(clock: ServerClock, millis: number): number[] {
  const shown: number[] = [];
  for (const end = mine + millis; mine < end; shown.push(clock.now())) mine += 10;
  return shown;
}
const largestStep = (shown: readonly number[]): number =>
  Math.max(...shown.slice(1).map((now, i) => now - (shown[i] ?? now)));
const smallestStep = (shown: readonly number[]): number =>
  Math.min(...shown.slice(1).map((now, i) => now - (shown[i] ?? now)));

describe("at eight times the speed", () => {
  it("runs evenly over the jumps of which it is told", () => {
    const clock = new ServerClock(() => mine);
    clock.reset(20_000);
    clock.run(8);
    const shown: number[] = [];
    for (let jump = 0; jump < 5; jump++) {
      // A bot moves 8 s later: after a second of ours, when the other seven are skipped.
      shown.push(...watched(clock, 1000));
      clock.skip(7000);
    }
    expect(largestStep(shown)).toBe(80);
    expect(smallestStep(shown)).toBe(80);
    expect(clock.now()).toBe(60_000);
  });

  it("neither jumps far nor goes back where a jump comes late or early", () => {
    const clock = new ServerClock(() => mine);
    clock.reset(0);
    clock.run(8);
    const shown: number[] = [];
    for (const late of [40, -40, 20, 0, -20]) {
      shown.push(...watched(clock, 1000 + late));
      // The match is where the server is, however long its news was under way.
      clock.skip(7000 - late);
    }
    expect(smallestStep(shown)).toBeGreaterThanOrEqual(0);
    expect(largestStep(shown)).toBeLessThanOrEqual(80 + 8 * 40);
    clock.run(1);
    expect(clock.now()).toBe(40_000);
  });

  it("is over with a new welcome, and at the usual speed time is the server's", () => {
    const clock = new ServerClock(() => mine);
    clock.reset(0);
    clock.run(8);
    watched(clock, 500);
    expect(clock.now()).toBe(4000);
    clock.reset(1000);
    expect(clock.now()).toBe(1000);
    clock.run(1);
    clock.skip(5000);
    mine += 100;
    expect(clock.now()).toBe(6100);
  });
});

it("says how long to wait for the next second, so that none is left out", () => {
  const clock = new ServerClock(() => mine);
  clock.reset(0);
  clock.run(8);
  const shown: number[] = [];
  for (let jump = 0; jump < 3; jump++) {
    for (const end = mine + 1000; mine < end;) {
      const seconds = Math.floor(clock.now() / 1000);
      shown.push(seconds);
      mine += clock.wait((seconds + 1) * 1000 - clock.now());
    }
    clock.skip(7000);
  }
  expect(shown).toEqual(Array.from({ length: 24 }, (_, i) => i));
});

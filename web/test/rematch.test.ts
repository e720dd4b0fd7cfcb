import { beforeEach, describe, expect, it, vi } from "vitest";
import { forgetPlayed, keepPlayed, lastPlayed, offered } from "../src/rematch";

const kept = new Map<string, string>();
beforeEach(() => {
  kept.clear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
});

const seats = ["Ann", "Bo"].map((name) => ({ name, bot: null, present: true, gone: false }));
const OVER = { phase: "over", seat: 0, seats, next: "new", next_by: 1 };
const free = { name: "", bot: null, present: false, gone: false };
const GATHERS: Entry = { phase: "gather", seat: null, seats: [free, ...seats.slice(1)], next: null, next_by: null };
type Entry = Omit<typeof OVER, "seat" | "next" | "next_by"> & {
  seat: number | null;
  next: string | null;
  next_by: number | null;
};
const found = (old: Entry, rematch: Entry | null) =>
  offered("old", (table) =>
    table === "old" ? Promise.resolve(old) : rematch === null ? Promise.reject(new Error()) : Promise.resolve(rematch),
  );

describe("a rematch", () => {
  it("awaits who has gone elsewhere", async () => {
    expect(await found(OVER, GATHERS)).toEqual({ table: "new", of: "old", name: "Bo" });
  });
  it.each<[string, Entry, Entry | null]>([
    ["nobody has asked for one", { ...OVER, next: null, next_by: null }, GATHERS],
    ["they have asked for it themselves", { ...OVER, next_by: 0 }, GATHERS],
    ["somebody else uses this browser now", { ...OVER, seat: null }, GATHERS],
    ["it is over", OVER, { ...GATHERS, phase: "over" }],
    ["it is played without them", OVER, { ...GATHERS, phase: "play" }],
    ["they have a seat there already", OVER, { ...GATHERS, seat: 0 }],
    ["every seat is taken", OVER, { ...GATHERS, seats }],
    ["it was closed", OVER, null],
  ])("does not where %s", async (_, old, rematch) => {
    expect(await found(old, rematch)).toBeNull();
  });
});

describe("the match that was played last", () => {
  it("is remembered for a while, until they have answered", () => {
    expect(lastPlayed()).toBeNull();
    keepPlayed("old", 1000);
    expect(lastPlayed(2000)).toBe("old");
    expect(lastPlayed(1000 + 30 * 60_000)).toBeNull();
    keepPlayed("old");
    forgetPlayed();
    expect(lastPlayed()).toBeNull();
  });
  it("is not where storage is off", () => {
    vi.stubGlobal("localStorage", undefined);
    keepPlayed("old");
    expect(lastPlayed()).toBeNull();
    forgetPlayed();
  });
});

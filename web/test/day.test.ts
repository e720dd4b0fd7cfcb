import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { chartOf, hexagonsOf } from "../src/day/histogram";
import { durationText, gridText, shareText, spokenText, type Step } from "../src/day/share";
import { calendarOf, dayOf } from "../src/dates";
import { speak, withWords } from "../src/i18n/index.svelte";
import { ordinalText, placeText, placeWord } from "../src/ordinal";
import type { DayResult, SoloRun } from "../src/protocol";
import type { Language } from "../src/settings.svelte";

const run = (of: string, took: number, rounds = 1): SoloRun => ({
  kind: { of, mode: "day", minutes: null, tasks: null, side: null, die: null },
  day: "2026-11-16",
  scored: true,
  solved: 1,
  rounds,
  took,
  ended: 0,
});
const result = (change: Partial<DayResult> = {}): DayResult => ({
  day: "2026-11-16",
  of: "extreme",
  run: run("extreme", 34_500),
  place: 3,
  people: 41,
  slower: 38,
  median: 48_000,
  histogram: { start: 20_000, width: 5000, counts: [1, 1, 2], mine: 2 },
  calendar: { today: "2026-11-16", streak: 12, longest: 23, days: [] },
  ...change,
});
const STEPS: Step[] = ["thought", "stayed", "thought", "back", "thought", "stayed", "stayed"];

beforeAll(() => withWords(Promise.resolve()));
afterAll(() => speak("en"));

describe.each<[Language, string, string, string]>([
  ["en", "1st 2nd 3rd 4th 11th 21st", "3rd of 41", "Solved in 34 seconds, third of 41. One piece taken back."],
  ["de", "1. 2. 3. 4. 11. 21.", "Platz 3 von 41", "In 34 Sekunden gelöst, Platz 3 von 41. Ein Teil zurückgenommen."],
  [
    "pl",
    "1. 2. 3. 4. 11. 21.",
    "3. miejsce z 41",
    "Rozwiązane w 34 sekundy, trzecie miejsce z 41. Jeden element cofnięty.",
  ],
])("in %s", (language, ordinals, place, spoken) => {
  beforeEach(() => speak(language));
  it("counts places as people do", () => {
    expect([1, 2, 3, 4, 11, 21].map(ordinalText).join(" ")).toBe(ordinals);
    expect(placeText(3, 41)).toBe(place);
    expect(placeWord(12)).toMatch(/^12/);
  });
  it("can be read aloud", () => {
    expect(spokenText(result(), 1)).toBe(spoken);
    expect(spokenText(result(), 0)).toBe(spoken.slice(0, spoken.indexOf(". ") + 1));
  });
});

describe("what is shared", () => {
  beforeEach(() => speak("en"));
  it("tells the story in squares and in words, and ends with the link", () => {
    const timeline = { step_s: 5, steps: STEPS, taken_back: 1 };
    const text = shareText([{ result: result(), timeline }], "https://play.example/#day");
    expect(text.split("\n")).toEqual([
      "Ubongo · Puzzle of the day, Extreme · November 16, 2026",
      "⬜🟩⬜🟧⬜🟩🟩",
      "Solved in 34 seconds, third of 41. One piece taken back.",
      "12 days in a row",
      "https://play.example/#day",
    ]);
  });
  it("tells each game's story the same way where several were solved", () => {
    const extreme = { result: result(), timeline: { step_s: 5, steps: STEPS, taken_back: 1 } };
    const dice = {
      result: result({ of: "dice", run: run("dice", 90_000, 7), place: 1 }),
      timeline: { step_s: 5, steps: ["stayed"] satisfies Step[], taken_back: 0 },
    };
    const [title, , ...lines] = shareText([extreme, dice], "https://play.example/#day").split("\n");
    expect(title).toBe("Ubongo · Puzzles of the day · November 16, 2026");
    expect(lines).toEqual([
      "Extreme",
      ...shareText([extreme], "").split("\n").slice(1, 3),
      "",
      "Dice game",
      ...shareText([dice], "").split("\n").slice(1, 3),
      "",
      "12 days in a row",
      "https://play.example/#day",
    ]);
  });
  it("is in rows where there are many squares", () => {
    const rows = gridText(Array<Step>(24).fill("thought")).split("\n");
    expect(rows.map((row) => [...row].length)).toEqual([12, 12]);
  });
  it("does not call one of one a place", () => {
    expect(spokenText(result({ place: 1, people: 1 }), 0)).toBe("Solved in 34 seconds, first today.");
  });
  it("counts rounds with dice", () => {
    expect(spokenText(result({ run: run("dice", 90_000, 7) }), 0)).toBe("Solved in 7 rounds, third of 41.");
  });
  it.each([
    [0, "0 seconds"],
    [1999, "1 second"],
    [60_000, "1 minute"],
    [125_000, "2 minutes and 5 seconds"],
  ])("says %i ms in words", (millis, text) => {
    expect(durationText(millis)).toBe(text);
  });
});

describe("everybody's times", () => {
  it("has a hexagon each, and room about one alone", () => {
    const chart = chartOf({ start: 34_000, width: 1000, counts: [1], mine: 0 }, false);
    expect(chart.bars).toBe(false);
    expect(chart.columns).toHaveLength(10);
    expect(chart.columns.filter(({ count }) => count > 0)).toEqual([{ count: 1, mine: true, label: "0:34" }]);
  });
  it("never begins before nothing", () => {
    const chart = chartOf({ start: 1000, width: 1000, counts: [1], mine: 0 }, false);
    expect(chart.columns[0]?.label).toBe("0:00");
    expect(chart.columns.findIndex(({ mine }) => mine)).toBe(1);
  });
  it("drops row by row, and mine last", () => {
    const chart = chartOf({ start: 0, width: 1000, counts: [2, 1, 2, 0, 0, 0, 0, 0, 0, 0], mine: 0 }, false);
    expect(hexagonsOf(chart).map(({ column, row, mine }) => `${column}.${row}${mine ? "!" : ""}`)).toEqual([
      "0.0",
      "1.0",
      "2.0",
      "2.1",
      "0.1!",
    ]);
  });
  it("has bars where there are very many", () => {
    expect(chartOf({ start: 0, width: 1000, counts: [13], mine: 0 }, false).bars).toBe(true);
    expect(chartOf({ start: 0, width: 1000, counts: Array<number>(12).fill(17), mine: 3 }, false).bars).toBe(true);
  });
  it("counts rounds with dice", () => {
    const { columns } = chartOf({ start: 5, width: 1, counts: [1, 2, 1], mine: 1 }, true);
    expect(columns.map(({ label }) => label).filter((label) => label !== "")).toEqual(["2", "4", "6", "8", "10"]);
  });
});

describe("days", () => {
  it("are twelve weeks from their Mondays on", () => {
    // A Monday.
    const weeks = calendarOf("2026-11-16", [{ day: "2026-11-15", solved: 2 }]);
    expect(weeks.map((week) => week.length)).toEqual([...Array<number>(11).fill(7), 1]);
    expect(weeks[0]?.[0]?.day).toBe("2026-08-31");
    expect(weeks[10]?.[6]).toEqual({ day: "2026-11-15", solved: 2 });
    expect(weeks[11]).toEqual([{ day: "2026-11-16", solved: 0 }]);
    expect(calendarOf("2026-11-15", []).map((week) => week.length)).toEqual(Array<number>(12).fill(7));
  });
  it("are the reader's own", () => {
    const noon = new Date(2026, 2, 1, 12).getTime();
    expect(dayOf(new Date(2026, 2, 1, 0, 1).getTime(), noon)).toBe("today");
    expect(dayOf(new Date(2026, 1, 28, 23, 59).getTime(), noon)).toBe("yesterday");
    expect(dayOf(new Date(2026, 1, 27, 23, 59).getTime(), noon)).toBe("earlier");
  });
});

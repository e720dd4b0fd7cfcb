import { describe, expect, it } from "vitest";
import type { RoundResult } from "../src/protocol";
import { remark, type RoundFacts } from "../src/remark";
import en from "../src/i18n/en.json";

const had = (called: number | null, more: Partial<RoundResult> = {}): RoundResult =>
  ({ task: {}, laid: [1, 2, 3], wrong: [], called, gems: [], points: null, ...more }) as unknown as RoundResult;
const laid = (n: number): Partial<RoundResult> => ({
  laid: Array<unknown>(n).fill(null) as unknown as RoundResult["laid"],
});

const facts = (more: Partial<RoundFacts>): RoundFacts => ({
  game: "extreme",
  round: 3,
  me: 0,
  names: ["Ann", "Bo", "Cy"],
  last: [had(20_000), had(24_000), had(null, laid(1))],
  started: 0,
  sand: 60_000,
  totals: [9, 5, 2],
  reached: [[], [], []],
  mine: null,
  draws: true,
  goal: 3,
  ...more,
});

describe("what is said of a round", () => {
  it.each<[string, Partial<RoundFacts>, string, object]>([
    [
      "a photo finish",
      { me: 2, last: [had(20_000), had(20_040)] },
      "said.photo",
      { first: "Ann", second: "Bo", time: "0.04" },
    ],
    [
      "a last piece that turned it",
      { reached: [[0, 1000, 17_500], [0, 900, 16_100], []] },
      "said.comeback",
      { name: "Bo", n: 2, mine: "2.5", theirs: "7.9" },
    ],
    [
      "a last piece that turned it, for the other",
      { me: 1, reached: [[0, 1000, 17_500], [0, 900, 16_100], []] },
      "said.overtaken",
      { name: "Ann", n: 2, mine: "7.9", theirs: "2.5" },
    ],
    ["the last sand", { last: [had(null, laid(0)), had(57_600)] }, "said.sand", { name: "Bo", n: 2 }],
    ["who came closest", { last: [had(null, laid(1)), had(null, laid(2))] }, "said.short", { name: "Bo", n: 1 }],
    ["that it was me", { last: [had(null, laid(2)), had(null, laid(2))] }, "said.short.you", { name: "Ann", n: 1 }],
    [
      "six cards",
      { game: "cards", goal: 7, last: [had(9000, laid(7)), had(null, laid(6))] },
      "said.six",
      { name: "Bo" },
    ],
    ["a ruby", { last: [had(20_000, { gems: ["sapphire", "ruby"] }), had(24_000)] }, "said.ruby.you", { name: "Ann" }],
    [
      "my best round, with points",
      { game: "cards", goal: 7, mine: [4, 7], last: [had(9000, { points: 10 }), had(null, laid(3))] },
      "said.best",
      { n: 10 },
    ],
    ["a quick piece", { round: 2, reached: [[0, 4000], [0, 800], []] }, "said.piece", { name: "Bo", time: "0.8" }],
    ["who leads", {}, "said.leads.you", { name: "Ann", n: 4 }],
    [
      "who has taken the lead",
      { totals: [9, 8, 2], last: [had(20_000, { gems: ["sapphire"] }), had(24_000), had(null)] },
      "said.takes_lead.you",
      { name: "Ann", n: 9 },
    ],
    ["that nobody leads", { totals: [9, 9, 2] }, "said.level", { n: 9 }],
  ])("tells of %s", (_, more, key, values) => {
    expect(remark(facts(more))).toEqual({ key, values });
    expect(key in en).toBe(true);
  });

  it("is nothing where nothing has happened", () => {
    expect(remark(facts({ last: [had(null, laid(0)), had(null, laid(0))], totals: [0, 0] }))).toBeNull();
  });

  it("is not the same in every round", () => {
    const calm = { reached: [[0, 4000], [0, 800], []], draws: false };
    expect(remark(facts({ ...calm, round: 2 }))?.key).not.toBe(remark(facts({ ...calm, round: 3 }))?.key);
  });

  it("does not take a ruby for luck where gems go by place", () => {
    const last = [had(20_000, { gems: ["ruby"] }), had(24_000, { gems: ["sapphire"] })];
    expect(remark(facts({ draws: false, last }))?.key).toBe("said.leads.you");
  });

  it("does not praise who called wrongly", () => {
    const last = [had(20_000, { wrong: [2] }), had(20_010), had(null, laid(0))];
    expect(remark(facts({ last }))?.key).not.toBe("said.photo");
  });
});

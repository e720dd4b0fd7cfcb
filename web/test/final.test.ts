import { describe, expect, it } from "vitest";
import { headline, leadOf, standingsOf, story } from "../src/final";
import { seated, table } from "./tables";

const three = [seated("Ann"), seated("Bo"), seated("Cy")];
const over = { phase: "over", seats: three, round: 9 } as const;

it("gives places, shared ones to all who share them", () => {
  const found = standingsOf(table({ ...over, standing: [[2], [0, 1]], totals: [20, 20, 30] }));
  expect(found.map(({ seat, place, total }) => [seat, place, total])).toEqual([
    [2, 1, 30],
    [0, 2, 20],
    [1, 2, 20],
  ]);
});

describe("the headline", () => {
  const won = table({ ...over, standing: [[1], [0], [2]], totals: [34, 36, 25] });
  it("says by how much", () => {
    expect(headline(won, 1)).toEqual({ key: "final.you_win.by", values: { name: "Bo", n: 2 } });
    expect(headline(won, 0)).toEqual({ key: "final.wins.by", values: { name: "Bo", n: 2 } });
    expect(headline(won, null).key).toBe("final.wins.by");
  });
  it("tells of a shared win", () => {
    const shared = table({ ...over, standing: [[0, 1], [2]], totals: [9, 9, 1] });
    expect(headline(shared, 0)).toEqual({ key: "final.shared", values: { names: "Ann, Bo" } });
  });
  it("tells of a play-off", () => {
    expect(headline({ ...won, playoff: true }, 1).key).toBe("final.you_win.playoff");
    expect(headline({ ...won, playoff: true }, 0).key).toBe("final.wins.playoff");
  });
  it("counts nobody who has left", () => {
    const seats = [seated("Ann"), seated("Bo", { gone: true })];
    const left = table({ ...over, seats, standing: [[0], [1]], totals: [3, 12] });
    expect(headline(left, 0).key).toBe("final.you_win");
  });
  it("is no margin where points are equal", () => {
    const tens = table({ ...over, game: "cards", standing: [[0], [1], [2]], totals: [30, 30, 8] });
    expect(headline(tens, 0).key).toBe("final.you_win");
    expect(story(tens, [[0], [0], [0]], 0)?.key).toBe("final.tens");
  });
});

describe("the lead", () => {
  it.each([
    [
      "changed once",
      [
        [0, 1, 2, 9],
        [0, 3, 5, 6],
      ],
      0,
      { seat: 1, until: 2 },
    ],
    [
      "was always the winner’s",
      [
        [0, 4, 5],
        [0, 1, 2],
      ],
      0,
      { seat: 0, until: null },
    ],
    [
      "was another’s only at first",
      [
        [0, 1, 4, 6, 9],
        [0, 3, 3, 4, 5],
      ],
      0,
      null,
    ],
    [
      "was shared at first",
      [
        [0, 3, 5],
        [0, 3, 4],
      ],
      0,
      null,
    ],
    [
      "is still another’s, who has left",
      [
        [0, 1, 2],
        [0, 3, 5],
      ],
      0,
      null,
    ],
    [
      "is nothing to tell of after one round",
      [
        [0, 1],
        [0, 0],
      ],
      0,
      null,
    ],
  ])("%s", (_, points, winner, lead) => {
    expect(leadOf(points, winner)).toEqual(lead);
  });
  it("is told of me as of me, and by area with dice", () => {
    const points = [
      [0, 1, 9],
      [0, 2, 3],
      [0, 0, 0],
    ];
    const won = table({ ...over, standing: [[0], [1], [2]], totals: [9, 3, 0] });
    expect(story(won, points, 1)).toEqual({ key: "final.led.you", values: { name: "Bo", round: 1 } });
    expect(story({ ...won, area: 6 }, points, 0)?.key).toBe("final.led.area");
    expect(story({ ...won, playoff: true }, points, 0)?.key).toBe("final.level");
    expect(story({ ...won, standing: [[0, 1], [2]] }, points, 0)).toBeNull();
  });
});

import { expect, it } from "vitest";

import { agreed, answered, questions } from "../src/options";

const seconds = (of: number) => ({ type: "integer", default: of });
const dice = {
  game: "dice",
  seats: [2, 3, 4],
  levels: [],
  bots: {},
  editions: [],
  options: {
    properties: { first_seat: seconds(0), grab_s: seconds(20), enter_s: seconds(90), ready_s: seconds(30) },
  },
};
const cubes = {
  ...dice,
  game: "cubes",
  options: { properties: { die: { enum: ["on", "off"], default: "on" }, first_seat: seconds(0) } },
};
const people = new Map([
  [0, "Ann"],
  [2, "Cy"],
]);
const names = (asked: readonly { readonly name: string }[]): string[] => asked.map(({ name }) => name);

it("offers no limit last, wherever there can be none", () => {
  expect(Object.fromEntries(questions(dice, 4).map(({ name, answers }) => [name, answers]))).toEqual({
    first_seat: [],
    grab_s: [10, 20, 30, 0],
    enter_s: [60, 90, 180, 0],
    ready_s: [15, 30, 60, 0],
  });
});

it("asks who throws first of those who are there", () => {
  const asked = questions(dice, 4, { companion: true }, people);
  expect(asked).toEqual([{ name: "first_seat", answers: [0, 2], usual: 0 }]);
  expect(answered(asked, { first_seat: 2 })).toEqual({ first_seat: 2 });
});

it("lets nobody throw first who is not known yet", () => {
  expect(answered(questions(dice, 4, { companion: true }), { first_seat: 2 })).toEqual({ first_seat: 0 });
});

it("asks who throws first only where somebody throws", () => {
  expect(names(questions(cubes, 4, {}, people))).toEqual(["die", "first_seat"]);
  expect(names(questions(cubes, 4, { die: "off" }, people))).toEqual(["die"]);
  expect(names(questions({ ...cubes, game: "extreme" }, 4, {}, people))).toEqual(["die"]);
  expect(agreed("cubes", { die: "on", first_seat: 1 }, 4)).toEqual([
    ["die", "on"],
    ["first_seat", 1],
  ]);
  expect(agreed("cards", { first_seat: 1 }, 4)).toEqual([]);
});

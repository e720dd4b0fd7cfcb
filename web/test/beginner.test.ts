import { beforeEach, expect, it } from "vitest";
import { beginnersOptions } from "../src/beginner";
import { finish, settings } from "../src/settings.svelte";

beforeEach(() => {
  settings.finished = [];
});

it("shows wrong cards at once until a match was finished", () => {
  expect(beginnersOptions("cards")).toEqual({ checking: "live" });
  finish("extreme");
  expect(beginnersOptions("cards")).toEqual({ checking: "live" });
  finish("cards");
  finish("cards");
  expect(settings.finished).toEqual(["extreme", "cards"]);
  expect(beginnersOptions("cards")).toEqual({});
});

it("leaves other games as they are", () => {
  for (const game of ["extreme", "dice", "cubes"] as const) expect(beginnersOptions(game)).toEqual({});
});

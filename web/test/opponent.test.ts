import { describe, expect, it } from "vitest";
import { after, botsAt, opponentOf, playing, suggested, type Opponent } from "../src/opponent";

const LEVELS = ["beginner", "easy", "medium", "hard", "expert"];
const NEW = opponentOf(LEVELS, undefined);

const match = (opponent: Opponent, won: boolean): Opponent => after(opponent, botsAt(LEVELS, opponent.level), won);
const wins = (opponent: Opponent, number: number): Opponent =>
  Array.from({ length: number }).reduce<Opponent>((now) => match(now, true), opponent);

describe("whom one plays", () => {
  it("is the middle one at first, and whoever was chosen later", () => {
    expect(NEW.level).toBe("medium");
    expect(opponentOf(LEVELS, { level: "hard", beaten: "", wins: 0 }).level).toBe("hard");
  });

  it("is the middle one again where the chosen one is gone", () => {
    expect(opponentOf(["slow", "fast"], { level: "hard", beaten: "", wins: 0 }).level).toBe("fast");
  });

  it("has company that is a level easier, where there is one", () => {
    expect(botsAt(LEVELS, "hard")).toEqual(["hard", "medium"]);
    expect(botsAt(LEVELS, "beginner")).toEqual(["beginner"]);
  });
});

describe("a harder one", () => {
  it("is suggested after three wins in a row, not before", () => {
    expect(suggested(LEVELS, wins(NEW, 2))).toBeNull();
    expect(suggested(LEVELS, wins(NEW, 3))).toBe("hard");
  });

  it("is not, after a match that was lost in between", () => {
    expect(suggested(LEVELS, wins(match(wins(NEW, 2), false), 2))).toBeNull();
    expect(suggested(LEVELS, wins(match(wins(NEW, 2), false), 3))).toBe("hard");
  });

  it("is not there for who beats the hardest", () => {
    expect(suggested(LEVELS, wins(playing(LEVELS, NEW, "expert"), 5))).toBeNull();
  });

  it("is played for three wins of its own before the next", () => {
    const harder = playing(LEVELS, wins(NEW, 3), "hard");
    expect(suggested(LEVELS, harder)).toBeNull();
    expect(suggested(LEVELS, wins(harder, 2))).toBeNull();
    expect(suggested(LEVELS, wins(harder, 3))).toBe("expert");
  });

  it("is not suggested again at once to who would rather stay", () => {
    const stays = playing(LEVELS, wins(NEW, 3), "medium");
    expect(suggested(LEVELS, wins(stays, 2))).toBeNull();
    expect(suggested(LEVELS, wins(stays, 3))).toBe("hard");
  });

  it("has nothing to do with matches against other bots", () => {
    expect(after(NEW, ["easy"], true)).toBe(NEW);
    expect(suggested(LEVELS, after(wins(NEW, 2), ["easy", "beginner"], true))).toBeNull();
  });
});

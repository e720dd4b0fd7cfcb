/** What a lesson points at: at every step the one control that its next move needs, whatever the hand has done. */

import { describe, expect, it } from "vitest";
import cards from "../src/lessons/cards.json";
import { controlFor, firstTwist } from "../src/lessons/control";
import cubes from "../src/lessons/cubes.json";
import dice from "../src/lessons/dice.json";
import extreme from "../src/lessons/extreme.json";
import { nextLesson } from "../src/lessons/lessons";
import type { AnyMove } from "../src/protocol";

type Pieces = Parameters<typeof controlFor>[2];
const known = new Map(dice.pieces.map((piece) => [piece.name, piece]));
const taken = dice.table.seats[0]?.task?.pieces.map((name) => known.get(name)) ?? [];

describe.each<[string, readonly unknown[], unknown, string[]]>([
  ["extreme", extreme.moves, extreme.pieces, ["", "turn", "flip"]],
  ["cards", cards.moves, cards.pieces, ["", "", "turn"]],
  ["cubes", cubes.moves, cubes.pieces, ["", "x", "z"]],
  ["dice", dice.moves, taken, ["flip", "turn"]],
])("%s", (_, moves, all, twists) => {
  const pieces = all as Pieces;
  const places = (moves as AnyMove[]).filter((move) => move.type === "place");

  it("wants the piece, then its twist, then that it is laid", () => {
    const found = places.map((move) => {
      expect(controlFor(move, null, pieces)).toBe(`button[data-piece="${move.piece}"]`);
      expect(controlFor(move, { piece: move.piece + 1, turn: 0 }, pieces)).toBe(`button[data-piece="${move.piece}"]`);
      expect(controlFor(move, { piece: move.piece, turn: move.turn }, pieces)).toBe("");
      return controlFor(move, { piece: move.piece, turn: 0 }, pieces);
    });
    expect(found).toEqual(twists.map((twist) => (twist === "" ? "" : `[data-twist="${twist}"]`)));
  });

  it("leads back from wherever a piece was turned to", () => {
    for (const { piece, turn } of places) {
      const after = pieces[piece]?.after ?? {};
      const orientations = Object.values(after)[0]?.length ?? 0;
      expect(orientations).toBeGreaterThan(1);
      for (let start = 0; start < orientations; start += 1) {
        let [here, pressed] = [start, 0];
        for (let twist = firstTwist(after, here, turn); twist !== null; twist = firstTwist(after, here, turn)) {
          here = (twist === "back" ? after["turn"]?.indexOf(here) : after[twist]?.[here]) ?? -1;
          pressed += 1;
          expect(pressed).toBeLessThan(orientations);
        }
        expect(here).toBe(turn);
      }
    }
  });
});

it("wants a die, the word that ends it, and nothing after the end", () => {
  expect(controlFor({ type: "grab", die: 3 }, null, [])).toBe('[data-die="3"]');
  expect(controlFor({ type: "call" }, null, [])).toBe('[aria-keyshortcuts="u"]');
  expect(controlFor({ type: "pass" }, null, [])).toBe('[aria-keyshortcuts="d"]');
  expect(controlFor(undefined, null, [])).toBe("");
});

it("turns to the left where that is shorter", () => {
  expect(firstTwist({ turn: [1, 2, 3, 0] }, 0, 3)).toBe("back");
});

it("goes on with the next lesson that was not taken", () => {
  expect(nextLesson("extreme", ["extreme"])).toBe("cards");
  expect(nextLesson("extreme", ["extreme", "cards"])).toBe("dice");
  expect(nextLesson("cubes", ["cubes"])).toBe("extreme");
  expect(nextLesson("dice", ["extreme", "cards", "dice", "cubes"])).toBeNull();
});

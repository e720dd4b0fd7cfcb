import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { GAMES } from "../src/api";
import { FlatHold } from "../src/flat.svelte";
import type { Hold } from "../src/hold.svelte";
import { speak, tAny, withWords } from "../src/i18n/index.svelte";
import { isForGame, keysOf, pressShortcut, type KeyLine } from "../src/keys";
import { HEX, SQUARE, type Cell, type Lattice } from "../src/lattice";
import type { Piece } from "../src/lay";
import { SolidHold } from "../src/solid/hold.svelte";
import type { Block } from "../src/solid/lay";
import { Orbit } from "../src/solid/orbit.svelte";
import type { Cube } from "../src/solid/space";

const NINE = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const cells = [0, 1, 2].flatMap((y) => [0, 1, 2].map((x): Cell => [x, y]));
const cubes = [0, 1].flatMap((z) => cells.map(([x, y]): Cube => [x, y, z]));
const dot: Piece = { name: "I1", shapes: [[[0, 0]]], after: { turn: [0], flip: [0] } };
const cube: Block = { name: "type-1", colour: "red", shapes: [[[0, 0, 0]]], after: { x: [0], y: [0], z: [0] } };
const does = { place: () => {}, lift: () => {}, cannot: () => {} };

/** With as many pieces as can be. */
function hand(game: string): Hold {
  if (game === "cubes") {
    const hold = new SolidHold(new Orbit(), does);
    hold.lies({ pieces: NINE.map(() => cube), region: cubes, laid: [] });
    return hold as unknown as Hold;
  }
  const lattice: Lattice = game === "extreme" ? HEX : SQUARE;
  const hold = new FlatHold(lattice, does);
  hold.lies({ pieces: NINE.map(() => dot), region: cells, laid: [], open: game === "cards" });
  return hold as unknown as Hold;
}

beforeAll(async () => {
  await speak("en");
  await withWords(Promise.resolve());
});
afterEach(() => vi.unstubAllGlobals());

describe.each(GAMES)("the keys of %s", (game) => {
  const heardBy = (who: KeyLine["heard"]) => keysOf(game).filter(({ heard }) => heard === who);

  it("are listed by what they do, in words", () => {
    expect(keysOf(game).length).toBeGreaterThan(8);
    expect(keysOf(game).filter((line) => tAny(`keys.${line.does}`) === "")).toEqual([]);
    expect(keysOf(game).filter(({ shown }) => shown.length > 1 && tAny(`key.${shown}`) === "")).toEqual([]);
  });

  it.each(heardBy("hand").flatMap((line) => line.keys.map((key) => [line.does, key, line.shifted ?? false] as const)))(
    "%s: the hand hears %s, with Shift: %s",
    (_, key, shift) => {
      const hold = hand(game);
      hold.choose(0, "keys");
      expect(hold.key(key, shift)).toBe(true);
    },
  );
});

describe("a key that presses a button", () => {
  /** Pressed while this button, if any, hears to it. */
  function pressed(key: string, found: unknown, more: Partial<KeyboardEvent> = {}): string[] {
    const asked: string[] = [];
    vi.stubGlobal("Element", class {});
    vi.stubGlobal("document", {
      querySelector: (selector: string) => {
        asked.push(selector);
        return found;
      },
    });
    pressShortcut({ key, preventDefault: () => {}, ...more } as KeyboardEvent);
    return asked;
  }

  it.each(["u", "U", "t", "d"])("%s presses its own, once", (key) => {
    const click = vi.fn();
    expect(pressed(key, { click })).toEqual([`button[aria-keyshortcuts="${key.toLowerCase()}"]:enabled`]);
    expect(click).toHaveBeenCalledOnce();
  });

  it("may have none just now", () => {
    expect(pressed("u", null)).toHaveLength(1);
  });

  it.each<[string, Partial<KeyboardEvent>]>([
    ["q", {}],
    ["u", { ctrlKey: true }],
    ["u", { repeat: true }],
  ])("%s with %o is none", (key, more) => {
    expect(pressed(key, null, more)).toEqual([]);
  });
});

it("who types means the text", () => {
  class Field {
    closest = (): Field => this;
  }
  vi.stubGlobal("Element", Field);
  expect(isForGame({ target: new Field() } as unknown as KeyboardEvent)).toBe(false);
  expect(isForGame({ target: null } as KeyboardEvent)).toBe(true);
});

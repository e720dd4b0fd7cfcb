import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FlatHold } from "../src/flat.svelte";
import type { Hold } from "../src/hold.svelte";
import { HEX, SQUARE, type Cell } from "../src/lattice";
import type { Piece } from "../src/lay";
import { Laying } from "../src/laying.svelte";
import extreme from "../src/lessons/extreme.json";
import { Script } from "../src/lessons/script.svelte";
import type { Asked } from "../src/match.svelte";
import type { AnyMove, MoveRefused, Placement } from "../src/protocol";
import { SolidHold } from "../src/solid/hold.svelte";
import { Orbit } from "../src/solid/orbit.svelte";
import { look } from "../src/solid/space";
import { play } from "../src/sound";
import { board, Pointer, TRAY } from "./board";

vi.mock("../src/sound", () => ({ play: vi.fn() }));
// By its name alone Node finds the Svelte that draws pages on a server, where nothing is tracked.
vi.mock("svelte", () => vi.importActual("svelte/internal/client"));
type Runtime = { effect_root: (body: () => void) => () => void; flush: () => void };
const { effect_root: root, flush } = await vi.importActual<Runtime>("svelte/internal/client");

const region: Cell[] = [0, 1].flatMap((y) => [0, 1, 2, 3].map((x): Cell => [x, y]));
// prettier-ignore
const bar: Piece = { name: "I2", shapes: [[[0, 0], [1, 0]], [[0, 0], [0, 1]]], after: { turn: [1, 0], flip: [0, 1] } };
const dot: Piece = { name: "I1", shapes: [[[0, 0]]], after: { turn: [0], flip: [0] } };
const [BAR, DOT] = [0, 1];
const dotLies: Placement = { piece: DOT, turn: 0, at: [3, 0] };
const refused: MoveRefused = { type: "refused", n: 1, why: "", code: "", values: {} };

let ends: (() => void)[] = [];

/** As a component makes it. */
function made<Hand extends Hold>(...args: ConstructorParameters<typeof Laying<Hand>>): Laying<Hand> {
  let found: Laying<Hand> | undefined;
  ends.push(root(() => (found = new Laying(...args))));
  flush();
  return found as Laying<Hand>;
}

/** A hand at a table that hears it, or has no line to be heard on. */
function laying({ laid = [] as Placement[], hears = true, fixed = false } = {}) {
  const asked: AnyMove[] = [];
  const match = { refused, ask: (move: AnyMove) => hears && asked.push(move) > 0 } as Asked;
  const one = made(
    (does) => new FlatHold(SQUARE, does),
    () => match,
    () => ({ pieces: [bar, dot], region, laid }),
    () => fixed,
  );
  one.hold.board = board.svg;
  return { laying: one, hold: one.hold, match, asked };
}

/** An element that matches these selectors. */
function element(selectors: readonly string[], piece?: number): Element {
  const matches = (wanted: string): boolean => wanted.split(", ").some((one) => selectors.includes(one));
  const self = { matches, closest: (wanted: string) => (matches(wanted) ? self : null), dataset: { piece } };
  return self as unknown as Element;
}
const BODY = element([]);
const slot = (piece: number) => element(["button", "[data-piece]"], piece);

/** Presses a key; true: the browser has nothing left to do. */
function press(
  to: Pick<Laying, "pressedKey">,
  key: string,
  target: Element = BODY,
  more: Partial<KeyboardEvent> = {},
): boolean {
  const preventDefault = vi.fn();
  to.pressedKey({ key, target, preventDefault, ...more } as unknown as KeyboardEvent);
  return preventDefault.mock.calls.length > 0;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  for (const end of ends) end();
  ends = [];
  vi.mocked(play).mockClear();
  vi.useRealTimers();
});

const place = { type: "place", piece: BAR, turn: 0, at: [1, 0] };

describe("what a hand asks for", () => {
  it.each([
    [true, [place, { type: "lift", piece: DOT }], [["lay"], ["lift"]]],
    [false, [], []],
  ])("is asked of the table, and sounds if there is a line: %s", (hears, moves, sounds) => {
    const { laying: one, hold, asked } = laying({ laid: [dotLies], hears });
    for (const key of ["1", "Enter"]) press(one, key);
    for (const key of ["2", "Backspace"]) press(one, key);
    expect(asked).toEqual(moves);
    expect(vi.mocked(play).mock.calls).toEqual(sounds);
    expect(hold.held).toBeNull();
  });

  it("is said when there is no room, until the next key", () => {
    const { laying: one, asked } = laying({ laid: [dotLies] });
    for (const key of ["1", "ArrowRight", "Enter"]) press(one, key);
    expect([one.hint, asked]).toEqual(["hint.no_room", []]);
    expect(vi.mocked(play).mock.calls).toEqual([["refuse"]]);
    press(one, "ArrowLeft");
    expect(one.hint).toBe("");
  });

  it("is no longer said of what was lifted since", () => {
    const { laying: one } = laying();
    one.hint = "hint.no_room";
    one.lift(DOT);
    expect(one.hint).toBe("");
  });
});

describe("a pointer", () => {
  it.each<[string, (events: Laying<FlatHold>["hears"], event: PointerEvent) => void, unknown[]]>([
    ["that is let go lays", ({ onpointerup }, event) => onpointerup(event), [{ ...place, at: [2, 1] }]],
    ["that is cancelled does not", ({ onpointercancel }, event) => onpointercancel(event), []],
  ])("%s", (_, end, moves) => {
    const { laying: one, hold, asked } = laying();
    // What the component's element hears, not the hand itself.
    const pointer = new Pointer({
      moved: (event) => one.hears.onpointermove(event),
      released: (event) => end(one.hears, event),
      cancelled: () => {},
    });
    pointer.down(TRAY, (event, on) => hold.pressedSlot(event, BAR, on)).drop(board.at([150, 60]));
    expect(asked).toEqual(moves);
    expect(hold.held).toBeNull();
  });
});

describe("the wheel", () => {
  function turned(hold: FlatHold, one: Laying<FlatHold>, ...by: number[]): [unknown, number] {
    const preventDefault = vi.fn();
    for (const deltaY of by) one.hears.onwheel({ deltaY, preventDefault } as unknown as WheelEvent);
    return [hold.held?.turn, preventDefault.mock.calls.length];
  }

  it.each([
    [[39], 0],
    [[40], 1],
    [[20, 20], 1],
    [[-100], 1],
    [[30, -30, 30], 0],
    [[40, 39], 1],
    [[40, -40], 0],
  ])("%j turns a piece to %i, and does not scroll", (by, turn) => {
    const { laying: one, hold } = laying();
    hold.choose(BAR, "tap");
    expect(turned(hold, one, ...by)).toEqual([turn, by.length]);
  });

  it("goes forth and back", () => {
    const { laying: one, hold } = laying();
    const wheeled = vi.spyOn(hold, "wheeled");
    hold.choose(BAR, "tap");
    turned(hold, one, 40, -40);
    expect(wheeled.mock.calls).toEqual([[false], [true]]);
  });

  it("scrolls with an empty hand", () => {
    const { laying: one, hold } = laying();
    expect(turned(hold, one, 100)).toEqual([undefined, 0]);
  });
});

describe("a key", () => {
  it("that means something is not the browser's, and what was refused is no news", () => {
    const { laying: one, hold, match } = laying();
    expect(press(one, "j")).toBe(false);
    expect(match.refused).toBe(refused);
    expect([press(one, "1"), hold.held?.piece]).toEqual([true, BAR]);
    expect(match.refused).toBeNull();
  });

  it.each<[string, Element, Partial<KeyboardEvent>]>([
    ["with Ctrl", BODY, { ctrlKey: true }],
    ["with Alt", BODY, { altKey: true }],
    ["with Meta", BODY, { metaKey: true }],
    ["in a dialog", element(["dialog"]), {}],
    ["where one writes", element(["input"]), {}],
    ["where one chooses", element(["select"]), {}],
  ])("%s is not the hand's", (_, target, more) => {
    const { laying: one, hold } = laying();
    expect([press(one, "1", target, more), hold.held]).toEqual([false, null]);
  });

  // prettier-ignore
  it.each<[string, boolean, Element, boolean]>([
    ["the page lays what is in the hand", true, BODY, true],
    ["a slot lays it, too", true, slot(DOT), true],
    ["the last button of a round lays it first", true, element(["button", "[data-final]"]), true],
    ["any other button presses that", true, element(["button"]), false],
    ["what acts as a button presses that", true, element(["[role=button]"]), false],
    ["a slot chooses, with an empty hand", false, slot(DOT), false],
    ["the last button of a round ends it, with an empty hand", false, element(["button", "[data-final]"]), false],
  ])("Enter, or Space, on %s", (_, holding, target, lays) => {
    for (const key of ["Enter", " "]) {
      const { laying: one, asked } = laying();
      if (holding) press(one, "1");
      expect(press(one, key, target)).toBe(lays);
      expect(asked).toEqual(lays ? [place] : []);
    }
  });

  // prettier-ignore
  it.each<[string, string | null, Element, boolean, AnyMove[]]>([
    ["lifts what lies", null, slot(DOT), true, [{ type: "lift", piece: DOT }]],
    ["of what does not lie does nothing", null, slot(BAR), false, []],
    ["beside the slots does nothing", null, BODY, false, []],
    ["is for what is in the hand, if there is something", "1", slot(DOT), true, []],
  ])("Backspace on a slot %s", (_, first, target, meant, moves) => {
    const { laying: one, asked, hold } = laying({ laid: [dotLies] });
    if (first !== null) press(one, first);
    expect([press(one, "Backspace", target), asked, hold.held]).toEqual([meant, moves, null]);
  });

  it("takes nothing while nothing can be laid, but one may look around", () => {
    const { laying: one, hold, asked } = laying({ laid: [dotLies], fixed: true });
    expect([press(one, "1"), press(one, "Backspace", slot(DOT)), hold.held, asked]).toEqual([false, false, null, []]);
    const solid = made((does) => new SolidHold(new Orbit(), does), () => ({}) as Asked, () => ({ pieces: [], region: [], laid: [] }), () => true); // prettier-ignore
    expect(press(solid, "ArrowLeft", BODY, { shiftKey: true })).toBe(true);
    expect(solid.hold.orbit.look).not.toEqual(look());
  });
});

describe("what changes on the table", () => {
  /** A lesson, whose table lies right here. */
  function lesson() {
    const script = new Script(extreme.moves as unknown as AnyMove[], () => {}, () => {}); // prettier-ignore
    const looked = vi.fn();
    const task = { pieces: extreme.pieces as unknown as Piece[], region: extreme.region as unknown as Cell[] };
    const one = made(
      (does) => new FlatHold(HEX, does),
      () => script,
      () => {
        looked();
        return { ...task, laid: script.laid };
      },
      () => script.called,
    );
    return { script, hold: one.hold, looked };
  }
  const moves = extreme.moves as unknown as AnyMove[];

  it("is known to the hand before anything is drawn", () => {
    const { script, hold } = lesson();
    script.ask(moves[0] as AnyMove);
    flush();
    hold.choose(0, "keys");
    expect(hold.held?.spot).toEqual({ at: [2, 0], bad: [] });
  });

  it("empties the hand when nothing can be laid any more", () => {
    const { script, hold } = lesson();
    for (const move of moves.slice(0, 3)) script.ask(move);
    flush();
    hold.choose(0, "keys");
    flush();
    expect(hold.held?.piece).toBe(0);
    script.ask({ type: "call" });
    flush();
    expect(hold.held).toBeNull();
  });

  it("is not looked at anew for what the hand does", () => {
    const { hold, looked } = lesson();
    const before = looked.mock.calls.length;
    hold.choose(0, "tap");
    hold.twist("turn");
    flush();
    expect([looked.mock.calls.length, hold.turns[0]]).toEqual([before, 4]);
  });
});

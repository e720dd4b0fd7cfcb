import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FlatHold } from "../src/flat.svelte";
import { SQUARE, type Cell } from "../src/lattice";
import type { Piece } from "../src/lay";
import type { Placement } from "../src/protocol";
import { before, board, Pointer, TRAY } from "./board";

// Four squares by two, a bar that can be turned upright, and a single square.
const region: Cell[] = [0, 1].flatMap((y) => [0, 1, 2, 3].map((x): Cell => [x, y]));
// prettier-ignore
const bar: Piece = { name: "I2", shapes: [[[0, 0], [1, 0]], [[0, 0], [0, 1]]], after: { turn: [1, 0], flip: [0, 1] } };
const dot: Piece = { name: "I1", shapes: [[[0, 0]]], after: { turn: [0], flip: [0] } };
const pieces = [bar, dot];
const [BAR, DOT] = [0, 1];
const barLies: Placement = { piece: BAR, turn: 0, at: [0, 0] };
const dotLies: Placement = { piece: DOT, turn: 0, at: [3, 0] };

const cell = (x: number, y: number) => board.at(SQUARE.centre([x, y]));
/** The middle of the bar, if it lay with its left square there. */
const middle = (x: number, y: number) => board.at([60 * x + 30, 60 * y]);
const OFF = board.at([600, 600]);

function hand(laid: readonly Placement[] = [], ink = 0) {
  const one = before((does) => new FlatHold(SQUARE, does));
  one.hold.lies({ pieces, region, laid, ink });
  return one;
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("picking up", () => {
  it.each([
    [6, undefined],
    [7, "drag"],
  ])("a piece moved by %i pixels is held by: %s", (far, way) => {
    const { hold, slot } = hand();
    const mouse = new Pointer(hold).down(TRAY, slot(BAR)).to({ ...TRAY, clientX: TRAY.clientX + far });
    expect(hold.held?.way).toBe(way);
    expect(mouse.caught).toEqual([1]);
  });

  it("only the first button picks up", () => {
    const { hold, slot } = hand();
    const mouse = new Pointer(hold).down(TRAY, slot(BAR), { button: 2 }).to(cell(0, 0));
    expect(hold.held).toBeNull();
    expect(mouse.caught).toEqual([]);
  });

  it("a dragged piece follows once per frame, to where the pointer is by then", () => {
    const { hold, slot, carried } = hand();
    new Pointer(hold).down(TRAY, slot(BAR)).to(middle(0, 0)).to(middle(1, 0)).to(middle(2, 1));
    expect([carried, hold.held?.spot]).toEqual([[], null]);
    vi.advanceTimersToNextFrame();
    expect(carried).toEqual(["translate(120.0 60.0)"]);
    expect(hold.held).toMatchObject({ piece: BAR, turn: 0, way: "drag", spot: { at: [2, 1], bad: [] } });
    vi.advanceTimersToNextFrame();
    expect(carried).toHaveLength(1);
  });

  it("a piece that lies is carried by where it was gripped", () => {
    const { hold, lying, carried } = hand([barLies]);
    new Pointer(hold).down(cell(1, 0), lying(BAR)).to(cell(3, 1));
    vi.advanceTimersToNextFrame();
    expect(carried).toEqual(["translate(120.0 60.0)"]);
    expect(hold.held?.spot).toMatchObject({ at: [2, 1], bad: [] });
  });

  it("a finger carries it one cell higher, where it can be seen", () => {
    const { hold, slot } = hand();
    new Pointer(hold, "touch").down(TRAY, slot(BAR)).to(middle(2, 1));
    vi.advanceTimersToNextFrame();
    expect(hold.held?.spot?.at).toEqual([2, 0]);
  });
});

describe("letting go", () => {
  // prettier-ignore
  it.each<[string, Placement[], "slot" | "lying", ReturnType<typeof cell>, unknown[]]>([
    ["over free cells lays it", [], "slot", middle(1, 1), [{ piece: BAR, turn: 0, at: [1, 1] }]],
    ["nearly there is good enough", [], "slot", board.at([100, 50]), [{ piece: BAR, turn: 0, at: [1, 1] }]],
    ["on another piece says that it cannot", [dotLies], "slot", middle(2, 0), ["cannot"]],
    ["beside the board puts it back", [], "slot", OFF, []],
    ["moves what lies", [barLies], "lying", middle(2, 1), [{ piece: BAR, turn: 0, at: [2, 1] }]],
    ["its own cells are free for what lies", [barLies], "lying", middle(1, 0), [{ piece: BAR, turn: 0, at: [1, 0] }]],
    ["beside the board lifts what lies", [barLies], "lying", OFF, [{ lift: BAR }]],
    ["on another piece lifts what lies", [barLies, dotLies], "lying", middle(2, 0), [{ lift: BAR }]],
    ["by its slot moves what lies, too", [barLies], "slot", middle(2, 1), [{ piece: BAR, turn: 0, at: [2, 1] }]],
  ])("%s", (_, laid, from, to, asks) => {
    const { hold, asked, carried, slot, lying } = hand(laid);
    const mouse = new Pointer(hold);
    if (from === "slot") mouse.down(TRAY, slot(BAR));
    else mouse.down(middle(0, 0), lying(BAR));
    mouse.drop(to);
    // It did not wait for the next frame.
    expect(asked).toEqual(asks);
    expect(hold.held).toBeNull();
    vi.advanceTimersToNextFrame();
    expect(carried).toHaveLength(1);
  });

  it("a pointer that is cancelled leaves everything as it was", () => {
    const { hold, asked, carried, lying, slot } = hand([barLies]);
    const finger = new Pointer(hold, "touch").down(middle(0, 0), lying(BAR)).to(OFF).cancel().up();
    expect([hold.held, asked]).toEqual([null, []]);
    vi.advanceTimersToNextFrame();
    expect(carried).toEqual([]);
    finger.down(TRAY, slot(DOT)).to(OFF);
    expect(hold.held?.piece).toBe(DOT);
  });

  it("a chosen piece stays in the hand when a pointer is cancelled that pressed nothing", () => {
    const { hold } = hand();
    hold.choose(BAR, "tap");
    new Pointer(hold, "touch").cancel();
    expect(hold.held?.piece).toBe(BAR);
  });
});

describe("a second pointer, such as the ball of the hand,", () => {
  it.each<[string, (second: Pointer, slot: (piece: number) => (event: PointerEvent, root: Element) => void) => void]>([
    ["picks up nothing", (second, slot) => second.down(TRAY, slot(DOT)).to(cell(3, 1))],
    ["carries nothing", (second) => second.to(OFF)],
    ["lets nothing go", (second) => second.up()],
    ["cancels nothing", (second) => second.cancel()],
  ])("%s", (_, act) => {
    const { hold, asked, slot } = hand();
    const [first, second] = [new Pointer(hold, "touch"), new Pointer(hold, "touch", 2)];
    first.down(TRAY, slot(BAR)).to(middle(1, 1));
    act(second, slot);
    expect([second.caught, asked]).toEqual([[], []]);
    first.up();
    expect(asked).toEqual([{ piece: BAR, turn: 0, at: [1, 0] }]);
  });
});

describe("tapping", () => {
  const tap = (hold: FlatHold, on: (event: PointerEvent, root: Element) => void, where = TRAY) =>
    new Pointer(hold, "touch").tap(where, on);

  it("a slot chooses its piece, another one instead, and the same one drops it", () => {
    const { hold, slot, asked } = hand();
    const chosen = [BAR, DOT, DOT].map((piece) => {
      tap(hold, slot(piece));
      return hold.held && [hold.held.piece, hold.held.way];
    });
    expect(chosen).toEqual([[BAR, "tap"], [DOT, "tap"], null]);
    expect(asked).toEqual([]);
  });

  it("what lies, there or in the tray, lifts it", () => {
    const { hold, asked, slot, lying } = hand([barLies]);
    tap(hold, lying(BAR), cell(0, 0));
    tap(hold, slot(BAR));
    expect(asked).toEqual([{ lift: BAR }, { lift: BAR }]);
    expect(hold.held).toBeNull();
  });

  // prettier-ignore
  it.each<[string, Placement[], ReturnType<typeof cell>, unknown[], boolean]>([
    ["a free cell lays it there", [], cell(3, 1), [{ piece: BAR, turn: 0, at: [2, 1] }], false],
    ["where it has no room says so, and it stays", [dotLies], cell(3, 0), ["cannot"], true],
    ["beside the board means nothing", [], OFF, [], true],
  ])("with a chosen piece, %s", (_, laid, where, asks, stays) => {
    const { hold, asked, ground } = hand(laid);
    hold.choose(BAR, "tap");
    tap(hold, ground, where);
    expect(asked).toEqual(asks);
    expect(hold.held !== null).toBe(stays);
  });

  it("the board with an empty hand does nothing", () => {
    const { hold, asked, ground } = hand();
    expect(tap(hold, ground, cell(0, 0)).caught).toEqual([]);
    expect(asked).toEqual([]);
  });

  it("a sweep over the board is no tap", () => {
    const { hold, asked, ground } = hand();
    hold.choose(BAR, "tap");
    new Pointer(hold).to(cell(0, 0)).down(cell(0, 0), ground).drop(cell(2, 1));
    expect(asked).toEqual([]);
    expect(hold.held).toEqual({ piece: BAR, turn: 0, way: "tap", spot: null });
  });

  it.each([
    ["mouse", [2, 1]],
    ["touch", undefined],
  ] as const)("a chosen piece is shown below a pointer of type %s: %s", (kind, at) => {
    const { hold } = hand();
    hold.choose(BAR, "tap");
    const pointer = new Pointer(hold, kind).to(cell(3, 1));
    expect(hold.held?.spot?.at).toEqual(at);
    pointer.to(OFF);
    expect(hold.held?.spot).toBeNull();
  });
});

describe("by keys", () => {
  // prettier-ignore
  it.each<[string, Placement[], string[], unknown[], number | null]>([
    ["a number chooses a piece", [], ["2"], [], DOT],
    ["another number another one", [], ["2", "1"], [], BAR],
    ["Enter lays it", [], ["1", "Enter"], [{ piece: BAR, turn: 0, at: [1, 0] }], null],
    ["Space, too", [], ["1", " "], [{ piece: BAR, turn: 0, at: [1, 0] }], null],
    ["what has no room stays in the hand", [dotLies], ["1", "ArrowRight", "Enter"], ["cannot"], BAR],
    ["Escape drops it", [], ["1", "Escape"], [], null],
    ["what lies is taken where it lies", [dotLies], ["2", "Enter"], [{ piece: DOT, turn: 0, at: [3, 0] }], null],
    ["Escape leaves what lies", [dotLies], ["2", "Escape"], [], null],
    ["Backspace lifts what lies", [dotLies], ["2", "Backspace"], [{ lift: DOT }], null],
    ["Delete, too", [dotLies], ["2", "Delete"], [{ lift: DOT }], null],
    ["Backspace drops what does not lie", [], ["2", "Backspace"], [], null],
  ])("%s", (_, laid, keys, asks, inHand) => {
    const { hold, asked } = hand(laid);
    expect(keys.map((key) => hold.key(key, false))).toEqual(keys.map(() => true));
    expect(asked).toEqual(asks);
    expect(hold.held?.piece ?? null).toBe(inHand);
  });

  it.each(["0", "3", "Escape", "Enter", "Backspace", "ArrowLeft", "r", "Tab"])(
    "%s with an empty hand is not for it",
    (key) => {
      expect(hand().hold.key(key, false)).toBe(false);
    },
  );

  it("numbers are those of the tray: what stays as it is has none", () => {
    const { hold } = hand([barLies], 1);
    expect([hold.key("1", false), hold.held?.piece]).toEqual([true, DOT]);
    expect(hold.key("2", false)).toBe(false);
  });

  it("Enter means nothing to a chosen piece that is over no place yet", () => {
    const { hold, asked } = hand();
    hold.choose(BAR, "tap");
    expect([hold.key("Enter", false), asked]).toEqual([false, []]);
  });

  it("Enter does not lay what is dragged, and Escape puts it back", () => {
    const { hold, asked, slot } = hand();
    const mouse = new Pointer(hold).down(TRAY, slot(BAR)).to(middle(1, 1));
    vi.advanceTimersToNextFrame();
    expect(hold.key("Enter", false)).toBe(false);
    expect(hold.key("Escape", false)).toBe(true);
    mouse.drop(middle(2, 1));
    expect([hold.held, asked]).toEqual([null, []]);
  });

  it("a piece chosen by its number while another is dragged is not laid by letting go", () => {
    const { hold, asked, slot } = hand();
    const mouse = new Pointer(hold).down(TRAY, slot(BAR)).to(middle(1, 1));
    hold.key("2", false);
    mouse.up();
    expect([hold.held?.piece, hold.held?.way, asked]).toEqual([DOT, "keys", []]);
  });
});

describe("what lies", () => {
  it("other pieces empty the hand and turn the tray back", () => {
    const { hold } = hand();
    hold.choose(BAR, "tap");
    hold.twist("turn");
    hold.lies({ pieces, region, laid: [dotLies] });
    expect([hold.held?.piece, hold.turns]).toEqual([BAR, [1, 0]]);
    hold.lies({ pieces: [bar, dot], region, laid: [] });
    expect([hold.held, hold.turns]).toEqual([null, [0, 0]]);
  });

  it("a piece stays turned as it lay, and as it was turned in the hand", () => {
    const { hold } = hand([{ ...barLies, turn: 1 }]);
    hold.lies({ pieces, region, laid: [] });
    expect(hold.turns).toEqual([1, 0]);
    hold.choose(BAR, "keys");
    hold.twist("turn");
    hold.drop();
    hold.choose(BAR, "keys");
    expect(hold.held?.turn).toBe(0);
  });
});

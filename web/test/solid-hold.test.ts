import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Point } from "../src/geometry";
import { cover } from "../src/lay";
import cubes from "../src/lessons/cubes.json";
import type { Placement } from "../src/protocol";
import { settings } from "../src/settings.svelte";
import { RIDES, SolidHold } from "../src/solid/hold.svelte";
import type { Block } from "../src/solid/lay";
import { Orbit } from "../src/solid/orbit.svelte";
import { look, middle, project, UNIT, type Axis, type Cube, type Cubes } from "../src/solid/space";
import { before, board, Drawing, Pointer, TRAY } from "./board";

// Three squares by two, two levels high; a bar that can be turned about every axis, and a single cube.
const region: Cubes = [0, 1].flatMap((z) => [0, 1].flatMap((y) => [0, 1, 2].map((x): Cube => [x, y, z])));
const bar: Block = {
  name: "type-2",
  colour: "red",
  shapes: [[[0, 0, 0], [1, 0, 0]], [[0, 0, 0], [0, 1, 0]], [[0, 0, 0], [0, 0, 1]]], // prettier-ignore
  after: { x: [0, 2, 1], y: [2, 1, 0], z: [1, 0, 2] },
};
const cube: Block = { name: "type-1", colour: "blue", shapes: [[[0, 0, 0]]], after: { x: [0], y: [0], z: [0] } };
const [BAR, CUBE] = [0, 1];
const lesson = { pieces: cubes.pieces as unknown as Block[], region: cubes.region as unknown as Cubes };
const lies = (piece: number, at: Cube): Placement => ({ piece, turn: 0, at });

/** Where a point of space is seen on the screen at first. */
const seen = (point: Cube) => board.at(project(look(), point));
const FAR = board.at([900, 900]);

function hand(laid: readonly Placement[] = [], pieces: readonly Block[] = [bar, cube], area: Cubes = region) {
  const one = before((does) => new SolidHold(new Orbit(), does));
  one.hold.lies({ pieces, region: area, laid });
  // Both areas are two squares deep, and not more than four wide.
  const frame = { x: -30, y: -30, width: 240, height: 120 };
  const plans = [0, 1].map((level) => new Drawing(1200, 700 - 400 * level, 0.5, frame));
  one.hold.plans.push(...plans.map(({ svg }) => svg));
  /** A place on a level's plan, in squares, on the screen: far is up. */
  const plan = (level: number, [x, y]: Point) => (plans[level] as Drawing).at([60 * x - 30, 60 * (2 - y) - 30]);
  const cell = (at: Cube) => (event: PointerEvent, root: Element) => one.hold.pressedCell(event, at, root);
  return { ...one, plan, cell };
}
type Hand = ReturnType<typeof hand>;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  settings.motion = "system";
});

type Answer = { piece: number; axis: Axis | null; at: Cube; cells: Cubes };

/** Picked up by the mouse, and turned on the way. */
function taken({ hold, slot }: Hand, { piece, axis }: Answer): Pointer {
  const mouse = new Pointer(hold).down(TRAY, slot(piece)).to({ ...TRAY, clientX: 60 });
  if (axis !== null) hold.key(axis, false);
  return mouse;
}

/** Chosen by a tap, and turned by buttons. */
function chosen({ hold, slot }: Hand, { piece, axis }: Answer): Pointer {
  const finger = new Pointer(hold, "touch").tap(TRAY, slot(piece));
  if (axis !== null) hold.twist(axis, false);
  return finger;
}

const WAYS: Record<string, (hand: Hand, answer: Answer) => void> = {
  mouse: (hand, answer) => taken(hand, answer).drop(seen(middle(answer.cells))),
  "mouse, on a plan"(hand, answer) {
    const [x, y] = middle(answer.cells);
    taken(hand, answer).drop(hand.plan(answer.at[2], [x, y]));
  },
  finger(hand, answer) {
    const [[x, y], [, up]] = [project(look(), middle(answer.cells)), project(look(), [0, 0, RIDES])];
    const below = board.at([x, y + UNIT * 1.1]);
    chosen(hand, answer).down(TRAY, hand.slot(answer.piece)).drop(below);
    expect(hand.carried.at(-1)).toBe(`translate(${x.toFixed(1)} ${(y + up).toFixed(1)})`);
  },
  "taps on a plan": (hand, answer) => chosen(hand, answer).tap(TRAY, hand.cell(answer.cells[1] as Cube)),
  keys({ hold }, { piece, axis, at }) {
    hold.key(String(piece + 1), false);
    if (axis !== null) hold.key(axis, false);
    const there = (i: 0 | 1): number => at[i] - (hold.held?.spot?.at[i] ?? 0);
    for (let i = 0; i < 9 && there(0) !== 0; i += 1) hold.key(there(0) > 0 ? "ArrowRight" : "ArrowLeft", false);
    for (let i = 0; i < 9 && there(1) !== 0; i += 1) hold.key(there(1) > 0 ? "ArrowUp" : "ArrowDown", false);
    hold.key("Enter", false);
  },
};

it.each(Object.entries(WAYS))("a task is solved by %s", (_, way) => {
  const { pieces, region: area } = lesson;
  const moves = cubes.moves.filter(({ type }) => type === "place") as unknown as (Placement & { at: Cube })[];
  const one = hand([], pieces, area);
  moves.forEach(({ piece, turn, at }, i) => {
    const { shapes, after } = pieces[piece] as Block;
    const axis = turn === 0 ? null : (["x", "y", "z"] as const).find((each) => after[each][0] === turn);
    way(one, { piece, axis: axis ?? null, at, cells: cover(shapes[turn] ?? [], at) });
    expect(one.asked[i]).toEqual({ piece, turn, at });
    one.hold.lies({ pieces, region: area, laid: moves.slice(0, i + 1) });
  });
});

describe("levels", () => {
  it.each<[string[], number]>([
    [[], 0],
    [["PageUp"], 1],
    [["PageUp", "PageUp"], 1],
    [["PageUp", "PageDown", "PageDown"], 0],
    // An arrow keeps the level that was asked for, and nothing falls.
    [["PageUp", "ArrowRight"], 1],
    // A block that stands takes both; another block starts from the lowest again.
    [["y", "PageUp"], 0],
    [["PageUp", "2"], 0],
  ])("by keys: %s", (keys, level) => {
    const { hold } = hand();
    for (const key of ["1", ...keys]) expect(hold.key(key, false)).toBe(true);
    expect(hold.held?.spot?.at[2]).toBe(level);
    expect(hold.held?.spot?.bad).toEqual([]);
  });

  it.each<[string, Placement[], string[], Cube]>([
    ["the lowest is offered first", [], [], [0, 0, 0]],
    ["then the lowest that is free", [lies(CUBE, [0, 0, 0])], [], [0, 0, 1]],
    ["another one by a key", [], ["PageUp"], [0, 0, 1]],
    ["and back", [], ["PageUp", "PageDown"], [0, 0, 0]],
  ])("while it is dragged, %s", (_, laid, keys, at) => {
    const { hold, asked, slot } = hand(laid);
    const mouse = new Pointer(hold).down(TRAY, slot(BAR)).to(seen([1, 0.5, 1]));
    vi.advanceTimersToNextFrame();
    for (const key of keys) {
      hold.key(key, false);
      vi.advanceTimersToNextFrame();
    }
    expect(hold.held?.spot).toMatchObject({ at, bad: [] });
    mouse.up();
    expect(asked).toEqual([{ piece: BAR, turn: 0, at }]);
  });

  it("a plan means its own level, and shows through the block above it", () => {
    const { hold, slot, plan } = hand();
    const mouse = new Pointer(hold).down(TRAY, slot(BAR));
    const over = (where: ReturnType<typeof plan>): unknown => {
      mouse.to(where);
      vi.advanceTimersToNextFrame();
      return [hold.held?.spot?.at, hold.overPlan];
    };
    expect(over(plan(1, [2, 1.5]))).toEqual([[1, 1, 1], true]);
    expect(over(plan(0, [1, 0.5]))).toEqual([[0, 0, 0], true]);
    expect(over(FAR)).toEqual([undefined, false]);
    over(plan(1, [2, 1.5]));
    mouse.cancel();
    expect(hold.overPlan).toBe(false);
  });
});

describe("turning", () => {
  // prettier-ignore
  it.each([["x", 14], ["X", 16], ["y", 3], ["Y", 17], ["z", 13], ["Z", 18]])("by %s", (key, turn) => {
    const { hold } = hand([], lesson.pieces, lesson.region);
    hold.choose(1, "tap");
    hold.key(key, key < "a");
    expect([hold.held?.turn, hold.turns]).toEqual([turn, [0, turn, 0]]);
  });

  it.each([false, true])("by the wheel, as by z; back: %s", (back) => {
    const { hold } = hand([], lesson.pieces, lesson.region);
    hold.choose(1, "tap");
    hold.wheeled(back);
    expect(hold.held?.turn).toBe(back ? 18 : 13);
  });

  it("moved by keys, a block may stick out, but goes aside for that when it is turned", () => {
    const { hold } = hand();
    const by = (...keys: string[]): unknown => {
      for (const key of keys) expect(hold.key(key, false)).toBe(true);
      return hold.held?.spot;
    };
    const from = by("1");
    expect(by("z", "z", "z", "z")).toEqual(from);
    expect(by("ArrowDown", ...Array<string>(9).fill("ArrowRight"))).toEqual({ at: [2, 0, 0], bad: [[3, 0, 0]] });
    expect(by("x")).toEqual({ at: [1, 1, 0], bad: [] });
  });

  it.each([false, true])("it is seen to turn, and then to have turned; back: %s", (back) => {
    const { hold } = hand();
    hold.choose(BAR, "tap");
    hold.twist("z", back);
    const quarter = ((back ? -1 : 1) * Math.PI) / 2;
    expect(hold.spin).toEqual({ axis: "z", left: quarter });
    vi.advanceTimersByTime(80);
    expect(hold.spin?.left).toBeCloseTo(quarter / 4);
    vi.advanceTimersByTime(100);
    expect(hold.spin).toBeNull();
  });

  it("nothing is seen to turn without motion, nor what is dropped", () => {
    const { hold } = hand();
    hold.choose(BAR, "tap");
    hold.twist("z", false);
    hold.drop();
    vi.advanceTimersToNextFrame();
    expect(hold.spin).toBeNull();
    settings.motion = "off";
    hold.choose(BAR, "tap");
    hold.twist("z", false);
    expect([hold.spin, hold.held?.turn]).toEqual([null, 0]);
  });
});

describe("what lies", () => {
  const top = (x: number, y: number, z: number) => seen([x + 0.5, y + 0.5, z + 1]);
  const laid = [lies(CUBE, [0, 0, 0])];

  // prettier-ignore
  it.each<[string, ReturnType<typeof seen> | null, unknown[]]>([
    ["tapped, is lifted", null, [{ lift: CUBE }]],
    ["is moved by dragging it", seen([2.5, 1.5, 1]), [{ piece: CUBE, turn: 0, at: [2, 1, 0] }]],
    ["dragged out, is lifted", FAR, [{ lift: CUBE }]],
  ])("%s", (_, to, asks) => {
    const { hold, asked, ground } = hand(laid);
    const mouse = new Pointer(hold).down(top(0, 0, 0), ground);
    (to === null ? mouse : mouse.to(to)).up();
    expect(asked).toEqual(asks);
    expect(hold.held).toBeNull();
  });

  // prettier-ignore
  it.each<[string, ReturnType<typeof seen>, unknown[]]>([
    ["on top of a block lays on it", top(0, 0, 0), [{ piece: BAR, turn: 0, at: [0, 0, 1] }]],
    ["before the side of a block lays beside it", seen([1, 0.5, 0.5]), [{ piece: BAR, turn: 0, at: [1, 0, 0] }]],
    ["on the ground lays there", seen([2.5, 1.5, 0]), [{ piece: BAR, turn: 0, at: [1, 1, 0] }]],
    ["beside the area means nothing", FAR, []],
  ])("with a chosen block, a tap %s", (_, where, asks) => {
    const { hold, asked, ground } = hand(laid);
    hold.choose(BAR, "tap");
    new Pointer(hold).tap(where, ground);
    expect(asked).toEqual(asks);
  });

  // prettier-ignore
  it.each<[string, number | null, Cube, unknown[]]>([
    ["its block is lifted", null, [0, 0, 0], [{ lift: CUBE }]],
    ["a free one means nothing to an empty hand", null, [1, 0, 0], []],
    ["what is chosen goes there", BAR, [2, 1, 1], [{ piece: BAR, turn: 0, at: [1, 1, 1] }]],
    ["another block than the chosen one is lifted", BAR, [0, 0, 0], [{ lift: CUBE }]],
    ["the chosen one stays", CUBE, [0, 0, 0], [{ piece: CUBE, turn: 0, at: [0, 0, 0] }]],
    ["without room it is said", BAR, [9, 9, 0], ["cannot"]],
  ])("a cell of a plan: %s", (_, chosen, at, asks) => {
    const { hold, asked, cell } = hand(laid);
    if (chosen !== null) hold.choose(chosen, "keys");
    new Pointer(hold).tap(TRAY, cell(at));
    expect(asked).toEqual(asks);
  });

  it("is moved from plan to plan", () => {
    const { hold, asked, cell, plan } = hand(laid);
    new Pointer(hold).down(plan(0, [0.5, 0.5]), cell([0, 0, 0])).drop(plan(1, [2.5, 1.5]));
    expect(asked).toEqual([{ piece: CUBE, turn: 0, at: [2, 1, 1] }]);
  });

  it("a chosen block is shown below the mouse, on the board and on a plan", () => {
    const { hold, plan } = hand(laid);
    hold.choose(BAR, "tap");
    const mouse = new Pointer(hold);
    const shown = [top(0, 0, 0), plan(1, [2.5, 1.5]), plan(1, [3.5, 0.5]), FAR].map((where) => {
      mouse.to(where);
      return hold.held?.spot?.at;
    });
    expect(shown).toEqual([[0, 0, 1], [1, 1, 1], undefined, undefined]);
  });

  it("a plan that is a small picture on the board takes nothing", () => {
    const { hold, plan } = hand(laid);
    for (const svg of hold.plans) svg!.style.pointerEvents = "none";
    hold.choose(BAR, "tap");
    new Pointer(hold).to(plan(1, [2.5, 1.5]));
    expect(hold.held?.spot).toBeNull();
  });
});

describe("looking around", () => {
  it("the ground is dragged, and two quick taps on it lead back", () => {
    const { hold, ground } = hand();
    const first = hold.orbit.look;
    const mouse = new Pointer(hold).down(FAR, ground).drop({ ...FAR, clientX: FAR.clientX + 50 });
    const turned = hold.orbit.look;
    expect(turned).not.toEqual(first);
    const tap = (timeStamp: number) => mouse.tap(FAR, ground, { timeStamp });
    for (const when of [1000, 1400]) tap(when);
    expect(hold.orbit.look).toEqual(turned);
    tap(1700);
    expect(hold.orbit.look).toEqual(first);
  });

  it("what is fixed can be looked at, but not taken", () => {
    const { hold, asked } = hand([lies(CUBE, [0, 0, 0])]);
    const looks = (event: PointerEvent, root: Element): void => hold.pressedBoard(event, root, true);
    new Pointer(hold).down(seen([0.5, 0.5, 1]), looks).drop(FAR);
    expect([hold.held, asked]).toEqual([null, []]);
    expect(hold.orbit.look).not.toEqual(look());
  });

  // prettier-ignore
  it.each([["ArrowLeft", true, true], ["Home", false, true], ["ArrowLeft", false, false]])("%s, Shift: %s, is for an empty hand: %s", (key, shifted, meant) => {
    expect(hand().hold.key(key, shifted)).toBe(meant);
  });
});

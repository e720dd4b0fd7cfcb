import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { FlatHold } from "../src/flat.svelte";
import { box, middle } from "../src/geometry";
import type { Ground } from "../src/hold.svelte";
import { HEX, SQUARE, type Cell, type Lattice, type Point } from "../src/lattice";
import { cover, twisted, type Piece, type Twist } from "../src/lay";
import cards from "../src/lessons/cards.json";
import dice from "../src/lessons/dice.json";
import extreme from "../src/lessons/extreme.json";
import type { Placement } from "../src/protocol";
import { before, board, Pointer, TRAY } from "./board";

type Task = { lattice: Lattice; pieces: readonly Piece[]; region: readonly Cell[]; moves: readonly Placement[] };

/** As a lesson has it, with its one solution. */
function taskOf(lattice: Lattice, pieces: unknown, region: unknown, moves: readonly { type: string }[]): Task {
  const placed = moves.filter(({ type }) => type === "place") as unknown as Placement[];
  return { lattice, pieces: pieces as Piece[], region: region as Cell[], moves: placed };
}
const faces = dice.pieces as unknown as readonly Piece[];
const face = (name: string | null): Piece => faces.find((one) => one.name === name) as Piece;
const area = dice.table.seats[0]?.task;
const TASKS: Record<string, Task> = {
  extreme: taskOf(HEX, extreme.pieces, extreme.region, extreme.moves),
  dice: taskOf(SQUARE, area?.pieces.map(face), area?.region, dice.moves),
};

function hand(lattice: Lattice, ground: Ground<Cell, Piece>) {
  const one = before((does) => new FlatHold(lattice, does));
  one.hold.lies(ground);
  return one;
}

/** The middle of the box around some cells, as the board measures. */
function boxMiddle(lattice: Lattice, cells: readonly Cell[]): Point {
  const { x, y, width, height } = box(cells, lattice);
  return [x + width / 2, y + height / 2];
}

function middleOf(hold: FlatHold, { shapes }: Piece): Point {
  return middle(cover(shapes[hold.held?.turn ?? 0] ?? [], hold.held?.spot?.at ?? []), hold.lattice);
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

type Answer = Placement & { twist: Twist | null; cells: readonly Cell[] };

const WAYS: Record<string, (before: ReturnType<typeof hand>, answer: Answer) => void> = {
  mouse({ hold, slot }, { piece, twist, cells }) {
    const mouse = new Pointer(hold).down(TRAY, slot(piece)).to({ ...TRAY, clientX: 60 });
    if (twist === "turn") hold.wheeled(false);
    else if (twist === "flip") hold.key("f", false);
    mouse.drop(board.at(boxMiddle(hold.lattice, cells)));
  },
  finger({ hold, slot }, { piece, twist, cells }) {
    const finger = new Pointer(hold, "touch").tap(TRAY, slot(piece));
    if (twist !== null) hold.twist(twist);
    const [x, y] = boxMiddle(hold.lattice, cells);
    const below = board.at([x, y + hold.lattice.pitch]);
    finger.down(TRAY, slot(piece)).drop(below);
  },
  taps({ hold, slot, ground }, { piece, twist, cells }) {
    new Pointer(hold, "touch").tap(TRAY, slot(piece));
    if (twist !== null) hold.twist(twist);
    const [x, y] = middle(cells, hold.lattice);
    const away = ([ax, ay]: Point): number => Math.hypot(ax - x, ay - y);
    const nearest = cells.map(hold.lattice.centre).reduce((best, one) => (away(one) < away(best) - 1e-6 ? one : best));
    new Pointer(hold, "touch").tap(board.at(nearest), ground);
  },
  keys({ hold }, { piece, twist, at }) {
    hold.key(String(piece + 1), false);
    if (twist !== null) hold.key(twist === "turn" ? "r" : "f", false);
    expect(walk(hold, at, new Set())).toBe(true);
    hold.key("Enter", false);
  },
};

const ARROWS = { ArrowLeft: "ArrowRight", ArrowRight: "ArrowLeft", ArrowUp: "ArrowDown", ArrowDown: "ArrowUp" };

/** By arrow keys, and back out of a bay: what is moved does not leave the board. */
function walk(hold: FlatHold, goal: readonly number[], been: Set<string>): boolean {
  const here = String(hold.held?.spot?.at);
  been.add(here);
  return (
    here === String(goal) ||
    Object.entries(ARROWS).some(([there, back]) => {
      hold.key(there, false);
      const now = String(hold.held?.spot?.at);
      if (now === here) return false;
      if (!been.has(now) && walk(hold, goal, been)) return true;
      hold.key(back, false);
      return false;
    })
  );
}

describe.each(Object.entries(TASKS))("a task of %s is solved", (_, { lattice, pieces, region, moves }) => {
  it.each(Object.entries(WAYS))("by %s", (_, way) => {
    const one = hand(lattice, { pieces, region, laid: [] });
    moves.forEach(({ piece, turn, at }, i) => {
      const known = pieces[piece] as Piece;
      const twist = turn === 0 ? null : (["turn", "flip"] as const).find((each) => twisted(known, 0, each) === turn);
      way(one, { piece, turn, at, twist: twist ?? null, cells: cover(known.shapes[turn] ?? [], at) });
      expect(one.asked[i]).toEqual({ piece, turn, at });
      one.hold.lies({ pieces, region, laid: moves.slice(0, i + 1) });
    });
    expect(one.asked).toHaveLength(moves.length);
  });
});

// Five squares by three, and a corner of three.
const wide: Cell[] = [0, 1, 2].flatMap((y) => [0, 1, 2, 3, 4].map((x): Cell => [x, y]));
const [corner, bar] = [face("L3"), face("I2")];
const onWide = (laid: readonly Placement[] = []) => hand(SQUARE, { pieces: [corner, bar], region: wide, laid });
const [CORNER, BAR] = [0, 1];

describe("turning", () => {
  it.each<[string, (hold: FlatHold) => void, number]>([
    ["r", (hold) => hold.key("r", false), 1],
    ["Shift and r", (hold) => hold.key("R", true), 3],
    ["f", (hold) => hold.key("f", false), 3],
    ["the wheel", (hold) => hold.wheeled(false), 1],
    ["the wheel, back", (hold) => hold.wheeled(true), 3],
  ])("by %s", (_, act, turn) => {
    const { hold } = onWide();
    hold.choose(CORNER, "tap");
    act(hold);
    expect([hold.held?.turn, hold.turns]).toEqual([turn, [turn, 0]]);
  });

  it("nothing, with an empty hand", () => {
    const { hold } = onWide();
    hold.twist("turn");
    expect([hold.held, hold.turns]).toEqual([null, [0, 0]]);
  });

  it("what is dragged turns below the pointer, about the middle of its box", () => {
    const { hold, slot, carried } = onWide();
    new Pointer(hold).down(TRAY, slot(BAR)).to(board.at([95, 65]));
    for (const turn of [0, 1]) {
      vi.advanceTimersToNextFrame();
      const [x, y] = boxMiddle(SQUARE, bar.shapes[turn] ?? []);
      expect(carried.at(-1)).toBe(`translate(${(95 - x).toFixed(1)} ${(65 - y).toFixed(1)})`);
      hold.twist("turn");
      expect(hold.held?.spot).toBeNull();
    }
    expect(carried).toHaveLength(2);
  });

  it.each<[string, Lattice, Piece]>([
    ...extreme.pieces.map((one): [string, Lattice, Piece] => [one.name, HEX, one as unknown as Piece]),
    ...faces.map((one): [string, Lattice, Piece] => [one.name, SQUARE, one]),
    ["a card", SQUARE, cards.pieces[0] as unknown as Piece],
  ])("%s, moved by keys, turns about its middle and is back after a whole turn", (_, lattice, piece) => {
    const region = Array.from({ length: 81 }, (_, i): Cell => [i % 9, Math.floor(i / 9)]);
    const { hold } = hand(lattice, { pieces: [piece], region, laid: [] });
    hold.choose(0, "keys");
    const from = hold.held?.spot?.at;
    do {
      const [x, y] = middleOf(hold, piece);
      hold.key("r", false);
      const [nowX, nowY] = middleOf(hold, piece);
      expect(Math.hypot(nowX - x, nowY - y)).toBeLessThan(lattice.pitch);
    } while (hold.held?.turn !== 0);
    expect(hold.held.spot?.at).toEqual(from);
  });

  it("what would leave the board by it goes to the middle: no arrow would lead back", () => {
    const row = [0, 1, 2, 3, 4, 5].map((x): Cell => [x, 0]);
    const { hold } = hand(SQUARE, { pieces: [face("I4")], region: row, laid: [] });
    for (const key of ["1", "r", ...Array<string>(9).fill("ArrowLeft")]) hold.key(key, false);
    expect(hold.held?.spot?.at).toEqual([-3, 0]);
    hold.key("r", false);
    expect(hold.held?.spot?.bad).not.toHaveLength(4);
  });

  it("what is chosen by a tap is shown anew when the mouse moves again", () => {
    const { hold } = onWide();
    hold.choose(BAR, "tap");
    const mouse = new Pointer(hold).to(board.at([240, 120]));
    expect(hold.held?.spot?.at).toEqual([4, 1]);
    hold.twist("turn");
    expect(hold.held?.spot).toBeNull();
    mouse.to(board.at([241, 120]));
    expect(hold.held?.spot?.at).toEqual([3, 2]);
  });
});

describe("by keys", () => {
  it("a piece starts in the middle of the board, or in its first cell if there is no place", () => {
    const { hold } = onWide();
    hold.choose(BAR, "keys");
    expect(hold.held?.spot).toEqual({ at: [2, 0], bad: [] });
    const apart = hand(SQUARE, { pieces: [bar], region: [[0, 0], [9, 0]], laid: [] }); // prettier-ignore
    apart.hold.choose(0, "keys");
    expect(apart.hold.held?.spot).toEqual({ at: [0, 0], bad: [[0, 1]] });
  });

  // prettier-ignore
  it.each([["ArrowLeft", [1, 0]], ["ArrowRight", [3, 0]], ["ArrowDown", [2, 1]]])("%s moves it", (key, at) => {
    const { hold } = onWide();
    hold.choose(BAR, "keys");
    expect([hold.key(key, false), hold.held?.spot?.at]).toEqual([true, at]);
  });

  it("it may stick out, and shows so, but does not leave the board", () => {
    const { hold } = onWide();
    hold.choose(BAR, "keys");
    hold.key("ArrowUp", false);
    expect(hold.held?.spot).toEqual({ at: [2, -1], bad: [[2, -1]] });
    expect(hold.key("ArrowUp", false)).toBe(true);
    expect(hold.held?.spot?.at).toEqual([2, -1]);
  });

  it("an arrow moves what was chosen by a tap from where it is shown", () => {
    const { hold } = onWide();
    hold.choose(BAR, "tap");
    new Pointer(hold).to(board.at([0, 120]));
    hold.key("ArrowRight", false);
    expect(hold.held).toMatchObject({ way: "keys", spot: { at: [1, 1] } });
  });

  it("what is dragged can be turned, but not moved", () => {
    const { hold, slot } = onWide();
    new Pointer(hold).down(TRAY, slot(CORNER)).to(board.at([60, 60]));
    expect(["r", "f", "ArrowLeft", "PageUp"].map((key) => hold.key(key, false))).toEqual([true, true, false, false]);
  });
});

describe("pointing", () => {
  // prettier-ignore
  it.each([[-44, [{ piece: BAR, turn: 0, at: [0, 0] }]], [-46, []]])("at the rim, %i beside a cell's middle", (x, asks) => {
    const { hold, asked, ground } = onWide();
    hold.choose(BAR, "tap");
    new Pointer(hold).tap(board.at([x, 0]), ground);
    expect(asked).toEqual(asks);
  });

  it("at another piece shows which cells are taken", () => {
    const { hold, slot } = onWide([{ piece: CORNER, turn: 0, at: [2, 0] }]);
    new Pointer(hold).down(TRAY, slot(BAR)).to(board.at([180, 90]));
    vi.advanceTimersToNextFrame();
    expect(hold.held?.spot).toMatchObject({ at: [3, 1], bad: [[3, 1]] });
  });

  it("at a board without cells means nothing", () => {
    const { hold, asked, ground } = hand(SQUARE, { pieces: [bar], region: [], laid: [] });
    hold.choose(0, "tap");
    new Pointer(hold).tap(board.at([0, 0]), ground);
    expect(asked).toEqual([]);
  });
});

describe("an open table", () => {
  const pieces = cards.pieces as unknown as Piece[];
  const region = [0, 1, 2, 3, 4, 5].flatMap((y) => [0, 1, 2, 3, 4, 5].map((x): Cell => [x, y]));
  const first: Placement = { piece: 0, turn: 0, at: [0, 1] };
  const open = (laid: readonly Placement[] = []) => hand(SQUARE, { pieces, region, laid, open: true });

  it.each<[string, Placement[], Cell]>([
    ["in the first place of an empty one", [], [0, 0]],
    ["beside all that lies", [first], [2, 1]],
  ])("a card that is moved by keys starts %s", (_, laid, at) => {
    const { hold } = open(laid);
    hold.key("2", false);
    expect(hold.held?.spot).toEqual({ at, bad: [] });
  });

  it("a card may reach beyond what is in sight, but not over another one", () => {
    const { hold } = open([first]);
    hold.key("2", false);
    for (const key of ["ArrowUp", "ArrowUp"]) hold.key(key, false);
    expect(hold.held?.spot).toEqual({ at: [2, -1], bad: [] });
    hold.key("ArrowLeft", false);
    expect(hold.held?.spot?.bad).toEqual([[1, 1]]);
  });

  // prettier-ignore
  it.each<[string, Point, unknown[]]>([
    ["lays the card with its middle there", [210, 180], [{ piece: 1, turn: 0, at: [3, 2] }]],
    ["on another card says that it cannot", [30, 120], ["cannot"]],
    ["out of reach means nothing", [900, 900], []],
  ])("a tap %s", (_, where, asks) => {
    const { hold, asked, ground } = open([first]);
    hold.choose(1, "tap");
    new Pointer(hold).tap(board.at(where), ground);
    expect(asked).toEqual(asks);
  });

  it("a card has no other side, and no room is said in its own words", () => {
    const { hold } = open();
    hold.choose(0, "keys");
    hold.key("f", false);
    expect(hold.held).toMatchObject({ turn: 0, spot: { at: [0, 0] } });
    expect([hold.noRoom, onWide().hold.noRoom]).toEqual(["hint.no_room.open", "hint.no_room"]);
  });
});

/** The twelve symbols on the cards, as paths around their own middle: their outline, and the lines between cells. */

import { box, lines, outline, path } from "./geometry";
import { SQUARE, type Cell, type Lattice } from "./lattice";
import type { ShapeName } from "./shapes";

type SymbolName = Exclude<ShapeName, "I1">;
export const PICTURES: Readonly<Record<SymbolName, string>> = {
  I2: "#/#",
  I3: "#/#/#",
  I4: "#/#/#/#",
  L3: "#./##",
  L4: "#./#./##",
  L5: "#.../####",
  O4: "##/##",
  P5: "##/##/#.",
  S4: ".##/##.",
  T4: "###/.#.",
  Y5: "..#./####",
  Z5: "##./.#./.##",
};
/** No symbol is larger than this share of its square, and no cell of one larger than that: a domino is no giant. */
const [WHOLE, ONE_CELL] = [0.76, 0.26];

export type Drawn = { readonly face: string; readonly joints: string };
const drawn = new Map<string, Drawn>();

/** How a symbol looks in a square of the lattice; null: there is no such symbol. */
export function symbol(name: string): Drawn | null {
  const picture = PICTURES[name as SymbolName] as string | undefined;
  if (picture === undefined) return null;
  const found = drawn.get(name) ?? draw(cellsOf(picture));
  drawn.set(name, found);
  return found;
}

export function cellsOf(picture: string): Cell[] {
  return picture
    .split("/")
    .flatMap((row, y) => [...row].flatMap((place, x) => (place === "#" ? [[x, y] as const] : [])));
}

function draw(cells: readonly Cell[]): Drawn {
  const whole = box(cells, SQUARE);
  const share = Math.min((WHOLE * SQUARE.size) / Math.max(whole.width, whole.height), ONE_CELL);
  // The same squares, smaller and with the symbol's middle as origin.
  const [left, top] = [(whole.x + whole.width / 2) * share, (whole.y + whole.height / 2) * share];
  const small: Lattice = {
    ...SQUARE,
    size: SQUARE.size * share,
    step: [SQUARE.step[0] * share, SQUARE.step[1] * share],
  };
  const { loops, joints } = outline(cells, small);
  const moved = ([x, y]: readonly [number, number]): [number, number] => [x - left, y - top];
  return {
    face: path(
      loops.map((loop) => loop.map(moved)),
      0,
      small.size * 0.13,
    ),
    joints: lines(joints.map(([from, to]) => [moved(from), moved(to)] as const)),
  };
}

/** The card game on the screen: the window on the open table, the hand's rows, and where cards touch. */

import { box, type Box } from "./geometry";
import { SQUARE, type Cell } from "./lattice";
import { cover, type Piece } from "./lay";
import type { Placement } from "./protocol";

/** How many rounds there are, and how many cards have to lie: as they are drawn. The server counts for itself. */
export const [ROUNDS, GOAL] = [6, 7];

/** What is printed on a card besides its symbols, read from its name, `1-17-white`: the round, and which face it is. */
export function printed(name: string): { black: boolean; round: number } {
  const [stack = "", , face = ""] = name.split("-");
  const black = face === "black";
  return { black, round: Number(stack) + (black ? 1 : 0) };
}

/** A card as it lies, or would. */
export type Lying = { readonly piece: Piece; readonly where: Placement; readonly cells: readonly Cell[] };

/** `names`: the hand; a card that is not known (another's, in their hand) lies nowhere. */
export function lying(
  names: readonly (string | null)[],
  laid: readonly Placement[],
  pieces: ReadonlyMap<string, Piece>,
): Lying[] {
  return laid.flatMap((where) => {
    const piece = pieces.get(names[where.piece] ?? "");
    return piece === undefined ? [] : [{ piece, where, cells: cellsOf(piece, where) }];
  });
}

export function cellsOf(piece: Piece, { turn, at }: Pick<Placement, "turn" | "at">): Cell[] {
  return cover(piece.shapes[turn] ?? [], at as Cell);
}

/** The middle of a card, on the board. */
export function middleOf(cells: readonly Cell[]): readonly [number, number] {
  const { x, y, width, height } = box(cells, SQUARE);
  return [x + width / 2, y + height / 2];
}

// Where cards touch

/** A unit edge that two cards share, by its middle. `upright`: it runs up and down. `same`: both symbols are equal. */
type Contact = {
  readonly pieces: readonly [number, number];
  readonly x: number;
  readonly y: number;
  readonly upright: boolean;
  readonly same: boolean;
};

export function contacts(cards: readonly Lying[]): Contact[] {
  const squares = new Map(
    cards.flatMap(({ piece, where, cells }) =>
      cells.map((cell, i) => [String(cell), { card: where.piece, mark: piece.marks?.[i], cell }]),
    ),
  );
  return [...squares.values()].flatMap((one) =>
    [true, false].flatMap((upright) => {
      const [x, y] = one.cell;
      const other = squares.get(String(upright ? [x + 1, y] : [x, y + 1]));
      if (other === undefined || other.card === one.card) return [];
      const [midX, midY] = SQUARE.centre(one.cell);
      const half = SQUARE.size / 2;
      return [
        {
          pieces: [one.card, other.card] as const,
          x: midX + (upright ? half : 0),
          y: midY + (upright ? 0 : half),
          upright,
          same: one.mark === other.mark,
        },
      ];
    }),
  );
}

// The window on the table

/** What is seen of the table: the place at its top left corner, and how many pixels a unit of the board is. */
export type Sight = {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
  readonly width: number;
  readonly height: number;
};

/** Room around all that lies, in cells: what is looked for, less in a small window, and what is enough to leave it. */
const [ROOM, LESS_ROOM, ENOUGH] = [1.4, 0.9, 0.8];
const SMALL = 300;
/** The least number of cells that a window shows, and the largest size of a cell in pixels. */
const [LEAST_WIDE, LEAST_HIGH, LARGEST] = [9, 7, 68];
/** The window zooms in only if everything could be drawn larger by this factor. */
const MUCH = 1.45;
/** How far from the layout a card can be laid, in cells: its own length. */
const LENGTH = 3;

/** No card is laid by hand farther from the middle one than this, in cells; a program can lay one a million cells away. */
const FAR = 64;

/** What lies around that cell, and nothing that was laid far away: it is out of sight. */
function near([middleX, middleY]: Cell, cells: readonly Cell[]): readonly Cell[] {
  return cells.filter(([x, y]) => Math.abs(x - middleX) <= FAR && Math.abs(y - middleY) <= FAR);
}

function middleCell(cells: readonly Cell[]): Cell {
  return [...cells].sort((a, b) => a[0] - b[0] || a[1] - b[1])[cells.length >> 1] ?? [0, 0];
}

/** The window for what lies there, in pixels; it stays as it was (`before`) as long as that will do. */
export function sight(all: readonly Cell[], width: number, height: number, before: Sight | null): Sight {
  const cells = near(middleCell(all), all);
  const taken = cells.length > 0 ? box(cells, SQUARE) : { x: 0, y: 0, width: 0, height: 0 };
  const wanted = grown(taken, Math.min(width, height) < SMALL ? LESS_ROOM : ROOM);
  const wide = Math.max(wanted.width, LEAST_WIDE * SQUARE.size);
  const high = Math.max(wanted.height, LEAST_HIGH * SQUARE.size);
  const scale = Math.min(width / wide, height / high, LARGEST / SQUARE.size);
  const same = before?.width === width && before.height === height;
  if (same && before.scale * MUCH >= scale && within(grown(taken, ENOUGH), before)) return before;
  const [midX, midY] = [taken.x + taken.width / 2, taken.y + taken.height / 2];
  return { x: midX - width / scale / 2, y: midY - height / scale / 2, scale, width, height };
}

/** The cells in reach: those in the window, and those around the layout up to the length of a card. */
export function reach(all: readonly Cell[], { x, y, scale, width, height }: Sight): Cell[] {
  const cells = near(SQUARE.cellAt([x + width / scale / 2, y + height / scale / 2]), all);
  const [first, last] = [SQUARE.cellAt([x, y]), SQUARE.cellAt([x + width / scale, y + height / scale])];
  // A cell that is cut by the window's edge is not in it.
  const xs = [first[0] + 1, last[0] - 1, ...cells.flatMap(([cellX]) => [cellX - LENGTH, cellX + LENGTH])];
  const ys = [first[1] + 1, last[1] - 1, ...cells.flatMap(([, cellY]) => [cellY - LENGTH, cellY + LENGTH])];
  return numbers(ys).flatMap((cellY) => numbers(xs).map((cellX) => [cellX, cellY] as const));
}

function numbers(ends: readonly number[]): number[] {
  const [from, to] = [Math.min(...ends), Math.max(...ends)];
  return Array.from({ length: to - from + 1 }, (_, i) => from + i);
}

function grown({ x, y, width, height }: Box, by: number): Box {
  const margin = by * SQUARE.size;
  return { x: x - margin, y: y - margin, width: width + 2 * margin, height: height + 2 * margin };
}

function within(inner: Box, { x, y, scale, width, height }: Sight): boolean {
  return (
    inner.x >= x &&
    inner.y >= y &&
    inner.x + inner.width <= x + width / scale &&
    inner.y + inner.height <= y + height / scale
  );
}

// The hand

/** A card is two squares wide upright and three on its side. */
export const widthOf = (turn: number): number => (turn % 2 === 0 ? 2 : 3);

/**
 * How large a square of the cards in the hand is, in whole pixels: as large as they all fit, in as many rows as that
 * takes. `widths` are the cards' own, in squares. Before there is any room it is nothing.
 */
export function handSize(widths: readonly number[], room: Room, most: number): number {
  for (let size = Math.floor(most); size > 0; size -= 1) if (heightOf(widths, size, room) <= room.height) return size;
  return 0;
}

/** What a hand is laid into. `label`: what stands below each card. All in pixels. */
export type Room = {
  readonly width: number;
  readonly height: number;
  readonly gap: readonly [row: number, column: number];
  readonly label: number;
};

/** How high the rows are that a style sheet's wrapping makes of them. */
function heightOf(widths: readonly number[], size: number, { width, gap, label }: Room): number {
  const rows: { width: number; squares: number }[] = [];
  for (const wide of widths) {
    const row = rows.at(-1);
    const squares = CARD_SIDES - wide;
    const longer = row === undefined ? 0 : row.width + gap[1] + wide * size;
    if (row === undefined || longer > width) rows.push({ width: wide * size, squares });
    else [row.width, row.squares] = [longer, Math.max(row.squares, squares)];
  }
  if (rows.some((row) => row.width > width)) return Infinity;
  return rows.reduce((sum, row) => sum + row.squares * size + label, gap[0] * (rows.length - 1));
}

/** A card is two squares by three, either way round. */
const CARD_SIDES = 5;

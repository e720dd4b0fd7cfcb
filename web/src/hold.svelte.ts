/**
 * The piece in the hand: dragged by mouse, pen or finger, chosen by a tap, or moved by keys. Only my hand knows of it.
 *
 * While it is dragged, only its layer's transform changes from frame to frame; the rest is drawn anew when the place
 * below it is another one.
 */

import { box, middle } from "./geometry";
import type { Cell, Lattice, Point } from "./lattice";
import { clashes, cover, keys, reseat, shift, snap, tapped, twisted } from "./lay";
import type { Cells, Piece, Spot, Twist } from "./lay";
import type { Placement } from "./protocol";

export type Held = {
  readonly piece: number;
  readonly turn: number;
  readonly way: "drag" | "tap" | "keys";
  /** Where it would lie, and what is wrong there. */
  readonly spot: Spot | null;
};
/** What the hand can ask for. */
export type Does = {
  readonly place: (piece: number, turn: number, at: Cell) => void;
  readonly lift: (piece: number) => void;
  readonly cannot: () => void;
};
/** What there is to lay on. */
export type Ground = {
  readonly pieces: readonly Piece[];
  readonly region: readonly Cell[];
  readonly laid: readonly Placement[];
  /** The first so many pieces stay as they are. */
  readonly ink?: number;
  /** An open table: the region is as much of it as is in reach, and a tap means the piece's middle. */
  readonly open?: boolean;
};
type Press = { pointer: number; piece: number; x: number; y: number; finger: boolean; grip: Point | null };

/** Moved less than this, in pixels, a press is a tap. */
const TAP = 7;

export class Hold {
  held: Held | null = $state.raw(null);
  /** How the pieces in the tray are turned. */
  turns: readonly number[] = $state.raw([]);
  board: SVGGraphicsElement | null = null;
  layer: SVGGElement | null = null;
  private ground: Ground = { pieces: [], region: [], laid: [] };
  private region: Cells = new Set();
  private press: Press | null = null;
  /** Where the dragged piece's origin is, on the board. */
  private origin: Point = [0, 0];
  private grip: Point = [0, 0];
  private frame = 0;

  constructor(
    readonly lattice: Lattice,
    private readonly does: Does,
  ) {}

  /** What lies there now. Another task empties the hand. */
  lies(ground: Ground): void {
    if (ground.pieces !== this.ground.pieces) {
      this.turns = ground.pieces.map(() => 0);
      this.drop();
    }
    if (ground.region !== this.ground.region) this.region = keys(ground.region);
    this.ground = ground;
    // What is lifted stays turned as it lay.
    const turns = this.turns.map((turn, i) => this.laidAt(i)?.turn ?? turn);
    if (String(turns) !== String(this.turns)) this.turns = turns;
  }

  drop(): void {
    this.held = null;
    this.press = null;
    cancelAnimationFrame(this.frame);
    this.frame = 0;
  }

  // By pointer

  /** Pressed on a piece, in the tray or where it lies. */
  pressed(event: PointerEvent, piece: number, root: Element): void {
    if (event.button !== 0 || this.press !== null) return;
    root.setPointerCapture(event.pointerId);
    const laid = this.laidAt(piece);
    const here = this.toBoard(event);
    const from = laid === undefined ? null : this.lattice.centre(laid.at as Cell);
    const grip: Point | null = from === null ? null : [here[0] - from[0], here[1] - from[1]];
    const finger = event.pointerType === "touch";
    this.press = { pointer: event.pointerId, piece, x: event.clientX, y: event.clientY, finger, grip };
  }

  moved(event: PointerEvent): void {
    const press = this.press;
    if (press === null || press.pointer !== event.pointerId) {
      if (event.pointerType === "mouse") this.hovered(event);
      return;
    }
    if (this.held?.way !== "drag") {
      if (Math.hypot(event.clientX - press.x, event.clientY - press.y) < TAP) return;
      this.take(press);
    }
    const [x, y] = this.toBoard(event);
    this.origin = [x - this.grip[0], y - this.grip[1]];
    this.frame ||= requestAnimationFrame(() => this.follow());
  }

  released(event: PointerEvent): void {
    const press = this.press;
    if (press === null || press.pointer !== event.pointerId) return;
    this.press = null;
    if (this.held?.way !== "drag") {
      this.tap(press.piece);
      return;
    }
    if (this.frame !== 0) this.follow();
    this.letGo();
  }

  cancelled(): void {
    if (this.press !== null) this.drop();
  }

  /** A tap on the board, with a piece chosen: it lies over that cell, if it can. */
  tappedBoard(event: PointerEvent): void {
    const held = this.held;
    if (held === null || held.way === "drag" || this.press !== null) return;
    const at = this.aimed(event, held);
    if (at === null) this.does.cannot();
    else if (at !== undefined) this.lay(held.piece, held.turn, at);
  }

  private hovered(event: PointerEvent): void {
    const held = this.held;
    if (held === null || held.way !== "tap") return;
    const at = this.aimed(event, held) ?? null;
    if (String(at) !== String(held.spot?.at ?? null)) this.held = { ...held, spot: at && { at, bad: [] } };
  }

  /** Where a chosen piece would lie if it was tapped there; null: it has no room, undefined: nothing is meant. */
  private aimed(event: PointerEvent, held: Held): Cell | null | undefined {
    const [shape, taken] = [this.shape(held), this.taken(held.piece)];
    if (this.ground.open) {
      const [[x, y], [midX, midY]] = [this.toBoard(event), middle(shape, this.lattice)];
      const spot = snap(this.lattice, shape, [x - midX, y - midY], this.region, taken);
      return spot === null ? undefined : spot.bad.length > 0 ? null : spot.at;
    }
    const cell = this.cellOf(event);
    return cell === null ? undefined : tapped(this.lattice, shape, cell, this.region, taken);
  }

  private tap(piece: number): void {
    if (this.laidAt(piece) !== undefined) this.does.lift(piece);
    else if (this.held?.piece === piece) this.drop();
    else this.choose(piece, "tap");
  }

  private take({ piece, grip, finger }: Press): void {
    const turn = this.turnOf(piece);
    this.held = { piece, turn, way: "drag", spot: null };
    const frame = box(this.shape(this.held), this.lattice);
    this.grip = grip ?? [frame.x + frame.width / 2, frame.y + frame.height / 2];
    // A finger hides what is below it: the piece rides a cell above.
    if (finger) this.grip = [this.grip[0], this.grip[1] + this.lattice.pitch];
  }

  private follow(): void {
    this.frame = 0;
    const held = this.held;
    if (held === null) return;
    this.layer?.setAttribute("transform", `translate(${this.origin[0].toFixed(1)} ${this.origin[1].toFixed(1)})`);
    const spot = snap(this.lattice, this.shape(held), this.origin, this.region, this.taken(held.piece));
    if (String(spot?.at) !== String(held.spot?.at)) this.held = { ...held, spot };
  }

  private letGo(): void {
    const { held } = this;
    if (held === null) return;
    const { piece, turn, spot } = held;
    if (spot !== null && spot.bad.length === 0) {
      this.lay(piece, turn, spot.at);
      return;
    }
    this.drop();
    if (this.laidAt(piece) !== undefined) this.does.lift(piece);
    else if (spot !== null) this.does.cannot();
  }

  // By keys

  choose(piece: number, way: "tap" | "keys"): void {
    const turn = this.turnOf(piece);
    const laid = this.laidAt(piece);
    this.held = { piece, turn, way, spot: null };
    if (way === "keys") this.put((laid?.at as Cell | undefined) ?? this.middleCell(piece, turn));
  }

  /** A key; true if it meant something. */
  key(key: string, shifted: boolean): boolean {
    const held = this.held;
    const number = Number(key);
    const ink = this.ground.ink ?? 0;
    if (number >= 1 && number <= this.ground.pieces.length - ink) {
      this.choose(ink + number - 1, "keys");
      return true;
    }
    if (held === null) return false;
    const from = held.spot?.at ?? this.middleCell(held.piece, held.turn);
    const next = held.way === "drag" ? null : this.lattice.stepped(from, key);
    if (next !== null) {
      this.held = { ...held, way: "keys" };
      if (this.inReach(held, next)) this.put(next);
      return true;
    }
    switch (key.toLowerCase()) {
      case "r":
        this.twist(shifted ? "back" : "turn");
        return true;
      case "f":
        this.twist("flip");
        return true;
      case "escape":
        this.drop();
        return true;
      case "enter":
      case " ":
        if (held.way === "drag" || held.spot === null) return false;
        if (held.spot.bad.length > 0) this.does.cannot();
        else this.lay(held.piece, held.turn, held.spot.at);
        return true;
      case "backspace":
      case "delete":
        if (this.laidAt(held.piece) !== undefined) this.does.lift(held.piece);
        this.drop();
        return true;
      default:
        return false;
    }
  }

  /** Turns or flips what is in the hand, about its own middle. */
  twist(twist: Twist): void {
    const held = this.held;
    const piece = held === null ? undefined : this.ground.pieces[held.piece];
    if (held === null || piece === undefined) return;
    const turn = twisted(piece, held.turn, twist);
    const [before, now] = [piece.shapes[held.turn] ?? [], piece.shapes[turn] ?? []];
    this.turns = this.turns.map((old, i) => (i === held.piece ? turn : old));
    this.held = { ...held, turn, spot: null };
    if (held.way === "drag") {
      const [dx, dy] = shift(this.lattice, before, now);
      this.grip = [this.grip[0] - dx, this.grip[1] - dy];
      this.origin = [this.origin[0] + dx, this.origin[1] + dy];
      this.frame ||= requestAnimationFrame(() => this.follow());
    } else if (held.spot !== null && held.way === "keys") {
      this.put(reseat(this.lattice, before, now, held.spot.at));
    }
  }

  private put(at: Cell): void {
    const held = this.held;
    if (held === null) return;
    const bad = clashes(this.shape(held), at, this.ground.open ? null : this.region, this.taken(held.piece));
    this.held = { ...held, spot: { at, bad } };
  }

  // What lies where

  private lay(piece: number, turn: number, at: Cell): void {
    this.drop();
    this.does.place(piece, turn, at);
  }

  private shape({ piece, turn }: Pick<Held, "piece" | "turn">): readonly Cell[] {
    return this.ground.pieces[piece]?.shapes[turn] ?? [];
  }

  private laidAt(piece: number): Placement | undefined {
    return this.ground.laid.find((where) => where.piece === piece);
  }

  private turnOf(piece: number): number {
    return this.laidAt(piece)?.turn ?? this.turns[piece] ?? 0;
  }

  private taken(except: number): Cells {
    const others = this.ground.laid.filter(({ piece }) => piece !== except);
    return keys(others.flatMap((where) => cover(this.shape(where), where.at as Cell)));
  }

  /** A piece may stick out while it is moved by keys, but not leave the board. */
  private inReach(held: Held, at: Cell): boolean {
    return cover(this.shape(held), at).some((cell) => this.region.has(String(cell)));
  }

  /** Where a piece starts from that is moved by keys: the middle; on an open table beside all that lies. */
  private middleCell(piece: number, turn: number): Cell {
    if (this.ground.open) {
      const taken = this.ground.laid.flatMap((where) => cover(this.shape(where), where.at as Cell));
      if (taken.length === 0) return [0, 0];
      const rows = taken.map(([, y]) => y);
      return [Math.max(...taken.map(([x]) => x)) + 1, Math.round((Math.min(...rows) + Math.max(...rows)) / 2) - 1];
    }
    const frame = box(this.ground.region, this.lattice);
    const origin: Point = [frame.x + frame.width / 2, frame.y + frame.height / 2];
    const own = box(this.shape({ piece, turn }), this.lattice);
    const at: Point = [origin[0] - own.x - own.width / 2, origin[1] - own.y - own.height / 2];
    const free = snap(this.lattice, this.shape({ piece, turn }), at, this.region, this.taken(piece));
    return free?.at ?? (this.ground.region[0] as Cell);
  }

  /** The cell of the region below a pointer: who points at the rim means the cell beside it. */
  private cellOf(event: PointerEvent): Cell | null {
    const [x, y] = this.toBoard(event);
    const away = (cell: Cell): number => {
      const [midX, midY] = this.lattice.centre(cell);
      return Math.hypot(midX - x, midY - y);
    };
    const [first, ...rest] = this.ground.region;
    if (first === undefined) return null;
    const best = rest.reduce((found, cell) => (away(cell) < away(found) ? cell : found), first);
    return away(best) < this.lattice.pitch * 0.75 ? best : null;
  }

  private toBoard(event: PointerEvent): Point {
    const matrix = this.board?.getScreenCTM();
    if (matrix === null || matrix === undefined) return [0, 0];
    const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
    return [x, y];
  }
}

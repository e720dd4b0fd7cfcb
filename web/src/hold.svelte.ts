/**
 * The piece in the hand: dragged by mouse, pen or finger, chosen by a tap, or moved by keys. Only my hand knows of it.
 *
 * What a hand does is the same on every board; where its piece would lie differs between flat boards and 3-D, and is
 * in `flat` and in `solid/hold`. While it is dragged, only its layer's transform changes from frame to frame;
 * the rest is drawn anew when the place below it is another one. Longer than other files: pointer, tap and key are three
 * ways to move one thing, and one may begin what another ends.
 */

import type { Point } from "./geometry";
import { t, type Key } from "./i18n/index.svelte";
import { clashes, cover, keys, type Cells, type Place, type Shaped, type Spot } from "./lay";
import type { Placement } from "./protocol";

export type Held<At extends Place = Place> = {
  readonly piece: number;
  readonly turn: number;
  readonly way: "drag" | "tap" | "keys";
  /** Where it would lie, and what is wrong there. */
  readonly spot: Spot<At> | null;
};
/** What the hand can ask for. */
export type Does = {
  readonly place: (piece: number, turn: number, at: Place) => void;
  readonly lift: (piece: number) => void;
  readonly cannot: () => void;
};
/** What there is to lay on. */
export type Ground<At extends Place = Place, One extends Shaped<At> = Shaped<At>> = {
  readonly pieces: readonly One[];
  readonly region: readonly At[];
  readonly laid: readonly Placement[];
  /** The number of pieces, from the first, that stay as they are. */
  readonly ink?: number;
  /** An open table: the region is as much of it as is in reach, and a tap means the piece's middle. */
  readonly open?: boolean;
};
/** A place on the screen. */
export type Where = { readonly clientX: number; readonly clientY: number };
/** Pressed on a piece, or on nothing (null); `tap` is what it means if nothing is dragged. */
type Press = {
  readonly pointer: number;
  readonly piece: number | null;
  readonly finger: boolean;
  /** How far from the piece's middle it was gripped. */
  readonly grip: Point;
  readonly tap: () => void;
  readonly from: Where;
  /** Where the pointer is now; null: it has not gone far enough to drag. */
  to: Where | null;
};

/** Moved less than this, in pixels, a press is a tap. */
const TAP = 7;

export abstract class Hold<At extends Place = Place, One extends Shaped<At> = Shaped<At>> {
  held: Held<At> | null = $state.raw(null);
  /** How the pieces in the tray are turned. */
  turns: readonly number[] = $state.raw([]);
  board: SVGGraphicsElement | null = null;
  layer: SVGGElement | null = null;
  protected ground: Ground<At, One> = { pieces: [], region: [], laid: [] };
  protected region: Cells = new Set();
  private press: Press | null = null;
  private pointer: Where = { clientX: 0, clientY: 0 };
  private grip: Point = [0, 0];
  private frame = 0;

  constructor(protected readonly does: Does) {}

  // What differs between flat boards and 3-D

  /** How far above a finger, which hides what is below it, a piece is carried; as the board measures. */
  protected abstract readonly above: number;
  /** The message when there is no room. */
  abstract readonly noRoom: Key;
  /** The middle of some cells, on the board. */
  protected abstract middleOf(cells: readonly At[]): Point;
  /** A piece that is dragged so that its middle is here: where its layer is, and where it would lie. */
  protected abstract carried(held: Held<At>, middle: Point, where: Where): { layer: Point; spot: Spot<At> | null };
  /** Where a chosen piece would lie if it was tapped there; null: it has no room, undefined: no place was meant. */
  protected abstract aimed(held: Held<At>, where: Where): At | null | undefined;
  /** Where a piece starts from that is moved by keys. */
  protected abstract start(): void;
  /** A key that moves or turns the held piece; true if it was handled. */
  protected abstract moves(held: Held<At>, key: string, shifted: boolean): boolean;
  /** The position of some cells, for screen readers; `what` is there. */
  abstract told(cells: readonly At[], what: string): string;
  /** By the wheel: a step on, or back. */
  abstract wheeled(back: boolean): void;
  /** Pressed on the board, outside of everything that can be pressed itself. `fixed`: nothing can be laid. */
  abstract pressedBoard(event: PointerEvent, root: Element, fixed: boolean): void;

  /** A key that changes the point of view; true if it was handled. */
  looked(_key: string, _shifted: boolean): boolean {
    return false;
  }

  /** The ground was dragged by that many pixels. */
  protected swept(_dx: number, _dy: number): void {}

  // What lies, and what is in the hand

  /** What lies there now. Other pieces empty the hand. */
  lies(ground: Ground<At, One>): void {
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

  choose(piece: number, way: "tap" | "keys"): void {
    this.take({ piece, turn: this.turnOf(piece), way, spot: null });
    if (way !== "keys") return;
    const laid = this.laidAt(piece);
    if (laid !== undefined) this.put(laid.at as unknown as At);
    else this.start();
  }

  protected take(held: Held<At>): void {
    this.held = held;
  }

  protected put(at: At): void {
    const held = this.held;
    if (held === null) return;
    const bad = clashes(this.shape(held), at, this.ground.open ? null : this.region, this.taken(held.piece));
    this.held = { ...held, spot: { at, bad } };
  }

  protected lay(piece: number, turn: number, at: At): void {
    this.drop();
    this.does.place(piece, turn, at);
  }

  /** What is in the hand is turned so now; where it lies then is still to be said. */
  protected turned(held: Held<At>, turn: number): Held<At> {
    this.turns = this.turns.map((old, i) => (i === held.piece ? turn : old));
    return (this.held = { ...held, turn, spot: null });
  }

  // By pointer

  /** Pressed on a piece's place in the tray. */
  pressedSlot(event: PointerEvent, piece: number, root: Element): void {
    this.pressed(event, piece, root, () => this.tap(piece));
  }

  /** Pressed on a piece where it lies. */
  pressedLaid(event: PointerEvent, piece: number, root: Element, tap = () => this.tap(piece)): void {
    const laid = this.laidAt(piece);
    const [here, from] = [this.toBoard(event), this.middleOf(laid === undefined ? [] : this.cells(laid))];
    this.pressed(event, piece, root, tap, [here[0] - from[0], here[1] - from[1]]);
  }

  protected pressed(
    event: PointerEvent,
    piece: number | null,
    root: Element,
    tap: () => void,
    grip: Point = [0, 0],
  ): void {
    if (event.button !== 0 || this.press !== null) return;
    root.setPointerCapture(event.pointerId);
    const finger = event.pointerType === "touch";
    this.press = { pointer: event.pointerId, piece, finger, grip, tap, from: event, to: null };
  }

  moved(event: PointerEvent): void {
    const press = this.press;
    if (press === null || press.pointer !== event.pointerId) {
      if (event.pointerType === "mouse") this.hovered(event);
      return;
    }
    const { from, piece } = press;
    if (press.to === null && Math.hypot(event.clientX - from.clientX, event.clientY - from.clientY) < TAP) return;
    const { clientX, clientY } = press.to ?? from;
    press.to = event;
    if (piece === null) {
      this.swept(event.clientX - clientX, event.clientY - clientY);
      if (this.held?.way === "tap") this.held = { ...this.held, spot: null };
      return;
    }
    if (this.held?.way !== "drag") {
      this.take({ piece, turn: this.turnOf(piece), way: "drag", spot: null });
      this.grip = [press.grip[0], press.grip[1] + (press.finger ? this.above : 0)];
    }
    this.pointer = event;
    this.followSoon();
  }

  released(event: PointerEvent): void {
    const press = this.press;
    if (press === null || press.pointer !== event.pointerId) return;
    this.press = null;
    if (this.held?.way === "drag") {
      if (this.frame !== 0) this.follow();
      this.letGo();
    } else if (press.to === null) {
      press.tap();
    }
  }

  cancelled(event: PointerEvent): void {
    if (this.press?.pointer === event.pointerId) this.drop();
  }

  /** Lays the chosen piece there, if possible. */
  protected layAt(where: Where): void {
    const held = this.held;
    if (held === null) return;
    const at = this.aimed(held, where);
    if (at === null) this.does.cannot();
    else if (at !== undefined) this.lay(held.piece, held.turn, at);
  }

  private tap(piece: number): void {
    if (this.laidAt(piece) !== undefined) this.does.lift(piece);
    else if (this.held?.piece === piece) this.drop();
    else this.choose(piece, "tap");
  }

  private hovered(where: Where): void {
    const held = this.held;
    if (held === null || held.way !== "tap") return;
    const at = this.aimed(held, where) ?? null;
    if (String(at) !== String(held.spot?.at ?? null)) this.held = { ...held, spot: at && { at, bad: [] } };
  }

  protected followSoon(): void {
    this.frame ||= requestAnimationFrame(() => this.follow());
  }

  private follow(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    const held = this.held;
    if (held?.way !== "drag") return;
    const [x, y] = this.toBoard(this.pointer);
    const { layer, spot } = this.carried(held, [x - this.grip[0], y - this.grip[1]], this.pointer);
    this.layer?.setAttribute("transform", `translate(${layer[0].toFixed(1)} ${layer[1].toFixed(1)})`);
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

  /** A key; true if it was handled. */
  key(key: string, shifted: boolean): boolean {
    const number = Number(key);
    const ink = this.ground.ink ?? 0;
    if (number >= 1 && number <= this.ground.pieces.length - ink) {
      this.choose(ink + number - 1, "keys");
      return true;
    }
    if (this.looked(key, shifted)) return true;
    const held = this.held;
    if (held === null) return false;
    switch (key) {
      case "Escape":
        this.drop();
        return true;
      case "Enter":
      case " ":
        if (held.way === "drag" || held.spot === null) return false;
        if (held.spot.bad.length > 0) this.does.cannot();
        else this.lay(held.piece, held.turn, held.spot.at);
        return true;
      case "Backspace":
      case "Delete":
        if (this.laidAt(held.piece) !== undefined) this.does.lift(held.piece);
        this.drop();
        return true;
      default:
        return this.moves(held, key, shifted);
    }
  }

  /** Where the held piece would lie, and whether it can, for screen readers; empty: nowhere yet. */
  tellSpot(): string {
    const held = this.held;
    if (held === null || held.spot === null) return "";
    const what = held.spot.bad.length > 0 ? t("said.no_room") : t("said.fits");
    return this.told(cover(this.shape(held), held.spot.at), what);
  }

  // What lies where

  protected shape({ piece, turn }: Pick<Held, "piece" | "turn">): readonly At[] {
    return this.ground.pieces[piece]?.shapes[turn] ?? [];
  }

  protected cells(where: Placement): At[] {
    return cover(this.shape(where), where.at);
  }

  protected laidAt(piece: number): Placement | undefined {
    return this.ground.laid.find((where) => where.piece === piece);
  }

  private turnOf(piece: number): number {
    return this.laidAt(piece)?.turn ?? this.turns[piece] ?? 0;
  }

  protected taken(except: number): Cells {
    const others = this.ground.laid.filter(({ piece }) => piece !== except);
    return keys(others.flatMap((where) => this.cells(where)));
  }

  protected toBoard(where: Where): Point {
    return on(this.board, where);
  }
}

/** A place on the screen, as a drawing's own. */
export function on(drawing: SVGGraphicsElement | null | undefined, { clientX, clientY }: Where): Point {
  const matrix = drawing?.getScreenCTM();
  if (matrix === null || matrix === undefined) return [0, 0];
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
  return [x, y];
}

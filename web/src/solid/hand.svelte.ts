/**
 * The block in the hand: dragged by mouse, pen or finger, chosen by a tap, or moved by keys. Only my hand knows of it.
 *
 * One points at the place where it would lie; the block itself rides above, so that it does not hide it. While it is
 * dragged, only its layer's transform changes from frame to frame; the rest is drawn anew when its place is another one.
 */

import type { Point } from "../geometry";
import { SQUARE } from "../lattice";
import type { Placement } from "../protocol";
import { moving } from "../settings.svelte";
import { clashes, cover, keys, levelsOf, nearest, planned, settled, stepped, tapped, twisted } from "./lay";
import type { Block, Cells, Spot } from "./lay";
import type { Orbit } from "./orbit.svelte";
import { hit, middle, plus, project, under, UNIT, type Axis, type Cube, type Cubes } from "./space";

export type Held = {
  readonly piece: number;
  readonly turn: number;
  readonly way: "drag" | "tap" | "keys";
  /** Where it would lie, and what is wrong there. */
  readonly spot: Spot | null;
};
/** What the hand can ask for. */
export type Does = {
  readonly place: (piece: number, turn: number, at: Cube) => void;
  readonly lift: (piece: number) => void;
  readonly cannot: () => void;
};
type Ground = { blocks: readonly Block[]; region: Cubes; laid: readonly Placement[] };
/** Pressed on a block, or on nothing (null); `tap` is what it means if nothing is dragged. */
type Press = {
  readonly pointer: number;
  readonly piece: number | null;
  readonly x: number;
  readonly y: number;
  readonly finger: boolean;
  readonly grip: Point;
  readonly tap: () => void;
};

/** Moved less than this, in pixels, a press is a tap; two taps within this time are a double one. */
const TAP = 7;
const DOUBLE = 350;
/** How high above its place a held block rides; and how far above a finger, which hides what is below it, one aims. */
export const RIDES = 1.2;
const FINGER = UNIT * 1.1;
const TURN_MS = 160;

export class Hand {
  held: Held | null = $state.raw(null);
  /** How the blocks in the tray are turned. */
  turns: readonly number[] = $state.raw([]);
  /** A block on its way from one turn to the next: about which axis, and how far it still has to go. */
  spin: { axis: Axis; left: number } | null = $state.raw(null);
  /** Over a level's plan, which the block would hide. */
  overPlan = $state.raw(false);
  /** The level that was asked for; null: the lowest that is free. */
  private level: number | null = null;
  board: SVGSVGElement | null = null;
  layer: SVGGElement | null = null;
  /** The plans, by level: seen from above, far is up. */
  readonly plans: (SVGSVGElement | null)[] = [];
  private ground: Ground = { blocks: [], region: [], laid: [] };
  private region: Cells = new Set();
  private levels = 0;
  private rows = 0;
  private press: Press | null = null;
  private pointer: Point = [0, 0];
  private grip: Point = [0, 0];
  private dragged: Point = [0, 0];
  private frame = 0;
  private turning = 0;
  private tapped = 0;

  constructor(
    private readonly does: Does,
    readonly orbit: Orbit,
  ) {}

  /** What lies there now. Another task empties the hand. */
  lies(ground: Ground): void {
    if (ground.region !== this.ground.region || ground.blocks !== this.ground.blocks) {
      this.turns = ground.blocks.map(() => 0);
      this.drop();
      this.region = keys(ground.region);
      this.levels = Math.max(-1, ...ground.region.map(([, , z]) => z)) + 1;
      this.rows = Math.max(-1, ...ground.region.map(([, y]) => y)) + 1;
    }
    this.ground = ground;
    // What is lifted stays turned as it lay.
    const turns = this.turns.map((turn, i) => this.laidAt(i)?.turn ?? turn);
    if (String(turns) !== String(this.turns)) this.turns = turns;
  }

  drop(): void {
    this.held = null;
    this.press = null;
    this.level = null;
    this.overPlan = false;
    this.spin = null;
    cancelAnimationFrame(this.frame);
    cancelAnimationFrame(this.turning);
    this.frame = 0;
  }

  // By pointer

  /** Pressed on a slot of the tray. */
  pressedSlot(event: PointerEvent, piece: number, root: Element): void {
    this.pressed(event, piece, root, () => {
      if (this.laidAt(piece) !== undefined) this.does.lift(piece);
      else if (this.held?.piece === piece) this.drop();
      else this.choose(piece, "tap");
    });
  }

  /** Pressed on the board: on a block that lies there, or beside them all. `fixed`: to look only. */
  pressedBoard(event: PointerEvent, root: Element, fixed: boolean): void {
    const here = this.toBoard(event);
    const found = hit(here, this.lying(), this.orbit.look);
    const laid = found === null || fixed ? undefined : this.ground.laid[found.block];
    const piece = laid?.piece ?? null;
    const from = laid === undefined ? here : project(this.orbit.look, middle(this.cells(laid)));
    const tap = (): void => {
      if (this.held !== null) this.layIn(this.pointedAt(here));
      else if (piece !== null) this.does.lift(piece);
      else this.tappedGround(event.timeStamp);
    };
    this.pressed(event, piece, root, tap, [here[0] - from[0], here[1] - from[1]]);
  }

  /** Pressed on a cell of a level's plan. */
  pressedCell(event: PointerEvent, cell: Cube, root: Element): void {
    this.pressed(event, this.lyingIn(cell), root, () => this.use(cell));
  }

  /** `grip`: how far from the block's middle it was gripped. */
  private pressed(
    event: PointerEvent,
    piece: number | null,
    root: Element,
    tap: () => void,
    grip: Point = [0, 0],
  ): void {
    if (event.button !== 0 || this.press !== null) return;
    root.setPointerCapture(event.pointerId);
    const finger = event.pointerType === "touch";
    this.press = { pointer: event.pointerId, piece, x: event.clientX, y: event.clientY, finger, grip, tap };
    this.dragged = [event.clientX, event.clientY];
  }

  moved(event: PointerEvent): void {
    const press = this.press;
    if (press === null || press.pointer !== event.pointerId) {
      if (event.pointerType === "mouse") this.hovered(event);
      return;
    }
    const far = Math.hypot(event.clientX - press.x, event.clientY - press.y) >= TAP;
    if (press.piece === null) {
      if (!far && this.dragged[0] === press.x && this.dragged[1] === press.y) return;
      this.orbit.drag(event.clientX - this.dragged[0], event.clientY - this.dragged[1]);
      this.dragged = [event.clientX, event.clientY];
      if (this.held?.way === "tap") this.held = { ...this.held, spot: null };
      return;
    }
    if (this.held?.way !== "drag") {
      if (!far) return;
      this.take(press.piece, press);
    }
    this.pointer = [event.clientX, event.clientY];
    this.frame ||= requestAnimationFrame(() => this.follow());
  }

  released(event: PointerEvent): void {
    const press = this.press;
    if (press === null || press.pointer !== event.pointerId) return;
    this.press = null;
    if (this.held?.way === "drag") {
      if (this.frame !== 0) {
        cancelAnimationFrame(this.frame);
        this.follow();
      }
      this.letGo();
    } else if (this.dragged[0] === press.x && this.dragged[1] === press.y) {
      press.tap();
    }
  }

  cancelled(): void {
    if (this.press !== null) this.drop();
  }

  /** A cell was tapped, or pressed by a key: what is chosen goes there, or what lies there is lifted. */
  use(cell: Cube): void {
    const piece = this.lyingIn(cell);
    if (this.held !== null && (piece === null || piece === this.held.piece)) this.layIn(cell);
    else if (piece !== null) this.does.lift(piece);
  }

  private layIn(cell: Cube | null): void {
    const held = this.held;
    if (held === null || cell === null) return;
    const at = tapped(this.shape(held), cell, this.region, this.taken(held.piece));
    if (at === null) this.does.cannot();
    else this.lay(held.piece, held.turn, at);
  }

  /** Two taps beside everything: the first view again. */
  private tappedGround(now: number): void {
    if (now - this.tapped < DOUBLE) this.orbit.reset();
    this.tapped = now;
  }

  private hovered(event: PointerEvent): void {
    const held = this.held;
    if (held === null || held.way !== "tap") return;
    const level = this.levelUnder(event);
    const cell = level === null ? this.pointedAt(this.toBoard(event)) : this.planCell(event, level);
    const at = cell && tapped(this.shape(held), cell, this.region, this.taken(held.piece));
    if (String(at) !== String(held.spot?.at ?? null)) this.held = { ...held, spot: at && { at, bad: [] } };
  }

  private take(piece: number, { grip, finger }: Press): void {
    this.level = null;
    this.held = { piece, turn: this.turnOf(piece), way: "drag", spot: null };
    this.grip = finger ? [0, FINGER] : grip;
  }

  private follow(): void {
    this.frame = 0;
    const held = this.held;
    if (held?.way !== "drag") return;
    const [clientX, clientY] = this.pointer;
    const [x, y] = this.toBoard({ clientX, clientY });
    const aim: Point = [x - this.grip[0], y - this.grip[1]];
    const [, up] = project(this.orbit.look, [0, 0, RIDES]);
    this.layer?.setAttribute("transform", `translate(${aim[0].toFixed(1)} ${(aim[1] + up).toFixed(1)})`);
    const level = this.levelUnder({ clientX, clientY });
    if (this.overPlan !== (level !== null)) this.overPlan = level !== null;
    const { region } = this.ground;
    const [shape, taken] = [this.shape(held), this.taken(held.piece)];
    const spot =
      level === null
        ? nearest(shape, aim, this.orbit.look, region, taken, this.levels, this.level)
        : planned(shape, this.toPlan({ clientX, clientY }, level), level, region, taken, this.levels);
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
    this.level = null;
    this.held = { piece, turn, way, spot: null };
    if (way !== "keys") return;
    if (laid !== undefined) this.put(laid.at as unknown as Cube);
    else this.toNearest(middle(this.ground.region));
  }

  /** A key; true if it meant something. */
  key(key: string, shifted: boolean): boolean {
    const number = Number(key);
    if (number >= 1 && number <= this.ground.blocks.length) {
      this.choose(number - 1, "keys");
      return true;
    }
    if (this.orbit.key(key, shifted)) return true;
    const held = this.held;
    if (held === null) return false;
    if (key.startsWith("Arrow")) return this.step(key);
    switch (key.toLowerCase()) {
      case "x":
      case "y":
      case "z":
        this.twist(key.toLowerCase() as Axis, shifted);
        return true;
      case "pageup":
      case "pagedown":
        this.toLevel(key.toLowerCase() === "pageup" ? 1 : -1);
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

  private step(key: string): boolean {
    const held = this.held;
    if (held === null || held.way === "drag") return false;
    if (held.spot === null) {
      this.held = { ...held, way: "keys" };
      this.toNearest(middle(this.ground.region));
      return true;
    }
    const next = stepped(held.spot.at, key, this.orbit.look);
    if (next === null) return false;
    const spot = settled(this.shape(held), next, this.region, this.taken(held.piece), this.levels, this.level);
    this.held = { ...held, way: "keys" };
    // A block may stick out while it is moved by keys, but not leave the board.
    const above = cover(this.shape(held), spot.at).some(([x, y]) => this.region.has(String([x, y, 0])));
    if (above) this.held = { ...held, way: "keys", spot };
    return true;
  }

  /** Up or down, hanging or under another: nothing falls (Q10a). */
  toLevel(by: 1 | -1): void {
    const held = this.held;
    if (held === null) return;
    const all = levelsOf(this.shape(held), this.levels);
    const next = (held.spot?.at[2] ?? 0) + by;
    if (!all.includes(next)) return;
    this.level = next;
    if (held.way === "drag") this.frame ||= requestAnimationFrame(() => this.follow());
    else if (held.spot !== null) this.put([held.spot.at[0], held.spot.at[1], next]);
  }

  /** Turns what is in the hand a quarter about an axis, and about its own middle. */
  twist(axis: Axis, back: boolean): void {
    const held = this.held;
    const block = held === null ? undefined : this.ground.blocks[held.piece];
    if (held === null || block === undefined) return;
    const turn = twisted(block, held.turn, axis, back);
    const before = middle(this.shape(held));
    this.turns = this.turns.map((old, i) => (i === held.piece ? turn : old));
    this.held = { ...held, turn, spot: null };
    this.spinFrom(axis, back);
    if (held.way === "drag") {
      this.frame ||= requestAnimationFrame(() => this.follow());
    } else if (held.spot !== null && held.way === "keys") {
      const now = middle(this.shape(this.held));
      const by = (axis: 0 | 1): number => Math.round((held.spot?.at[axis] ?? 0) + before[axis] - now[axis] - 1e-6);
      this.over([by(0), by(1)]);
      // It goes aside where it would stick out.
      const out = this.held.spot?.bad.some((cell) => !this.region.has(String(cell)));
      if (out) this.toNearest(plus(held.spot.at, before));
    }
  }

  private spinFrom(axis: Axis, back: boolean): void {
    cancelAnimationFrame(this.turning);
    if (!moving()) return;
    const since = performance.now();
    const go = (): void => {
      const left = 1 - (performance.now() - since) / TURN_MS;
      // A turn is clockwise, so what is still to come is anticlockwise from where it ends.
      this.spin = left <= 0 ? null : { axis, left: (((back ? -1 : 1) * Math.PI) / 2) * left * left };
      if (left > 0) this.turning = requestAnimationFrame(go);
    };
    go();
  }

  private over(at: readonly [number, number]): void {
    const held = this.held;
    if (held === null) return;
    const spot = settled(this.shape(held), at, this.region, this.taken(held.piece), this.levels, this.level);
    this.held = { ...held, spot };
  }

  private put(at: Cube): void {
    const held = this.held;
    if (held === null) return;
    this.held = { ...held, spot: { at, bad: clashes(this.shape(held), at, this.region, this.taken(held.piece)) } };
  }

  /** The place nearest to a point of space, if there is any. */
  private toNearest(point: Cube): void {
    const held = this.held;
    if (held === null) return;
    const { region } = this.ground;
    const [shape, taken, seen] = [this.shape(held), this.taken(held.piece), this.orbit.look];
    const from = project(seen, point);
    const spot = nearest(shape, from, seen, region, taken, this.levels, this.level, Infinity);
    if (spot !== null) this.held = { ...held, spot };
    else if (held.spot === null) this.over([0, 0]);
  }

  // What lies where

  private lay(piece: number, turn: number, at: Cube): void {
    this.drop();
    this.does.place(piece, turn, at);
  }

  private shape({ piece, turn }: Pick<Held, "piece" | "turn">): Cubes {
    return this.ground.blocks[piece]?.shapes[turn] ?? [];
  }

  private laidAt(piece: number): Placement | undefined {
    return this.ground.laid.find((where) => where.piece === piece);
  }

  private turnOf(piece: number): number {
    return this.laidAt(piece)?.turn ?? this.turns[piece] ?? 0;
  }

  private cells(where: Placement): Cube[] {
    return cover(this.shape(where), where.at as unknown as Cube);
  }

  private lying(): Cubes[] {
    return this.ground.laid.map((where) => this.cells(where));
  }

  private lyingIn(cell: Cube): number | null {
    const found = this.ground.laid.find((where) => this.cells(where).some((one) => String(one) === String(cell)));
    return found?.piece ?? null;
  }

  private taken(except: number): Cells {
    const others = this.ground.laid.filter(({ piece }) => piece !== except);
    return keys(others.flatMap((where) => this.cells(where)));
  }

  /** The free cell that one points at: before the side of a block that is seen there, or on the ground. */
  private pointedAt(point: Point): Cube | null {
    const found = hit(point, this.lying(), this.orbit.look);
    const [x, y] = under(this.orbit.look, point, 0);
    const cell: Cube = found === null ? [Math.floor(x), Math.floor(y), 0] : plus(found.cell, found.way.normal);
    return this.region.has(String(cell)) ? cell : null;
  }

  private levelUnder({ clientX, clientY }: Pick<PointerEvent, "clientX" | "clientY">): number | null {
    const found = this.plans.findIndex((plan) => {
      const box = plan?.getBoundingClientRect();
      return box && clientX > box.left && clientX < box.right && clientY > box.top && clientY < box.bottom;
    });
    return found < 0 ? null : found;
  }

  private planCell(event: Pick<PointerEvent, "clientX" | "clientY">, level: number): Cube | null {
    const [x, y] = this.toPlan(event, level);
    const cell: Cube = [Math.floor(x), Math.floor(y), level];
    return this.region.has(String(cell)) ? cell : null;
  }

  private toPlan(event: Pick<PointerEvent, "clientX" | "clientY">, level: number): Point {
    const [x, y] = on(this.plans[level], event);
    return [x / SQUARE.size + 0.5, this.rows - y / SQUARE.size - 0.5];
  }

  private toBoard(event: Pick<PointerEvent, "clientX" | "clientY">): Point {
    return on(this.board, event);
  }
}

/** A place on the screen, as a drawing's own. */
function on(
  svg: SVGSVGElement | null | undefined,
  { clientX, clientY }: Pick<PointerEvent, "clientX" | "clientY">,
): Point {
  const matrix = svg?.getScreenCTM();
  if (matrix === null || matrix === undefined) return [0, 0];
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
  return [x, y];
}

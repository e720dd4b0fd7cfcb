/**
 * The block in the hand. One points at the place where it would lie, on the board or on a level's plan; the block itself
 * rides above, so that it does not hide it.
 */

import type { Point } from "../geometry";
import { Hold, on, type Does, type Held, type Where } from "../hold.svelte";
import { t, tAny } from "../i18n/index.svelte";
import { SQUARE } from "../lattice";
import { cover, type Spot } from "../lay";
import { moving } from "../settings.svelte";
import { levelsOf, nearest, planned, settled, stepped, tapped, twisted, type Block } from "./lay";
import type { Orbit } from "./orbit.svelte";
import { hit, middle, plus, project, under, UNIT, type Axis, type Cube, type Cubes } from "./space";

/** Two taps within this time are a double one. */
const DOUBLE = 350;
/** How high above its place a held block rides. */
export const RIDES = 1.2;
const TURN_MS = 160;

export class SolidHold extends Hold<Cube, Block> {
  /** A block on its way from one turn to the next: about which axis, and how far it still has to go. */
  spin: { axis: Axis; left: number } | null = $state.raw(null);
  /** Over a level's plan, which the block would hide. */
  overPlan = $state.raw(false);
  /** The plans, by level: seen from above, far is up. */
  readonly plans: (SVGSVGElement | null)[] = [];
  readonly noRoom = "hint.no_room.solid";
  protected readonly above = UNIT * 1.1;
  /** The chosen level; null: the lowest free one. */
  private level: number | null = null;
  private turning = 0;
  private tapped = 0;

  constructor(
    readonly orbit: Orbit,
    does: Does,
  ) {
    super(does);
  }

  override drop(): void {
    super.drop();
    this.level = null;
    this.overPlan = false;
    this.spin = null;
    cancelAnimationFrame(this.turning);
  }

  protected override take(held: Held<Cube>): void {
    this.level = null;
    super.take(held);
  }

  // By pointer

  /** On a block that lies there, or next to all blocks. */
  pressedBoard(event: PointerEvent, root: Element, fixed: boolean): void {
    const found = fixed ? null : hit(this.toBoard(event), this.lying(), this.orbit.look);
    const piece = found === null ? undefined : this.ground.laid[found.block]?.piece;
    const tap = (): void => {
      if (this.held !== null) this.layAt(event);
      else if (piece !== undefined) this.does.lift(piece);
      else this.tappedGround(event.timeStamp);
    };
    if (piece === undefined) this.pressed(event, null, root, tap);
    else this.pressedLaid(event, piece, root, tap);
  }

  /** Pressed on a cell of a level's plan. */
  pressedCell(event: PointerEvent, cell: Cube, root: Element): void {
    this.pressed(event, this.lyingIn(cell), root, () => this.use(cell));
  }

  /** A cell was tapped, or pressed by a key: lays the chosen block there, or lifts the block that lies there. */
  use(cell: Cube): void {
    const [held, piece] = [this.held, this.lyingIn(cell)];
    if (held === null || (piece !== null && piece !== held.piece)) {
      if (piece !== null) this.does.lift(piece);
      return;
    }
    const at = this.over(held, cell);
    if (at === null) this.does.cannot();
    else this.lay(held.piece, held.turn, at);
  }

  /** Two taps outside of everything: the first view again. */
  private tappedGround(now: number): void {
    if (now - this.tapped < DOUBLE) this.orbit.reset();
    this.tapped = now;
  }

  protected override swept(dx: number, dy: number): void {
    this.orbit.drag(dx, dy);
  }

  protected middleOf(cells: Cubes): Point {
    return project(this.orbit.look, middle(cells));
  }

  protected aimed(held: Held<Cube>, where: Where): Cube | null | undefined {
    const level = this.levelUnder(where);
    const cell = level === null ? this.pointedAt(where) : this.planCell(where, level);
    return cell === null ? undefined : this.over(held, cell);
  }

  protected carried(held: Held<Cube>, aim: Point, where: Where): { layer: Point; spot: Spot<Cube> | null } {
    const [, up] = project(this.orbit.look, [0, 0, RIDES]);
    const level = this.levelUnder(where);
    if (this.overPlan !== (level !== null)) this.overPlan = level !== null;
    const { region } = this.ground;
    const [shape, taken] = [this.shape(held), this.taken(held.piece)];
    const spot =
      level === null
        ? nearest(shape, aim, this.orbit.look, region, taken, this.levels, this.level)
        : planned(shape, this.toPlan(where, level), level, region, taken, this.levels);
    return { layer: [aim[0], aim[1] + up], spot };
  }

  // By keys

  override looked(key: string, shifted: boolean): boolean {
    return this.orbit.key(key, shifted);
  }

  protected start(): void {
    this.toNearest(middle(this.ground.region));
  }

  protected moves(held: Held<Cube>, key: string, shifted: boolean): boolean {
    switch (key.toLowerCase()) {
      case "x":
      case "y":
      case "z":
        this.twist(key.toLowerCase() as Axis, shifted);
        return true;
      case "pageup":
      case "pagedown":
        this.toLevel(key === "PageUp" ? 1 : -1);
        return true;
      default:
        return this.step(held, key);
    }
  }

  /** By the first one of the lowest: rows are counted from afar, as a level's plan is drawn. */
  told(cells: Cubes, what: string): string {
    const [x, y, z] = [...cells].sort((a, b) => a[2] - b[2] || b[1] - a[1] || a[0] - b[0])[0] ?? [0, 0, 0];
    return t("cell", { level: tAny(`plan.${z}`), row: this.rows - y, column: x + 1, what });
  }

  private step(held: Held<Cube>, key: string): boolean {
    const next = stepped(held.spot?.at ?? [0, 0, 0], key, this.orbit.look);
    if (next === null || held.way === "drag") return false;
    this.held = { ...held, way: "keys" };
    if (held.spot === null) {
      this.start();
      return true;
    }
    const spot = this.settled(held, next);
    // A block may stick out while it is moved by keys, but not leave the board.
    const above = cover(this.shape(held), spot.at).some(([x, y]) => this.region.has(String([x, y, 0])));
    if (above) this.held = { ...held, way: "keys", spot };
    return true;
  }

  /** Up or down, hanging or under another: nothing falls (Q10a). */
  toLevel(by: 1 | -1): void {
    const held = this.held;
    if (held === null) return;
    const next = (held.spot?.at[2] ?? 0) + by;
    if (!levelsOf(this.shape(held), this.levels).includes(next)) return;
    this.level = next;
    if (held.way === "drag") this.followSoon();
    else if (held.spot !== null) this.put([held.spot.at[0], held.spot.at[1], next]);
  }

  wheeled(back: boolean): void {
    this.twist("z", back);
  }

  /** Turns what is in the hand a quarter about an axis, and about its own middle. */
  twist(axis: Axis, back: boolean): void {
    const held = this.held;
    const block = held === null ? undefined : this.ground.pieces[held.piece];
    if (held === null || block === undefined) return;
    const turned = this.turned(held, twisted(block, held.turn, axis, back));
    this.spinFrom(axis, back);
    if (held.way === "drag") {
      this.followSoon();
    } else if (held.spot !== null && held.way === "keys") {
      const [before, now, at] = [middle(this.shape(held)), middle(this.shape(turned)), held.spot.at];
      // About its middle cube, as flat: a full circle of turns leads back to where it was.
      const by = (axis: 0 | 1): number => at[axis] + Math.floor(before[axis]) - Math.floor(now[axis]);
      const spot = this.settled(turned, [by(0), by(1)]);
      this.held = { ...turned, spot };
      // It goes aside where it would stick out.
      if (spot.bad.some((cell) => !this.region.has(String(cell)))) this.toNearest(plus(at, before));
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

  // What lies where

  private get levels(): number {
    return Math.max(-1, ...this.ground.region.map(([, , z]) => z)) + 1;
  }

  private get rows(): number {
    return Math.max(-1, ...this.ground.region.map(([, row]) => row)) + 1;
  }

  /** The place nearest to a point of space, if there is any. */
  private toNearest(point: Cube): void {
    const held = this.held;
    if (held === null) return;
    const [shape, taken, seen] = [this.shape(held), this.taken(held.piece), this.orbit.look];
    const from = project(seen, point);
    const spot = nearest(shape, from, seen, this.ground.region, taken, this.levels, this.level, Infinity);
    if (spot !== null) this.held = { ...held, spot };
    else if (held.spot === null) this.held = { ...held, spot: this.settled(held, [0, 0]) };
  }

  private settled(held: Held<Cube>, at: readonly [number, number]): Spot<Cube> {
    return settled(this.shape(held), at, this.region, this.taken(held.piece), this.levels, this.level);
  }

  private over(held: Held<Cube>, cell: Cube): Cube | null {
    return tapped(this.shape(held), cell, this.region, this.taken(held.piece));
  }

  private lying(): Cubes[] {
    return this.ground.laid.map((where) => this.cells(where));
  }

  private lyingIn(cell: Cube): number | null {
    const found = this.ground.laid.find((where) => this.cells(where).some((one) => String(one) === String(cell)));
    return found?.piece ?? null;
  }

  /** The free cell that one points at: before the side of a block that is seen there, or on the ground. */
  private pointedAt(where: Where): Cube | null {
    const point = this.toBoard(where);
    const found = hit(point, this.lying(), this.orbit.look);
    const [x, y] = under(this.orbit.look, point, 0);
    const cell: Cube = found === null ? [Math.floor(x), Math.floor(y), 0] : plus(found.cell, found.way.normal);
    return this.region.has(String(cell)) ? cell : null;
  }

  private levelUnder({ clientX, clientY }: Where): number | null {
    const found = this.plans.findIndex((plan) => {
      // A plan that takes no pointer is a small picture on the board.
      const box = plan && getComputedStyle(plan).pointerEvents !== "none" ? plan.getBoundingClientRect() : null;
      return box && clientX > box.left && clientX < box.right && clientY > box.top && clientY < box.bottom;
    });
    return found < 0 ? null : found;
  }

  private planCell(where: Where, level: number): Cube | null {
    const [x, y] = this.toPlan(where, level);
    const cell: Cube = [Math.floor(x), Math.floor(y), level];
    return this.region.has(String(cell)) ? cell : null;
  }

  private toPlan(where: Where, level: number): Point {
    const [x, y] = on(this.plans[level], where);
    return [x / SQUARE.size + 0.5, this.rows - y / SQUARE.size - 0.5];
  }
}

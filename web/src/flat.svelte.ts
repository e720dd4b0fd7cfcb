/** The piece in the hand on a board of hexagons or squares, or on an open table. */

import { box, middle } from "./geometry";
import { Hold, type Does, type Held, type Where } from "./hold.svelte";
import { t } from "./i18n/index.svelte";
import type { Cell, Lattice, Point } from "./lattice";
import { cover, reseat, snap, tapped, twisted, type Piece, type Spot, type Twist } from "./lay";

export class FlatHold extends Hold<Cell, Piece> {
  protected readonly above: number;

  constructor(
    readonly lattice: Lattice,
    does: Does,
  ) {
    super(does);
    this.above = lattice.pitch;
  }

  get noRoom(): "hint.no_room" | "hint.no_room.open" {
    return this.ground.open ? "hint.no_room.open" : "hint.no_room";
  }

  pressedBoard(event: PointerEvent, root: Element): void {
    if (this.held !== null) this.pressed(event, null, root, () => this.layAt(event));
  }

  protected middleOf(cells: readonly Cell[]): Point {
    const { x, y, width, height } = box(cells, this.lattice);
    return [x + width / 2, y + height / 2];
  }

  protected carried(held: Held<Cell>, [x, y]: Point): { layer: Point; spot: Spot | null } {
    const [midX, midY] = this.middleOf(this.shape(held));
    const origin: Point = [x - midX, y - midY];
    return { layer: origin, spot: this.snapped(held, origin) };
  }

  protected aimed(held: Held<Cell>, where: Where): Cell | null | undefined {
    if (this.ground.open) {
      const [[x, y], [midX, midY]] = [this.toBoard(where), middle(this.shape(held), this.lattice)];
      const spot = this.snapped(held, [x - midX, y - midY]);
      return spot === null ? undefined : spot.bad.length > 0 ? null : spot.at;
    }
    const cell = this.cellAt(where);
    if (cell === null) return undefined;
    return tapped(this.lattice, this.shape(held), cell, this.region, this.taken(held.piece));
  }

  /** From the middle; on an open table next to the layout. */
  protected start(): void {
    const held = this.held;
    if (held === null) return;
    if (this.ground.open) {
      this.put(this.beside());
      return;
    }
    const [[x, y], [midX, midY]] = [this.middleOf(this.ground.region), this.middleOf(this.shape(held))];
    this.put(this.snapped(held, [x - midX, y - midY])?.at ?? (this.ground.region[0] as Cell));
  }

  protected moves(held: Held<Cell>, key: string, shifted: boolean): boolean {
    const twist = { r: shifted ? "back" : "turn", f: "flip" }[key.toLowerCase()] as Twist | undefined;
    if (twist !== undefined) {
      this.twist(twist);
      return true;
    }
    if (held.way === "drag" || this.lattice.stepped([0, 0], key) === null) return false;
    this.held = { ...held, way: "keys" };
    if (held.spot === null) this.start();
    const next = this.lattice.stepped(this.held.spot?.at ?? [0, 0], key) as Cell;
    if (this.onBoard(held, next)) this.put(next);
    return true;
  }

  /** By their first one, row by row as the board is drawn. An open table has no rows to count. */
  told(cells: readonly Cell[], what: string): string {
    if (this.ground.open) return what;
    const placed = (cell: Cell): Point => this.lattice.centre(cell);
    const [first] = [...cells].sort((a, b) => a[1] - b[1] || a[0] - b[0]).map(placed);
    const all = this.ground.region.map(placed);
    const [left, top] = [Math.min(...all.map(([x]) => x)), Math.min(...this.ground.region.map(([, r]) => r))];
    const row = Math.min(...cells.map(([, r]) => r)) - top + 1;
    const column = Math.round(((first?.[0] ?? left) - left) / this.lattice.pitch - 0.01) + 1;
    return t("cell.flat", { row, column, what });
  }

  wheeled(back: boolean): void {
    this.twist(back ? "back" : "turn");
  }

  /** Turns or flips what is in the hand, about its own middle. */
  twist(twist: Twist): void {
    const held = this.held;
    const piece = held === null ? undefined : this.ground.pieces[held.piece];
    if (held === null || piece === undefined) return;
    const now = this.turned(held, twisted(piece, held.turn, twist));
    if (held.way === "drag") this.followSoon();
    else if (held.spot !== null && held.way === "keys") {
      const at = reseat(this.lattice, this.shape(held), this.shape(now), held.spot.at);
      if (this.onBoard(now, at)) this.put(at);
      else this.start();
    }
  }

  /** What keys move may stick out of the board, but not leave it: no arrow would lead back. */
  private onBoard(held: Held<Cell>, at: Cell): boolean {
    return cover(this.shape(held), at).some((cell) => this.region.has(String(cell)));
  }

  private snapped(held: Held<Cell>, origin: Point): Spot | null {
    return snap(this.lattice, this.shape(held), origin, this.region, this.taken(held.piece));
  }

  private beside(): Cell {
    const taken = this.ground.laid.flatMap((where) => this.cells(where));
    if (taken.length === 0) return [0, 0];
    const rows = taken.map(([, y]) => y);
    return [Math.max(...taken.map(([x]) => x)) + 1, Math.round((Math.min(...rows) + Math.max(...rows)) / 2) - 1];
  }

  /** The cell of the region below a pointer; pointing at the rim means the nearest cell. */
  private cellAt(where: Where): Cell | null {
    const [x, y] = this.toBoard(where);
    const away = (cell: Cell): number => {
      const [midX, midY] = this.lattice.centre(cell);
      return Math.hypot(midX - x, midY - y);
    };
    const [first, ...rest] = this.ground.region;
    if (first === undefined) return null;
    const best = rest.reduce((found, cell) => (away(cell) < away(found) ? cell : found), first);
    return away(best) < this.lattice.pitch * 0.75 ? best : null;
  }
}

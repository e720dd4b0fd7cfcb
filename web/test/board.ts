/** A board to test with, a mouse or a finger before it, and what a hand is asked for. */

import type { Box, Point } from "../src/geometry";
import type { Does, Hold, Where } from "../src/hold.svelte";
import type { Matrix } from "./environment";

/** A drawing on the screen: moved and scaled, so that a test fails if one of the two is forgotten. */
export class Drawing {
  readonly svg: SVGSVGElement;

  constructor(
    private readonly left = 300,
    private readonly top = 100,
    private readonly scale = 2,
    /** The part of it that is on the screen, in its own units; only the plans of 3-D are asked for it. */
    { x, y, width, height }: Box = { x: 0, y: 0, width: 0, height: 0 },
  ) {
    const inverse = (): Matrix => ({ scale: 1 / scale, left: -left / scale, top: -top / scale });
    const { clientX, clientY } = this.at([x, y]);
    this.svg = {
      style: {},
      getScreenCTM: () => ({ inverse }),
      getBoundingClientRect: () => ({
        left: clientX,
        top: clientY,
        right: clientX + width * scale,
        bottom: clientY + height * scale,
      }),
    } as unknown as SVGSVGElement;
  }

  /** A place of the drawing, on the screen. */
  at([x, y]: Point): Where {
    return { clientX: this.left + this.scale * x, clientY: this.top + this.scale * y };
  }
}

/** Where the tray is: beside every drawing. */
export const TRAY: Where = { clientX: 40, clientY: 900 };

/** Handles a press; `root` captures the pointer from then on. */
export type Pressed = (event: PointerEvent, root: Element) => void;

/** A mouse or a finger. */
export class Pointer {
  readonly caught: number[] = [];
  private where = TRAY;

  constructor(
    private readonly hold: Pick<Hold, "moved" | "released" | "cancelled">,
    private readonly kind: "mouse" | "touch" = "mouse",
    private readonly id = 1,
  ) {}

  /** Presses there; `on` is what is pressed. */
  down(where: Where, on: Pressed, more?: Partial<PointerEvent>): this {
    this.where = where;
    on(this.event(more), { setPointerCapture: (id: number) => this.caught.push(id) } as unknown as Element);
    return this;
  }

  to(where: Where): this {
    this.where = where;
    this.hold.moved(this.event());
    return this;
  }

  up(): this {
    this.hold.released(this.event());
    return this;
  }

  tap(where: Where, on: Pressed, more?: Partial<PointerEvent>): this {
    return this.down(where, on, more).up();
  }

  /** Lets go there. */
  drop(where: Where): this {
    return this.to(where).up();
  }

  cancel(): this {
    this.hold.cancelled(this.event());
    return this;
  }

  private event(more: Partial<PointerEvent> = {}): PointerEvent {
    return {
      pointerId: this.id,
      pointerType: this.kind,
      button: 0,
      timeStamp: 0,
      ...this.where,
      ...more,
    } as PointerEvent;
  }
}

/** Where every board is drawn. */
export const board = new Drawing();

/** A hand before a board. `asked` and `carried` record what it does; the rest is what can be pressed. */
export function before<Hand extends Hold>(make: (does: Does) => Hand) {
  const asked: unknown[] = [];
  const carried: string[] = [];
  const hold = make({
    place: (piece, turn, at) => asked.push({ piece, turn, at }),
    lift: (piece) => asked.push({ lift: piece }),
    cannot: () => asked.push("cannot"),
  });
  hold.board = board.svg;
  hold.layer = { setAttribute: (_: string, value: string) => carried.push(value) } as unknown as SVGGElement;
  const slot =
    (piece: number): Pressed =>
    (event, root) =>
      hold.pressedSlot(event, piece, root);
  const lying =
    (piece: number): Pressed =>
    (event, root) =>
      hold.pressedLaid(event, piece, root);
  const ground: Pressed = (event, root) => hold.pressedBoard(event, root, false);
  return { hold, asked, carried, slot, lying, ground };
}

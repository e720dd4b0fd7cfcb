/** My hand at a table: sends moves, plays sounds, and reports what is impossible; by pointer, wheel and keys. */

import { untrack } from "svelte";
import type { Does, Held, Hold } from "./hold.svelte";
import { t } from "./i18n/index.svelte";
import type { Asked } from "./match.svelte";
import { shortName } from "./names";
import { play as sound } from "./sound";

export class Laying<Hand extends Hold = Hold> {
  /** The error of the last action; empty if it worked. */
  hint = $state("");
  /** What I just did, for screen readers. */
  said = $state("");
  readonly hold: Hand;
  /** The event handlers of the element that captures the pointer. */
  readonly hears = {
    onpointermove: (event: PointerEvent): void => this.hold.moved(event),
    onpointerup: (event: PointerEvent): void => this.hold.released(event),
    onpointercancel: (event: PointerEvent): void => this.hold.cancelled(event),
    onwheel: (event: WheelEvent): void => this.wheeled(event),
  };
  /** How far the wheel has been turned since it last turned a piece. */
  private wheel = 0;

  /** Call it during a component's initialisation. `fixed`: nothing can be laid just now. */
  constructor(
    hand: (does: Does) => Hand,
    private readonly match: () => Asked,
    private readonly ground: () => Parameters<Hand["lies"]>[0],
    private readonly fixed: () => boolean,
  ) {
    this.hold = hand({
      place: (piece, turn, at) => {
        this.hint = "";
        if (this.match().ask({ type: "place", piece, turn, at })) {
          this.said = t("said.laid", { what: this.nameOf(piece) });
          sound("lay");
        }
      },
      lift: (piece) => this.lift(piece),
      cannot: () => {
        this.hint = t(this.hold.noRoom);
        sound("refuse");
      },
    });
    // Before anything is drawn: alone, other pieces may lie there all at once.
    $effect.pre(() => {
      const ground = this.ground();
      // It only reads what lies: how the tray is turned is the hand's own.
      untrack(() => this.hold.lies(ground));
    });
    $effect(() => {
      if (this.fixed()) this.hold.drop();
    });
  }

  lift(piece: number): void {
    this.hint = "";
    if (!this.match().ask({ type: "lift", piece })) return;
    this.said = t("said.lifted", { what: this.nameOf(piece) });
    sound("lift");
  }

  /** A key, pressed anywhere on the page. */
  pressedKey(event: KeyboardEvent): void {
    const target = event.target as Element;
    const { hold } = this;
    if (event.ctrlKey || event.metaKey || event.altKey || target.closest("dialog, input, select")) return;
    if (this.fixed()) {
      if (hold.looked(event.key, event.shiftKey)) event.preventDefault();
      return;
    }
    // Enter on a button presses it, unless there is a piece in the hand to lay.
    const button = target.closest<HTMLElement | SVGElement>("button, [role=button]");
    const presses = (event.key === "Enter" || event.key === " ") && button !== null;
    if (presses && (hold.held === null || !button.matches("[data-piece], [data-final]"))) return;
    const slot = Number(button?.dataset["piece"] ?? NaN);
    if (event.key === "Backspace" && hold.held === null && this.ground().laid.some(({ piece }) => piece === slot)) {
      this.lift(slot);
      event.preventDefault();
      return;
    }
    // Clears the message of the key before; this one may set its own.
    this.hint = "";
    const before = hold.held;
    if (hold.key(event.key, event.shiftKey)) {
      this.match().refused = null;
      event.preventDefault();
      this.tell(before, event.key);
    }
  }

  /** What a key did to what is in the hand: which piece it is now, and where it would lie. */
  private tell(before: Held | null, key: string): void {
    const { held } = this.hold;
    if (held !== null && held !== before) {
      const chosen = held.piece === before?.piece ? "" : `${this.nameOf(held.piece)}, `;
      this.said = chosen + this.hold.tellSpot();
    } else if (before !== null && held === null && key === "Escape") {
      this.said = t("said.let_go", { what: this.nameOf(before.piece) });
    }
  }

  private nameOf(piece: number): string {
    const { pieces, ink = 0 } = this.ground();
    return shortName(piece - ink + 1, pieces[piece] ?? { name: "" });
  }

  private wheeled(event: WheelEvent): void {
    if (this.hold.held === null) return;
    event.preventDefault();
    this.wheel += event.deltaY;
    if (Math.abs(this.wheel) < 40) return;
    this.hold.wheeled(this.wheel < 0);
    this.wheel = 0;
  }
}

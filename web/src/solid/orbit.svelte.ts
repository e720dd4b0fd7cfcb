/** From where the board is looked at: all around it, never from below, never straight down. */

import { look, PITCH, YAW, type Look } from "./space";

const LOWEST = (12 * Math.PI) / 180;
const HIGHEST = (72 * Math.PI) / 180;
/** A key's step, and how far a pixel of dragging turns. */
const STEP = (15 * Math.PI) / 180;
const PIXEL = 0.008;

export class Orbit {
  private yaw = $state(YAW);
  private pitch = $state(PITCH);
  readonly look: Look = $derived(look(this.yaw, this.pitch));

  /** Dragged by that many pixels: what is under the finger moves with it. */
  drag(dx: number, dy: number): void {
    this.turn(-dx * PIXEL, dy * PIXEL);
  }

  /** Shift and an arrow; Home restores the initial view. True if the key was handled. */
  key(key: string, shifted: boolean): boolean {
    if (key === "Home") this.reset();
    else if (!shifted) return false;
    else if (key === "ArrowLeft") this.turn(STEP, 0);
    else if (key === "ArrowRight") this.turn(-STEP, 0);
    else if (key === "ArrowUp") this.turn(0, -STEP / 2);
    else if (key === "ArrowDown") this.turn(0, STEP / 2);
    else return false;
    return true;
  }

  reset(): void {
    [this.yaw, this.pitch] = [YAW, PITCH];
  }

  private turn(yaw: number, pitch: number): void {
    this.yaw += yaw;
    this.pitch = Math.min(HIGHEST, Math.max(LOWEST, this.pitch + pitch));
  }
}

/** What a seat has so far, for drawing: points where the game counts them, else what is printed on its gems. */

import { printed } from "./gems";
import type { Seat } from "./protocol";

export function scoreOf({ points, gems }: Pick<Seat, "points" | "gems">): number {
  return points.length > 0 ? points.reduce((sum, one) => sum + one, 0) : printed(gems);
}

/** Time by difficulty: where the dots stand, and the middle time of each grade. */

import type { Dot } from "./protocol";

type Grade = { readonly grade: number; readonly count: number; readonly middle: number };

export function byGrade(solves: readonly Dot[]): Grade[] {
  const grades = [...new Set(solves.map(({ grade }) => grade))].sort((a, b) => a - b);
  return grades.map((grade) => {
    const times = solves
      .filter((one) => one.grade === grade)
      .map(({ took }) => took)
      .sort((a, b) => a - b);
    const half = times.length >> 1;
    const middle = times.length % 2 === 1 ? times[half] : ((times[half - 1] ?? 0) + (times[half] ?? 0)) / 2;
    return { grade, count: times.length, middle: middle ?? 0 };
  });
}

/** Times that stand at the axis, in milliseconds. */
const STEPS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 3600].map((seconds) => 1000 * seconds);

/** The steps around all these times: the last one below them, those between, and the first above. */
export function steps(times: readonly number[]): readonly number[] {
  const low = STEPS.findLast((step) => step <= Math.min(...times)) ?? 1000;
  const high = STEPS.find((step) => step >= Math.max(...times, low + 1)) ?? 3_600_000;
  return STEPS.filter((step) => step >= low && step <= high);
}

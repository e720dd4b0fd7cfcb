/** The chart of points by round: the positions of its labels. */

/** Labels at the lines' ends, moved apart so that none covers another, and none below what is lowest. */
export function apart(wanted: readonly number[], gap: number, lowest: number): number[] {
  const order = wanted.map((y, i) => ({ y, i })).sort((a, b) => a.y - b.y);
  for (let k = 1; k < order.length; k++) {
    const [above, below] = [order[k - 1], order[k]];
    if (above && below && below.y - above.y < gap) below.y = above.y + gap;
  }
  const found = [...wanted];
  let room = lowest;
  for (const { y, i } of order.reverse()) {
    found[i] = Math.min(y, room);
    room = found[i] - gap;
  }
  return found;
}

/** As much of a name as there is room for, `wide` as its letters are; what is cut ends in dots. */
export function fitted(name: string, room: number, wide: (text: string) => number): string {
  if (wide(name) <= room) return name;
  const letters = [...name];
  while (letters.length > 1 && wide(`${letters.join("")}…`) > room) letters.pop();
  return `${letters.join("").trimEnd()}…`;
}

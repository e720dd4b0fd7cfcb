/**
 * The buttons come to the piece: they stand at the board's edge beside the tray, level with the slot of what is in the
 * hand, where the board keeps room for them. With an empty hand they stay where they were.
 */

import type { Action } from "svelte/action";

/** From the board's corners, in pixels. */
const EDGE = 18;

export const alignToSlot: Action<HTMLElement, number | null> = (node, first) => {
  let piece = first;

  function put(): void {
    const board = node.offsetParent;
    const slot = document.querySelector(`.slot[data-piece="${piece ?? 0}"]`);
    if (board === null || slot === null) return;
    const [around, at] = [board.getBoundingClientRect(), slot.getBoundingClientRect()];
    const level = (middle: number, from: number, length: number, own: number): number =>
      Math.round(Math.max(EDGE, Math.min(middle - from - own / 2, length - own - EDGE)));
    const column = getComputedStyle(node).flexDirection === "column";
    const x = column ? 0 : level(at.x + at.width / 2, around.x, around.width, node.offsetWidth);
    const y = column ? level(at.y + at.height / 2, around.y, around.height, node.offsetHeight) : 0;
    node.style.translate = `${x}px ${y}px`;
  }

  const watch = new ResizeObserver(put);
  if (node.offsetParent !== null) watch.observe(node.offsetParent);
  return {
    update(now) {
      // Let go, it may be taken again.
      if (now === null) return;
      piece = now;
      put();
    },
    destroy: () => watch.disconnect(),
  };
};

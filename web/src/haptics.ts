/** Short vibrations, if the device can; never without something to see. */

import { settings } from "./settings.svelte";

/** In milliseconds: on, off, on. */
const PATTERNS = { count: [8], go: [18], solved: [20, 40, 20], gem: [8] } as const;

export function touch(what: keyof typeof PATTERNS): void {
  // A browser refuses before the page has been touched, and logs that to its console.
  if (settings.motion === "off" || !navigator.userActivation.hasBeenActive) return;
  // Not every browser has it; those that do not play the game without.
  navigator.vibrate?.(PATTERNS[what]);
}

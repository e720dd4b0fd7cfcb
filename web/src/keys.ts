/** The keys of each game, as `?` lists them. What a hand does with its own is in `hold`; a test presses every one. */

/** Keys that press a button, wherever the focus is: the button names its own (`aria-keyshortcuts`). */
export const SHORTCUTS = { call: "u", throw: "t", done: "d" } as const;

/** `shown`: what is printed on them, or a key of the catalogue. `does`: a key of the catalogue. */
export type KeyLine = {
  readonly keys: readonly string[];
  readonly shifted?: boolean;
  readonly shown: string;
  readonly does: string;
  /** What handles it: the hand, with a piece in it or to take one; a button; the dice on the mat; the page. */
  readonly heard: "hand" | "button" | "dice" | "page";
};

const ARROWS = ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"];
const AXES = ["x", "y", "z"];
const numbers = (last: number): string[] => Array.from({ length: last }, (_, i) => String(i + 1));
const hand = (does: string, keys: readonly string[], shown: string): KeyLine => ({ keys, shown, does, heard: "hand" });
const shifted = (line: KeyLine): KeyLine => ({ ...line, shifted: true });
const button = (does: keyof typeof SHORTCUTS): KeyLine => ({
  keys: [SHORTCUTS[does]],
  shown: SHORTCUTS[does].toUpperCase(),
  does,
  heard: "button",
});

const CHOOSE = hand("choose", numbers(4), "1_to_4");
const MOVE = hand("move", ARROWS, "arrows");
const TURN = [hand("turn", ["r"], "R"), shifted(hand("back", ["r"], "shift_r"))];
const FLIP = hand("flip", ["f"], "F");
const LAY = hand("lay", ["Enter", " "], "enter");
const LIFT = hand("lift", ["Backspace", "Delete"], "backspace");
const DROP = hand("drop", ["Escape"], "escape");
const HELP: KeyLine = { keys: ["?"], shown: "?", does: "help", heard: "page" };

const KEYS: Readonly<Record<string, readonly KeyLine[]>> = {
  extreme: [CHOOSE, MOVE, ...TURN, FLIP, LAY, LIFT, DROP, button("call"), HELP],
  cards: [
    hand("choose.card", numbers(9), "1_to_9"),
    MOVE,
    ...TURN,
    LAY,
    { ...LIFT, does: "lift.card" },
    DROP,
    button("call"),
    HELP,
  ],
  dice: [
    button("throw"),
    { keys: numbers(8), shown: "1_to_8", does: "grab", heard: "dice" },
    hand("choose.shape", numbers(2), "1_to_2"),
    MOVE,
    ...TURN,
    FLIP,
    LAY,
    LIFT,
    DROP,
    button("done"),
    HELP,
  ],
  cubes: [
    CHOOSE,
    MOVE,
    hand("spin", AXES, "xyz"),
    shifted(hand("spin_back", AXES, "shift_xyz")),
    hand("level", ["PageUp", "PageDown"], "page"),
    LAY,
    LIFT,
    DROP,
    shifted(hand("look", ARROWS, "shift_arrows")),
    hand("front", ["Home"], "home"),
    button("call"),
    HELP,
  ],
};

export function keysOf(game: string): readonly KeyLine[] {
  return KEYS[game] ?? [];
}

/** Whether a key is for the game: not typed text, not in a dialog, not a browser shortcut. */
export function isForGame({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  const typing = target instanceof Element && target.closest("dialog, input, select, textarea") !== null;
  return !ctrlKey && !metaKey && !altKey && !typing;
}

/** Presses the button whose key it is. */
export function pressShortcut(event: KeyboardEvent): void {
  const key = event.key.toLowerCase();
  if (event.repeat || !isForGame(event) || !Object.values<string>(SHORTCUTS).includes(key)) return;
  const found = document.querySelector<HTMLButtonElement>(`button[aria-keyshortcuts="${key}"]:enabled`);
  if (found === null) return;
  event.preventDefault();
  found.click();
}

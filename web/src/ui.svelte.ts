/** What lies over the page: one dialog at a time. */

type Over = {
  rules: string | null;
  /** The keys of a game; empty: the game is chosen there. */
  keys: string | null;
  settings: boolean;
  me: boolean;
  name: ((done: boolean) => void) | null;
  /** A part of the program or its texts could not be loaded. Some browsers request it again only after a reload. */
  incomplete: boolean;
};

export const ui: Over = $state({
  rules: null,
  keys: null,
  settings: false,
  me: false,
  name: null,
  incomplete: false,
});

/** Asks for a name; false if the person cancels. */
export function askName(): Promise<boolean> {
  const asker = document.activeElement;
  return new Promise((done) => {
    ui.name = (said) => {
      ui.name = null;
      done(said);
      // Its button may be disabled until the answer arrives: then the browser drops the focus.
      if (!said && asker instanceof HTMLElement) requestAnimationFrame(() => asker.focus());
    };
  });
}

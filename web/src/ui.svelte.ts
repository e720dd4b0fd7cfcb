/** What lies over the page: one dialog at a time. */

export const ui: { rules: string | null; settings: boolean; name: ((done: boolean) => void) | null } = $state({
  rules: null,
  settings: false,
  name: null,
});

/** Asks for a name; false when the person would rather not say. */
export function askName(): Promise<boolean> {
  return new Promise((done) => {
    ui.name = (said) => {
      ui.name = null;
      done(said);
    };
  });
}

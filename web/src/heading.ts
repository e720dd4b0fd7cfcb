/** If the focus was lost with the old view, it moves to the new heading, which is read out; Tab continues from there. */

export function leadToHeading(): void {
  let last = document.querySelector("h1");
  const look = (): void => {
    const found = document.querySelector("h1");
    // Between two views there may be none for a moment.
    if (found === null || found === last) return;
    const opened = last === null;
    last = found;
    // A page that was just opened begins at its top; an existing focus stays.
    if (opened || document.activeElement !== document.body) return;
    found.tabIndex = -1;
    found.focus({ preventScroll: true });
  };
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
}

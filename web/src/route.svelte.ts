/**
 * Where we are. The server answers `/` and the addresses of our views (`/t/{table}`, `/rules/{game}` …) with this page;
 * what is chosen at home is in the fragment.
 */

import { ui } from "./ui.svelte";

export const route: { path: string; fragment: string } = $state({ path: "", fragment: "" });

export function follow(): void {
  const look = (): void => {
    route.path = location.pathname;
    route.fragment = location.hash.slice(1);
  };
  look();
  addEventListener("popstate", look);
  // Links of our own change the view, not the page.
  document.addEventListener("click", (event) => {
    const link = (event.target as Element).closest("a");
    if (event.defaultPrevented || link === null || link.target !== "" || link.origin !== location.origin) return;
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    go(link.pathname + link.hash);
  });
}

/** `instead`: the way back does not lead to where we are now. */
export function go(to: string, instead = false): void {
  history[instead ? "replaceState" : "pushState"](null, "", to);
  if (ui.incomplete) return location.reload();
  route.path = location.pathname;
  route.fragment = location.hash.slice(1);
  scrollTo(0, 0);
}

import { mount } from "svelte";
import App from "./App.svelte";
import { leadToHeading } from "./heading";
import { speak } from "./i18n/index.svelte";
import { follow } from "./route.svelte";
import { keep, settings } from "./settings.svelte";
import { ui } from "./ui.svelte";
import "./style/fonts.css";
import "./style/tokens.css";
import "./style/base.css";
import "./style/controls.css";
import "./style/page.css";
import "./style/pieces.css";
import "./style/dice.css";
import "./style/gems.css";
import "./style/blocks.css";

const target = document.getElementById("app");
if (target === null) throw new Error("index.html has no #app");

follow();
keep();
leadToHeading();
addEventListener("vite:preloadError", () => (ui.incomplete = true));
// For a table's link, words and table are loaded in parallel.
if (location.pathname.startsWith("/t/")) void import("./views/Table.svelte");
// index.html preloads the typeface, so it is usually there first. A slow connection is not waited for any longer.
const typeface = Promise.race([document.fonts.load("1em Nunito"), new Promise((done) => setTimeout(done, 300))]);
await Promise.all([speak(settings.language), typeface]);
mount(App, { target });

// Without a connection, reloading shows a page that says so. A development server has nothing to cache.
if (import.meta.env.PROD && "serviceWorker" in navigator)
  // Where the browser will not have it, everything else is as it was.
  navigator.serviceWorker.register("/worker.js").catch(() => undefined);

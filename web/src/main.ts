import { mount } from "svelte";
import App from "./App.svelte";
import { speak } from "./i18n/index.svelte";
import { follow } from "./route.svelte";
import { keep, settings } from "./settings.svelte";
import "./style/tokens.css";
import "./style/base.css";
import "./style/pieces.css";

const target = document.getElementById("app");
if (target === null) throw new Error("index.html has no #app");

follow();
keep();
// Who comes by a table's link waits for the words and the table at once.
if (location.pathname.startsWith("/t/")) void import("./views/Table.svelte");
await speak(settings.language);
mount(App, { target });

import { globSync, readFileSync } from "node:fs";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { readFamily } from "./src/rules/family.ts";
import { read } from "./src/rules/markdown.ts";
import { dividedWords } from "./words.ts";

// The address of the server in `make dev`; the page uses its own origin, as when the server serves it.
const server = process.env["UBONGO_SERVER"] ?? "http://127.0.0.1:8000";

const replacing = globSync("test/**/*.test.ts", { cwd: import.meta.dirname }).filter((file) =>
  readFileSync(`${import.meta.dirname}/${file}`, "utf8").includes("vi."),
);

/** A page of rules is parsed when the client is built, not in the browser. */
const rulesPages: Plugin = {
  name: "rules-pages",
  transform: {
    filter: { id: /docs\/rules\/.*\.md$/ },
    handler: (text, id) => {
      const page = id.includes("/docs/rules/family/") ? readFamily(text) : read(text);
      return { code: `export default ${JSON.stringify(page)}`, map: null, moduleType: "js" };
    },
  },
};

export default defineConfig({
  plugins: [svelte(), rulesPages, dividedWords],
  build: {
    outDir: "../ubongo/server/static",
    emptyOutDir: true,
    // The server's content policy allows no inline anything, data: addresses included.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // A cold cache waits for each of many small files: what home needs is one, and what most tables
    // share another. What only one game's table and lesson share is fetched with that game.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "home", tags: ["$initial"], priority: 1 },
            { name: "table", test: /web[\\/]src[\\/](play[\\/]|solid[\\/]|[^\\/]+\.ts$)/, minShareCount: 3 },
          ],
        },
      },
    },
    // Before it no browser knows light-dark(), which the tokens are made of.
    target: ["chrome123", "firefox120", "safari17.5"],
  },
  server: {
    // The words of refusals are Python's own, and the rules are pages of the documents.
    fs: { allow: [".", "../ubongo/words", "../docs/rules"] },
    proxy: {
      "/api": server,
      "/healthz": server,
      "/ws": { target: server, ws: true },
    },
  },
  test: {
    environment: "./test/environment.ts",
    // A file that replaces modules, globals or time has a process of its own; the others share one, and what they import.
    projects: [
      { extends: true, test: { name: "alone", include: replacing } },
      { extends: true, test: { name: "together", include: ["test/**/*.test.ts"], exclude: replacing, isolate: false } },
    ],
  },
});

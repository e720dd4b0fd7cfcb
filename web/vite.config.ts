import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// `make dev` says where the server listens; the page asks its own origin, as it does when served by it.
const server = process.env["UBONGO_SERVER"] ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [svelte()],
  build: {
    outDir: "../ubongo/server/static",
    emptyOutDir: true,
    // The server's content policy allows no inline anything, data: addresses included.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // Before it no browser knows light-dark(), which the tokens are made of.
    target: ["chrome123", "firefox120", "safari17.5"],
  },
  server: {
    // The words of refusals are Python's own.
    fs: { allow: [".", "../ubongo/words"] },
    proxy: {
      "/api": server,
      "/healthz": server,
      "/ws": { target: server, ws: true },
    },
  },
  test: { include: ["test/**/*.test.ts"] },
});

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
  },
  server: {
    proxy: {
      "/api": server,
      "/healthz": server,
      "/ws": { target: server, ws: true },
    },
  },
  test: { include: ["test/**/*.test.ts"] },
});

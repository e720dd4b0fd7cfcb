// @vitest-environment node
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const read = (name: string): string => readFileSync(new URL(`../public/${name}`, import.meta.url), "utf8");

it("keeps the page for those without a line under a name of its own: a browser that has an older one takes the new", () => {
  const named = [...read("worker.js").matchAll(/"\/([\w.]+)"/g)].map(([, name]) => name ?? "");
  const files = [...new Set(named)];
  expect(files).toContain("offline.html");
  const hash = createHash("sha256").update(files.map(read).join("")).digest("hex").slice(0, 12);
  expect(read("worker.js")).toContain(`"offline-${hash}"`);
});

/** Texts that cannot be loaded: other views open without them, and the next view that needs them requests them again. */

import { expect, it, vi } from "vitest";

let connected = false;
vi.mock("virtual:words/en/rest", () => {
  if (!connected) throw new Error("no connection");
  return { default: { "records.about": "loaded" } };
});

it("requests texts again after a failure", async () => {
  const { speak, t, withWords } = await import("../src/i18n/index.svelte");
  await speak("en");
  await expect(withWords(Promise.resolve("records"))).rejects.toThrow();
  // The first page needs none of them, nor does a change of language.
  expect(await withWords(Promise.resolve("home"), "first")).toBe("home");
  expect(await withWords(Promise.resolve("table"), "table")).toBe("table");
  await speak("de");
  await speak("en");
  connected = true;
  expect(await withWords(Promise.resolve("records"))).toBe("records");
  expect(t("records.about")).toBe("loaded");
});

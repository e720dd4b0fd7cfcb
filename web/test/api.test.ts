import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { rename } from "../src/api";
import { settings } from "../src/settings.svelte";

let asked: (readonly [method: string, path: string, body: unknown])[];

/** A server that answers each request in turn: with a status and a body, or not at all. */
function answers(...all: readonly (readonly [number, object] | "no line")[]): void {
  const left = [...all];
  vi.stubGlobal("fetch", (path: string, { method, body }: { method: string; body: string }) => {
    asked.push([method, path, JSON.parse(body)]);
    const next = left.shift();
    if (next === undefined || next === "no line") return Promise.reject(new TypeError("no line"));
    return Promise.resolve(new Response(JSON.stringify(next[1]), { status: next[0] }));
  });
}

beforeEach(() => {
  asked = [];
  settings.name = "Ann";
  settings.known = true;
});
afterEach(() => vi.unstubAllGlobals());

const TAKEN = [200, { name: "Bo" }] as const;
const NO_TOKEN = [401, { code: "no_token" }] as const;
const BAD = [400, { code: "bad_name" }] as const;

describe("a name that is refused", () => {
  it.each([
    ["is a bad one", BAD, "bad_name"],
    ["comes too often", [429, { code: "too_fast" }] as const, "too_fast"],
    ["finds the server broken", [500, {}] as const, "broken"],
    ["does not get through", "no line" as const, "no_line"],
  ])("%s: it is not kept", async (_, answer, code) => {
    answers(answer);
    await expect(rename("Bo")).rejects.toMatchObject({ code });
    expect(settings.name).toBe("Ann");
  });
  it("is not kept by somebody new either", async () => {
    Object.assign(settings, { name: "", known: false });
    answers(BAD);
    await expect(rename("Bo")).rejects.toMatchObject({ code: "bad_name" });
    expect(settings).toMatchObject({ name: "", known: false });
  });
});

describe("a name that is taken", () => {
  it("is kept", async () => {
    answers(TAKEN);
    await rename("Bo");
    expect(settings.name).toBe("Bo");
  });
  it("is the one that is said where the server has forgotten us", async () => {
    answers(NO_TOKEN, [201, {}], TAKEN);
    await rename("Bo");
    expect(settings.name).toBe("Bo");
    expect(asked).toEqual([
      ["PATCH", "/api/guests/me", { name: "Bo" }],
      ["POST", "/api/guests", { name: "Bo" }],
      ["PATCH", "/api/guests/me", { name: "Bo" }],
    ]);
  });
});

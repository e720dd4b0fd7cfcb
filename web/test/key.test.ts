import { expect, it } from "vitest";

import { readKey, wordsOf } from "../src/key";

it("reads a key however it was typed, said or pasted", () => {
  for (const typed of [
    "amber-heron-4172",
    " Amber Heron 4172 ",
    "AMBER–HERON–4172",
    "amber heron4172.",
    "/t/Amber%20Heron%204172",
    "https://play.example/t/amber-heron-4172?x#y",
  ])
    expect(readKey(typed), typed).toBe("amber-heron-4172");
});

it("leaves to the server what it cannot part, and links of old as they are", () => {
  const old = "0123456789abcdef0123456789abcdef";
  expect(readKey(`/t/${old}`)).toBe(old);
  expect(readKey("amberheron4172")).toBe("amberheron4172");
  expect(readKey("50 %")).toBe("50 %");
  expect(readKey("")).toBe("");
});

it("says the words of a key that has some", () => {
  expect(wordsOf("amber-heron-4172")).toEqual(["amber", "heron", "4172"]);
  expect(wordsOf("0123456789abcdef0123456789abcdef")).toEqual([]);
});

/** What the wording of all three languages keeps to; the words themselves are in CONTRIBUTING.md. */

import { describe, expect, it } from "vitest";
import de from "../src/i18n/de.json";
import en from "../src/i18n/en.json";
import pl from "../src/i18n/pl.json";
import wordsDe from "../../ubongo/words/de.json";
import wordsEn from "../../ubongo/words/en.json";
import wordsPl from "../../ubongo/words/pl.json";
import printDe from "../../ubongo/words/print/de.json";
import printEn from "../../ubongo/words/print/en.json";
import printPl from "../../ubongo/words/print/pl.json";

type Text = readonly [key: string, text: string];

/** Every text, forms by number one by one. */
function texts(catalogue: object, of = ""): Text[] {
  return Object.entries(catalogue).flatMap(([key, text]) =>
    typeof text === "string" ? [[of + key, text] as const] : texts(text as object, `${of}${key} `),
  );
}

const EN = [en, wordsEn, printEn].flatMap((one) => texts(one));
const DE = [de, wordsDe, printDe].flatMap((one) => texts(one));
const PL = [pl, wordsPl, printPl].flatMap((one) => texts(one));

/** The texts in which it stands, to be read when a test fails. */
const having = (all: readonly Text[], what: RegExp): Text[] => all.filter(([, text]) => what.test(text));

describe.each<[string, Text[]]>([
  ["English", EN],
  ["German", DE],
  ["Polish", PL],
])("%s", (_, all) => {
  it("has no names of fields or options", () => {
    // A value's own name is not seen: it is put in.
    const seen = all.map(([key, text]): Text => [key, text.replace(/\{\w+\}/g, "")]);
    expect(having(seen, /[a-z]_[a-z]|`/)).toEqual([]);
  });
  it("counts no seats, and nothing from 0", () => {
    expect(having(all, /(seat|Platz|miejsc[eau]) (0|\{(seat|roller)\})|(from|ab|od) 0[,.]/i)).toEqual([]);
  });
  it("has the apostrophes, dots and spaces of printed text", () => {
    expect(having(all, /'|"|\.\.\.| {2}|^ .| $/).filter(([key]) => key !== "names.between")).toEqual([]);
  });
  it("keeps a number and its unit on one line", () => {
    expect(having(all, /[\d}] (s|min|pkt)(?!\p{L})/u)).toEqual([]);
  });
});

it.each<[string, Text[], RegExp]>([
  ["English", EN, /[„«»]/],
  ["German", DE, /[”«»]/],
  ["Polish", PL, /[“«»]/],
])("%s quotes in its own way", (_, all, foreign) => {
  expect(having(all, foreign)).toEqual([]);
});

describe("one thing has one name", () => {
  it.each<[string, Text[], RegExp]>([
    ["English: the hourglass", EN, /\bglass/i],
    ["German: the board is a Tafel", DE, /\bPl(an|äne|änen|ans)\b/],
    ["German: nobody würde", DE, /\bwürde/i],
    ["German: an edition is an Ausgabe", DE, /\bEdition(en)?\b/],
    ["German: a rematch is a Revanche, a hint a Tipp", DE, /Rückspiel|Hinweis/],
    ["Polish: the display is a pula", PL, /wystaw[aęyi]/i],
    ["Polish: an edition is an edycja", PL, /\bwydani[eau]/i],
    ["Polish: a run is a próba", PL, /\bbieg(?!nie)/i],
    ["Polish: the sand przesypuje się", PL, /piasek (biegnie|się skończył)|biegnie piasek/i],
  ])("%s", (_, all, other) => {
    expect(having(all, other)).toEqual([]);
  });
  it("Polish: a die is a kostka, only the game is called gra w kości", () => {
    const others = PL.map(([key, text]): Text => [key, text.replace(/gr[aęyze]+ w kości/gi, "")]);
    expect(having(others, /(?<!\p{L})ko(ść|ści|ścią|śćmi|ściami)(?!\p{L})/iu)).toEqual([]);
  });
});

it("gives nobody a gender in Polish", () => {
  expect(having(PL, /\{names?\} \p{L}+(ł|(?<!wo)ła)(?!\p{L})|\(a\)|\b\p{L}+(łeś|łaś)(?!\p{L})/u)).toEqual([]);
});

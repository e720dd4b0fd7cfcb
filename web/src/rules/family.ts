/**
 * Reads a page of the rules for families when the client is built: docs/rules/family/{language}/{game}.md.
 *
 * As with the numbered rules, what it does not know stops the build. A page begins with its title, the goal and some
 * facts; then come sections, `## Title {#id}`. In them are sentences, lists, pictures with a caption each
 * (`![name] …`, one a line) and questions (`### …`) with the answer below. What is only true on screen stands in
 * `{screen: …}`, and is left out in print (ubongo/printing/rules.py).
 */

import { spans, type Spans } from "./markdown.ts";

type Figure = { readonly picture: string; readonly spans: Spans };
export type FamilyBlock =
  | { readonly kind: "text"; readonly spans: Spans }
  | { readonly kind: "list"; readonly items: readonly Spans[] }
  | { readonly kind: "figures"; readonly figures: readonly Figure[] }
  | { readonly kind: "question"; readonly question: string; readonly spans: Spans };
export type Section = { readonly id: string; readonly title: string; readonly blocks: readonly FamilyBlock[] };
export type FamilyPage = {
  readonly title: string;
  readonly goal: Spans;
  readonly facts: readonly string[];
  readonly sections: readonly Section[];
};

export function readFamily(text: string): FamilyPage {
  const shown = text.replaceAll(/\{screen: ([^}]*)\}/g, "$1");
  const [head = "", ...rest] = shown.trim().split(/\n(?=## )/);
  const [title = "", goal = "", facts = ""] = head.split(/\n{2,}/);
  if (!title.startsWith("# ") || goal === "" || !facts.startsWith("- "))
    throw new Error(`A page begins with its title, the goal and some facts, not with: ${head}`);
  return { title: title.slice(2), goal: said(goal), facts: items(facts), sections: rest.map(section) };
}

function section(text: string): Section {
  const [head = "", ...parts] = text.trim().split(/\n{2,}/);
  const [, title, id] = /^## (.+) \{#([a-z]+)\}$/.exec(head) ?? [];
  if (title === undefined || id === undefined) throw new Error(`A section has a title and an id, not: ${head}`);
  const blocks: FamilyBlock[] = [];
  for (const [i, part] of parts.entries()) {
    // An answer was read with its question.
    if (parts[i - 1]?.startsWith("### ") === true) continue;
    blocks.push(block(part, parts[i + 1]));
  }
  return { id, title, blocks };
}

function block(part: string, next: string | undefined): FamilyBlock {
  if (part.startsWith("### ")) {
    if (next === undefined) throw new Error(`A question without an answer: ${part}`);
    return { kind: "question", question: part.slice(4), spans: said(next) };
  }
  if (part.startsWith("- ")) return { kind: "list", items: items(part).map(spans) };
  if (part.startsWith("![")) return { kind: "figures", figures: part.split(/\n(?=!\[)/).map(figure) };
  if (/^[#>|\d`]/.test(part)) throw new Error(`The rules for families have no such form: ${part}`);
  return { kind: "text", spans: said(part) };
}

function figure(text: string): Figure {
  const [, picture, caption] = /^!\[([a-z0-9-]+)\] (.+)$/s.exec(text) ?? [];
  if (picture === undefined || caption === undefined) throw new Error(`A picture has a name and a caption: ${text}`);
  return { picture, spans: said(caption) };
}

const items = (text: string): string[] => text.split(/\n(?=- )/).map((item) => oneLine(item.slice(2)));
const said = (text: string): Spans => spans(oneLine(text));
const oneLine = (text: string): string => text.replaceAll(/\n\s*/g, " ");

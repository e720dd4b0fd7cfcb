/**
 * Reads a page of rules when the client is built: the few forms that docs/rules/ is written in, and no others.
 *
 * What it does not know stops the build: a page must not lose a sentence on its way to the screen.
 */

/** `option`: what is set before a match, or a move, by the name that programs call it. */
type Span =
  | { readonly kind: "text" | "em" | "strong"; readonly text: string }
  | { readonly kind: "option"; readonly name: string; readonly value: string }
  | { readonly kind: "link"; readonly text: string; readonly to: string };
export type Spans = readonly Span[];
type Rule = { readonly number: string; readonly spans: Spans };
export type Block =
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "text"; readonly spans: Spans }
  | { readonly kind: "rules"; readonly rules: readonly Rule[] }
  | { readonly kind: "table"; readonly head: readonly Spans[]; readonly rows: readonly (readonly Spans[])[] };
export type Page = { readonly title: string; readonly blocks: readonly Block[] };

/** A name stands in brackets of its own, so that a sentence is whole without it: people have no use for it. */
const SPAN = /\[([^\]]+)\]\(([^)]+)\)| \(`([^`:]+)(?:: ([^`]+))?`\)|\*\*([^*]+)\*\*|\*([^*]+)\*/g;

export function read(text: string): Page {
  const [first = "", ...parts] = text.trim().split(/\n{2,}/);
  const title = /^# (.+)$/.exec(first)?.[1];
  if (title === undefined) throw new Error(`A page begins with its title, not with: ${first}`);
  return { title, blocks: parts.map(block) };
}

function block(part: string): Block {
  if (part.startsWith("## ")) return { kind: "heading", text: part.slice(3) };
  if (part.startsWith("|")) return table(part.split("\n").map(cells));
  if (/^[#>\-+\d`]/.test(part)) throw new Error(`A page of rules has no such form: ${part}`);
  return { kind: "text", spans: spans(part.replaceAll("\n", " ")) };
}

function table([head = [], , ...rows]: string[][]): Block {
  if (head.some((name) => name !== ""))
    return { kind: "table", head: head.map(spans), rows: rows.map((row) => row.map(spans)) };
  return {
    kind: "rules",
    rules: rows.map(([number = "", said = ""]) => ({ number: number.replaceAll("*", ""), spans: spans(said) })),
  };
}

/** A bar inside a cell is written `\|`. */
function cells(line: string): string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim().replaceAll("\\|", "|"));
}

export function spans(text: string): Span[] {
  if (text.replaceAll(SPAN, "").includes("`")) throw new Error(`A name that is not in brackets of its own: ${text}`);
  const found: Span[] = [];
  let past = 0;
  for (const match of text.matchAll(SPAN)) {
    if (match.index > past) found.push({ kind: "text", text: text.slice(past, match.index) });
    past = match.index + match[0].length;
    const [, link, to, name, value, strong, em] = match;
    if (link !== undefined) found.push({ kind: "link", text: link, to: to ?? "" });
    else if (name !== undefined) found.push({ kind: "option", name, value: value ?? "" });
    else if (strong !== undefined) found.push({ kind: "strong", text: strong });
    else found.push({ kind: "em", text: em ?? "" });
  }
  if (past < text.length) found.push({ kind: "text", text: text.slice(past) });
  return found;
}

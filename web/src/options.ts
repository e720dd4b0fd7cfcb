/** A game's options as questions in plain words: which are asked, and which answers are offered. */

import type { Field, GameEntry, Options } from "./api";

export type Answer = string | number | boolean;
export type Question = { readonly name: string; readonly answers: readonly Answer[]; readonly usual: Answer };

/** Offered for what could be any number; the default is always among them. */
const NUMBERS: Readonly<Record<string, readonly number[]>> = {
  hourglass_s: [45, 60, 90],
  ready_s: [15, 30, 60],
  round_s: [0, 180, 300],
};
const ASKED: readonly string[] = [
  "side",
  "hourglass_s",
  "checking",
  "auto_call",
  "scoring",
  "die",
  "round_s",
  "reveal",
  "ready_s",
];

export function questions({ options }: GameEntry): Question[] {
  return ASKED.flatMap((name) => {
    const field = options.properties[name];
    if (field === undefined) return [];
    return [{ name, answers: answersOf(name, field), usual: field.default }];
  });
}

/** What a table has agreed on, of what is asked. */
export function agreed(options: object): [name: string, value: unknown][] {
  const all = new Map(Object.entries(options));
  return ASKED.flatMap((name) => (all.has(name) ? [[name, all.get(name)]] : []));
}

export function usual(asked: readonly Question[]): Options {
  return Object.fromEntries(asked.map((question) => [question.name, question.usual]));
}

function answersOf(name: string, field: Field): readonly Answer[] {
  if (field.type === "boolean") return [true, false];
  if (field.enum !== undefined)
    return [field.default, ...field.enum.filter((one) => one !== field.default)] as Answer[];
  const offered = NUMBERS[name] ?? [];
  return [...new Set([...offered, field.default as number])].sort((a, b) => a - b);
}

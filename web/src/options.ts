/** A game's options as questions in plain words: which are asked, and which answers are offered. */

import type { Field, GameEntry, Options } from "./api";

export type Answer = string | number | boolean;
type Question = { readonly name: string; readonly answers: readonly Answer[]; readonly usual: Answer };

/** Offered for what could be any number; the default is always among them. */
const NUMBERS: Readonly<Record<string, readonly number[]>> = {
  hourglass_s: [45, 60, 90],
  grab_s: [10, 20, 30],
  enter_s: [60, 90, 180],
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
  "grab_s",
  "enter_s",
  "places",
  "areas",
  "reveal",
  "ready_s",
];

/** What a game has but makes no difference in it: a sheet lies open. */
const IDLE: Readonly<Record<string, readonly string[]>> = { dice: ["reveal"] };

/** What makes no difference where pieces lie on paper. */
const ON_SCREEN: readonly string[] = ["checking", "auto_call", "grab_s", "enter_s", "reveal", "ready_s"];

export function questions({ game, options }: GameEntry, seats: number, paper = false): Question[] {
  return ASKED.flatMap((name) => {
    const field = options.properties[name];
    if (field === undefined || idle(game, name, paper)) return [];
    // Two may choose; with more there is one answer.
    if (name === "areas" && seats !== 2) return [];
    return [{ name, answers: answersOf(name, field), usual: field.default }];
  });
}

/** What a table has agreed on, of what is asked. */
export function agreed(game: string, options: object): [name: string, value: unknown][] {
  const all = new Map(Object.entries(options));
  const asked = ASKED.filter((name) => all.has(name) && !idle(game, name, all.get("companion") === true));
  return asked.map((name) => [name, all.get(name)]);
}

function idle(game: string, name: string, paper: boolean): boolean {
  return IDLE[game]?.includes(name) === true || (paper && ON_SCREEN.includes(name));
}

/** What was chosen, and what is usual where nothing was. */
export function answered(asked: readonly Question[], chosen: Options): Options {
  return Object.fromEntries(asked.map(({ name, usual }) => [name, chosen[name] ?? usual]));
}

function answersOf(name: string, field: Field): readonly Answer[] {
  if (field.type === "boolean") return [true, false];
  if (field.enum !== undefined)
    return [field.default, ...field.enum.filter((one) => one !== field.default)] as Answer[];
  const offered = NUMBERS[name] ?? [];
  return [...new Set([...offered, field.default as number])].sort((a, b) => a - b);
}

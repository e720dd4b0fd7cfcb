/** A game's options as questions in plain words: which are asked, and which answers are offered. */

import type { Field, GameEntry, Options } from "./api";

export type Answer = string | number | boolean;
type Question = { readonly name: string; readonly answers: readonly Answer[]; readonly usual: Answer };
/** Who is there, by seat. */
export type People = ReadonlyMap<number, string>;

/** Offered for what could be any number; the default is always among them. 0 is no limit. */
const NUMBERS: Readonly<Record<string, readonly number[]>> = {
  hourglass_s: [45, 60, 90],
  grab_s: [10, 20, 30, 0],
  enter_s: [60, 90, 180, 0],
  ready_s: [15, 30, 60, 0],
  round_s: [180, 300, 0],
};
const ASKED: readonly string[] = [
  "side",
  "hourglass_s",
  "checking",
  "auto_call",
  "scoring",
  "die",
  "first_seat",
  "round_s",
  "grab_s",
  "enter_s",
  "places",
  "areas",
  "reveal",
  "ready_s",
];

/** What is seldom changed. */
export const MORE: readonly string[] = [
  "scoring",
  "first_seat",
  "grab_s",
  "enter_s",
  "places",
  "areas",
  "reveal",
  "ready_s",
];

/** What a game has but makes no difference in it: a sheet lies open, and nobody throws. */
const IDLE: Readonly<Record<string, readonly string[]>> = {
  dice: ["reveal"],
  cards: ["first_seat"],
  extreme: ["first_seat"],
};

/** What makes no difference where pieces lie on paper. */
const ON_SCREEN: readonly string[] = ["checking", "auto_call", "grab_s", "enter_s", "reveal", "ready_s"];

/** What is still to be asked of a game when some of it has been chosen. */
export function questions(
  { game, options }: Pick<GameEntry, "game" | "options">,
  seats: number,
  chosen: Options = {},
  people: People = new Map(),
): Question[] {
  return ASKED.flatMap((name) => {
    const field = options.properties[name];
    if (field === undefined || idle(game, name, chosen)) return [];
    if (settled(name, seats)) return [];
    const answers = name === "first_seat" ? [...people.keys()] : answersOf(name, field);
    return [{ name, answers, usual: field.default }];
  });
}

/** What a table has agreed on, of what is asked. */
export function agreed(game: string, options: object, seats: number): [name: string, value: unknown][] {
  const all: Options = { ...options };
  return ASKED.filter((name) => name in all && !idle(game, name, all) && !settled(name, seats)).map((name) => [
    name,
    all[name],
  ]);
}

/** Two may choose how many areas; with more there is one answer. */
const settled = (name: string, seats: number): boolean => name === "areas" && seats !== 2;

function idle(game: string, name: string, { companion, die }: Options): boolean {
  if (name === "first_seat" && die === "off") return true;
  return IDLE[game]?.includes(name) === true || (companion === true && ON_SCREEN.includes(name));
}

/** What was chosen, and what is usual where nothing was, or nothing can be yet. */
export function answered(asked: readonly Question[], chosen: Options): Options {
  return Object.fromEntries(
    asked.map(({ name, answers, usual }) => [name, answers.length === 0 ? usual : (chosen[name] ?? usual)]),
  );
}

function answersOf(name: string, field: Field): readonly Answer[] {
  if (field.type === "boolean") return [true, false];
  if (field.enum !== undefined)
    return [field.default, ...field.enum.filter((one) => one !== field.default)] as Answer[];
  const offered = NUMBERS[name] ?? [];
  return [...new Set([...offered, field.default as number])].sort((a, b) => (a || Infinity) - (b || Infinity));
}

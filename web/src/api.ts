/** The lobby over HTTP. A refusal is thrown as Denied, with its code and the server's sentence. */

import type { ReplayLine } from "./timeline";
import type { Cell } from "./lattice";
import type {
  BoardEntry,
  DayResult,
  DeviceEntry,
  RunKind,
  RunOutcome,
  Own,
  PastGames,
  Placement,
  Profile,
  Ranking,
  DailySolution,
  Summary,
  TableEntry,
  TaskEntry,
  Today,
  Who,
} from "./protocol";
import type { Piece } from "./lay";
import { giveUpSeat } from "./seat";
import { settings } from "./settings.svelte";

export const GAMES = ["extreme", "cards", "dice", "cubes"] as const;
export type GameName = (typeof GAMES)[number];
export type Field = {
  readonly type?: string;
  readonly enum?: readonly (string | number)[];
  readonly default: string | number | boolean;
};
export type GameEntry = {
  readonly game: string;
  readonly seats: readonly number[];
  readonly options: { readonly properties: Readonly<Record<string, Field>> };
  /** From the easiest bot to the hardest; their names, and about how many seconds each needs for a board. */
  readonly levels: readonly string[];
  readonly bots: Readonly<Record<string, string>>;
  readonly board_s: Readonly<Record<string, number>>;
  readonly editions: readonly string[];
  /** Which grades its tasks have, the easiest first. */
  readonly grades: readonly number[];
};
export type Options = Readonly<Record<string, string | number | boolean>>;
type Seated = { readonly table: string; readonly link: string; readonly seat: number | null };
export type Wanted = {
  game: GameName | "solo";
  seats?: number;
  options?: Options;
  bots?: readonly string[];
  public?: boolean;
};

export class Denied extends Error {
  constructor(
    readonly code: string,
    message: string,
    /** What it lacks, if that is an edition. */
    readonly edition = "",
  ) {
    super(message);
  }
}

async function answered(method: string, path: string, body?: object): Promise<Response> {
  const answer = await fetch(`/api${path}`, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  }).catch(() => {
    throw new Denied("no_line", "");
  });
  if (answer.ok) return answer;
  const no = (await answer.json().catch(() => ({}))) as Record<string, string>;
  throw new Denied(no["code"] ?? "broken", no["error"] ?? "", no["edition"]);
}

async function asked<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  return (await (await answered(method, path, body)).json()) as Answer;
}

/** Makes a request as a known guest. If the server does not know us any more (a new log), registers the name again. */
async function askedByMe<Answer>(method: string, path: string, body?: object, name = settings.name): Promise<Answer> {
  if (!settings.known) await introduce(name);
  try {
    return await asked<Answer>(method, path, body);
  } catch (problem) {
    if (!(problem instanceof Denied) || problem.code !== "no_token") throw problem;
    await introduce(name);
    return await asked<Answer>(method, path, body);
  }
}

async function introduce(name: string): Promise<void> {
  await asked("POST", "/guests", { name });
  settings.known = true;
}

/** A name changes once the server has accepted it; until then the page uses the old one. */
export async function rename(name: string): Promise<void> {
  if (settings.known) await askedByMe("PATCH", "/guests/me", { name }, name);
  else await introduce(name);
  settings.name = name;
}

/** A code that signs in another device, once. */
export const newCode = (): Promise<string> =>
  askedByMe<{ code: string }>("POST", "/guests/me/codes").then(({ code }) => code);

export async function redeem(code: string): Promise<void> {
  await asked("POST", "/guests/redeem", { code });
  settings.name = (await asked<{ name: string }>("GET", "/guests/me")).name;
  settings.known = true;
  giveUpSeat();
}

export async function forgetMe(): Promise<void> {
  await asked("DELETE", "/guests/me");
  becomeNobody();
}

/** The server does not know this device any more. */
export function becomeNobody(): void {
  settings.name = "";
  settings.known = false;
  giveUpSeat();
}

/** Where I am signed in: this device first. */
export const devices = (): Promise<DeviceEntry[]> => asked("GET", "/guests/me/devices");
export const signOut = (device: string): Promise<object> => asked("DELETE", `/guests/me/devices/${device}`);
export const signOutOthers = (): Promise<object> => asked("DELETE", "/guests/me/devices");

export const games = (): Promise<GameEntry[]> => asked("GET", "/games");
export const publicTables = (): Promise<TableEntry[]> => asked("GET", "/tables");
/** The count-in before each round, in seconds, of tables opened here. The rules have none on paper and in practice. */
const COUNT_IN_S = 3;
export const open = (wanted: Wanted): Promise<Seated> =>
  askedByMe("POST", "/tables", { ...wanted, options: { count_in_s: COUNT_IN_S, ...wanted.options } });
export const join = (table: string): Promise<{ seat: number }> => askedByMe("POST", `/tables/${table}/join`);
export const tableBy = (key: string): Promise<TableEntry> => asked("GET", `/tables/${encodeURIComponent(key)}`);
export const start = (table: string): Promise<object> => askedByMe("POST", `/tables/${table}/start`);
export const leave = (table: string): Promise<object> => askedByMe("POST", `/tables/${table}/leave`);
export const settle = (table: string, change: object): Promise<TableEntry> =>
  askedByMe("PATCH", `/tables/${table}`, change);
export const closeTable = (table: string): Promise<object> => askedByMe("DELETE", `/tables/${table}`);
/** The solutions of the round just closed, by seat; null if there is nothing to show. */
export const solutions = (table: string): Promise<(readonly Placement[] | null)[]> =>
  asked("GET", `/tables/${table}/solutions`);
export const rematch = (table: string): Promise<Seated> => askedByMe("POST", `/tables/${table}/rematch`);
export const seatBot = (table: string, seat: number, bot: string): Promise<object> =>
  askedByMe("PUT", `/tables/${table}/seats/${seat}`, { bot });
/** By the host: whether there are reactions at this table. */
export const muteReactions = (table: string, muted: boolean): Promise<object> =>
  askedByMe("PUT", `/tables/${table}/reactions`, { muted });
/** Somebody without a device of their own sits there. */
export const seatName = (table: string, seat: number, name: string): Promise<object> =>
  askedByMe("PUT", `/tables/${table}/seats/${seat}`, { name });
export const freeSeat = (table: string, seat: number): Promise<object> =>
  askedByMe("DELETE", `/tables/${table}/seats/${seat}`);
/** For the host: the players who were removed, and cannot take a seat until they are readmitted. */
export const removedFrom = (table: string): Promise<Who[]> => asked("GET", `/tables/${table}/removed`);
export const readmit = (table: string, player: string): Promise<object> =>
  askedByMe("DELETE", `/tables/${table}/removed/${player}`);

/** The result of a solo run, as soon as it is over. */
export const outcome = (table: string): Promise<RunOutcome> => asked("GET", `/tables/${table}/result`);
/** What can be practised of a game. */
export const tasks = (game: string): Promise<TaskEntry[]> => asked("GET", `/games/${game}/tasks`);
/** What is printed on a board, and how a task of it is solved. */
export const board = (edition: string, name: string): Promise<BoardEntry> =>
  asked("GET", `/boards/${encodeURIComponent(edition)}/${encodeURIComponent(name)}`);
export const boardSolution = (edition: string, name: string, number: string, side: number): Promise<Placement[]> =>
  asked(
    "GET",
    `/boards/${encodeURIComponent(edition)}/${encodeURIComponent(name)}/solution?number=${encodeURIComponent(number)}&side=${side}`,
  );
export const today = (): Promise<Today> => asked("GET", "/day");
/** The tasks of a day that is over, and how they are solved. */
export const solvedOn = (day: string): Promise<DailySolution[]> => asked("GET", `/day/${day}`);
/** My try of a day's puzzle among everybody's. */
export const dayResult = (day: string, of: string): Promise<DayResult> =>
  askedByMe("GET", `/day/${day}/result?of=${of}`);
export const ranking = (kind: RunKind, since: "ever" | "week"): Promise<Ranking> =>
  asked("GET", `/records?${query(kind)}&since=${since}`);
export const ownRuns = (kind: RunKind): Promise<Own> => askedByMe("GET", `/guests/me/records?${query(kind)}`);
export const profile = (): Promise<Profile> => askedByMe("GET", "/guests/me/profile");

export type Which = "all" | "matches" | "runs" | "days";
/** What I have played, the newest first; `before` is where the page before ended. */
export const pastGames = (which: Which, before = ""): Promise<PastGames> =>
  askedByMe("GET", `/guests/me/games?which=${which}&before=${before}`);

function query(kind: RunKind): string {
  const wanted = Object.entries(kind).filter(([, value]) => value !== null);
  return new URLSearchParams(wanted.map(([name, value]) => [name, String(value)])).toString();
}

const shelves = new Map<string, Promise<ReadonlyMap<string, Piece>>>();

/** Every piece of an edition by its name; requested once. */
export function pieces(game: string, edition: string): Promise<ReadonlyMap<string, Piece>> {
  const path = `/games/${game}/pieces?edition=${encodeURIComponent(edition)}`;
  let shelf = shelves.get(path);
  if (shelf === undefined) {
    shelf = asked<Piece[]>("GET", path).then((all) => new Map(all.map((piece) => [piece.name, piece])));
    shelf.catch(() => shelves.delete(path));
    shelves.set(path, shelf);
  }
  return shelf;
}

/** The areas of a sheet of the dice game. */
export async function sheet(number: string, edition: string): Promise<(readonly Cell[])[]> {
  const path = `/games/dice/sheets/${number}?edition=${encodeURIComponent(edition)}`;
  return (await asked<{ region: readonly Cell[] }[]>("GET", path)).map(({ region }) => region);
}

async function lines<Line>(path: string): Promise<Line[]> {
  const text = await answered("GET", path).then((answer) => answer.text());
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Line);
}

/** The highlights of a finished match. */
export const summary = (table: string): Promise<Summary> => asked("GET", `/tables/${table}/summary`);
/** A finished match, line by line: what its events changed. */
export const replay = (table: string): Promise<ReplayLine[]> => lines(`/tables/${table}/replay`);

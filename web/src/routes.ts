/** Which view an address leads to. Each view but the first page is loaded when it is opened, together with its words. */

import type { Component } from "svelte";
import { GAMES, type GameName } from "./api";
import { type Part, withWords } from "./i18n/index.svelte";
import { readKey } from "./key";
import { SCREENS } from "./play/screens";
import Home from "./views/Home.svelte";

export interface Opened {
  readonly view: Component;
  readonly props: object;
}

/** `key`: a view is created again when it changes. */
interface Found {
  readonly key: string;
  readonly load: () => Promise<Opened>;
}

interface Address {
  readonly path: string;
  readonly fragment: string;
}

type Route = (at: Address) => Found | undefined;
type Loaded<Props extends object> = Promise<{ default: Component<Props> }>;

interface Extra {
  /** The parts of the texts it needs, if not all. */
  readonly words?: readonly Part[];
  /** It takes new props without being created again. */
  readonly steady?: boolean;
}

function route<Props extends object>(
  match: (at: Address) => Props | undefined,
  load: () => Loaded<Props>,
  { words = [], steady = false }: Extra = {},
): Route {
  return (at) => {
    const props = match(at);
    if (props === undefined) return undefined;
    return {
      key: steady ? "" : JSON.stringify(props),
      load: async () => {
        const { default: view } = await withWords(load(), ...words);
        // What a view takes is checked here, once, by the type of `load`.
        return { view: view as Component, props };
      },
    };
  };
}

const at = (path: string) => (to: Address) => (to.path === path ? {} : undefined);

const gameAt =
  (folder: string) =>
  ({ path }: Address): { game: GameName } | undefined => {
    const game = GAMES.find((one) => path === `/${folder}/${one}`);
    return game && { game };
  };

const gameIn =
  (prefix: string) =>
  ({ fragment }: Address): { game: GameName } | undefined => {
    const game = GAMES.find((one) => fragment === `${prefix}-${one}`);
    return game && { game };
  };

function keyAt(folder: string) {
  const form = new RegExp(`^/${folder}/([\\w-]+)$`);
  return ({ path }: Address): { key: string } | undefined => {
    const key = form.exec(path)?.[1];
    return key === undefined ? undefined : { key };
  };
}

function tableAt({ path }: Address): { key: string } | undefined {
  const key = /^\/t\/[^/]+$/.test(path) ? readKey(path) : undefined;
  return key === undefined ? undefined : { key };
}

function dayAt({ path }: Address): { day: string } | undefined {
  const day = /^\/day\/(\d{4}-\d\d-\d\d)$/.exec(path)?.[1];
  return day === undefined ? undefined : { day };
}

function boardAt({ path }: Address): { edition: string; name: string } | undefined {
  const [, edition, name] = /^\/b\/([\w-]+)\/(\w+)$/.exec(path) ?? [];
  return edition === undefined || name === undefined ? undefined : { edition, name };
}

function friendsIn(to: Address): { game: GameName } | undefined {
  const found = gameIn("friends")(to);
  return found && found.game in SCREENS ? found : undefined;
}

const home = ({ path }: Address) => (path === "/" || path === "/index.html" ? {} : undefined);

const anywhere = () => ({});

/** The first that matches. */
const ROUTES: readonly Route[] = [
  route(tableAt, () => import("./views/Table.svelte"), { words: ["table"] }),
  route(keyAt("replay"), () => import("./views/Replay.svelte")),
  route(gameAt("learn"), () => import("./lessons/Lesson.svelte")),
  route(gameAt("play"), () => import("./views/PlayNow.svelte")),
  route(gameAt("rules"), () => import("./views/Rules.svelte"), { steady: true }),
  route(gameAt("companion"), () => import("./paper/Companion.svelte")),
  route(boardAt, () => import("./paper/PrintedBoard.svelte")),
  route(gameIn("print"), () => import("./views/Print.svelte")),
  route(keyAt("ghost"), () => import("./views/Ghost.svelte")),
  route(dayAt, () => import("./views/DaySolved.svelte"), { steady: true }),
  route(at("/learn"), () => import("./views/Learn.svelte")),
  route(at("/editions"), () => import("./views/Editions.svelte")),
  route(at("/records"), () => import("./views/Records.svelte")),
  route(at("/me"), () => import("./views/Profile.svelte")),
  route(gameIn("solo"), () => import("./views/Solo.svelte")),
  route(friendsIn, () => import("./views/Friends.svelte")),
  route(home, () => Promise.resolve({ default: Home }), { words: ["first"] }),
  route(anywhere, () => import("./views/Nowhere.svelte")),
];

export function viewAt(to: Address): Found {
  for (const [number, match] of ROUTES.entries()) {
    const found = match(to);
    if (found !== undefined) return { key: `${number} ${found.key}`, load: found.load };
  }
  throw new Error("the last route matches every address");
}

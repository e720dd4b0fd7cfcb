/** The settings, stored in this browser. The page's root element passes them to the style sheet. */

import type { Opponent } from "./opponent";

export type Language = "en" | "de" | "pl";
type Settings = {
  language: Language;
  theme: "system" | "light" | "dark";
  sound: boolean;
  /** In hundredths. */
  volume: number;
  /** Whether others' signs are shown. */
  reactions: boolean;
  patterns: boolean;
  /** Without movement; "system" does what the system says. */
  motion: "system" | "off";
  tray: "right" | "left";
  /** As they want to be called; empty until they have been asked. */
  name: string;
  /** The server knows this browser under that name. */
  known: boolean;
  /** The games whose first lesson was taken or skipped, or that were played without. */
  learned: readonly string[];
  /** Whom they play against bots, by game. */
  opponents: Readonly<Record<string, Opponent>>;
  /** The games of which a match was played to its end. */
  finished: readonly string[];
};

const KEY = "ubongo";
export const LANGUAGES: readonly Language[] = ["en", "de", "pl"];

function browsers(): Language {
  const wanted = navigator.languages.map((name) => name.slice(0, 2));
  return LANGUAGES.find((one) => wanted.includes(one) && one === wanted.find(isOurs)) ?? "en";
}

function isOurs(name: string): name is Language {
  return (LANGUAGES as readonly string[]).includes(name);
}

function remembered(): Partial<Settings> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>;
  } catch {
    // Storage is off, or holds something else: everything is as on a first visit.
    return {};
  }
}

export const settings: Settings = $state({
  language: browsers(),
  theme: "system",
  sound: true,
  volume: 100,
  reactions: true,
  patterns: false,
  motion: "system",
  tray: "right",
  name: "",
  known: false,
  learned: [],
  opponents: {},
  finished: [],
  ...remembered(),
});

/** Stores and applies the settings; call it once, when the page starts. */
export function keep(): void {
  $effect.root(() => {
    $effect(() => {
      const root = document.documentElement;
      root.lang = settings.language;
      root.dataset["theme"] = settings.theme;
      tint(settings.theme);
      root.dataset["patterns"] = settings.patterns ? "on" : "off";
      root.dataset["motion"] = settings.motion;
      root.dataset["tray"] = settings.tray;
      try {
        localStorage.setItem(KEY, JSON.stringify(settings));
      } catch {
        // Then it is forgotten when the page is closed; that is what the person asked of their browser.
      }
    });
  });
}

/** The frame around the page follows what was chosen; index.html knows only what the system likes. */
function tint(theme: Settings["theme"]): void {
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")) {
    const dark = theme === "system" ? meta.media.includes("dark") : theme === "dark";
    meta.content = dark ? "#2A2521" : "#FCF8F0";
  }
}

/** Players who know a game are not offered its first lesson again. */
export function learn(game: string): void {
  if (!settings.learned.includes(game)) settings.learned = [...settings.learned, game];
}

/** A match of it is over, and this person had a seat at it. */
export function finish(game: string): void {
  if (!settings.finished.includes(game)) settings.finished = [...settings.finished, game];
}

/** Whether things may move. */
export function moving(): boolean {
  return settings.motion !== "off" && !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

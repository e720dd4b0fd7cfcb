/** The message to share about a day's puzzle: how it went, in steps of time, without spoilers. */

import { dayText } from "../dates";
import { t, tAny } from "../i18n/index.svelte";
import { placeWord } from "../ordinal";
import type { DayResult, Timeline } from "../protocol";
import { settings } from "../settings.svelte";

export type Step = Timeline["steps"][number];
/** One game's puzzle of the day: where my try stands, and how it went. */
export type Solved = { readonly result: DayResult; readonly timeline: Timeline };

const EMOJI: Readonly<Record<Step, string>> = { stayed: "🟩", back: "🟧", thought: "⬜" };
const ROW = 12;

/** As emoji, in rows that fit on a phone. */
export function gridText(steps: readonly Step[]): string {
  const rows: string[] = [];
  for (let i = 0; i < steps.length; i += ROW) {
    rows.push(
      steps
        .slice(i, i + ROW)
        .map((step) => EMOJI[step])
        .join(""),
    );
  }
  return rows.join("\n");
}

/** A time in words, for screen readers. */
export function durationText(millis: number): string {
  const seconds = Math.floor(millis / 1000);
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return t("duration.seconds", { n: seconds });
  const one = t("duration.minutes", { n: minutes });
  return seconds % 60 === 0 ? one : t("duration.and", { one, other: t("duration.seconds", { n: seconds % 60 }) });
}

/** *Solved in 34 seconds, third of 41. One piece taken back.* */
export function spokenText({ run, place, people }: DayResult, takenBack: number): string {
  const time = run.kind.of === "dice" ? t("duration.rounds", { n: run.rounds }) : durationText(run.took ?? 0);
  const came =
    people === 1 ? t("day.spoken.first", { time }) : t("day.spoken", { time, place: placeWord(place), n: people });
  return takenBack === 0 ? came : `${came} ${t("day.spoken.back", { n: takenBack })}`;
}

/**
 * The message, of one game's puzzle or of all that were solved that day. Its words say all that the squares do, so
 * nobody has to listen to their names.
 */
export function shareText(solved: readonly Solved[], link: string): string {
  const [first] = solved;
  if (first === undefined) return link;
  const day = dayText(first.result.day, settings.language);
  const streak = t("day.streak", { n: first.result.calendar.streak });
  const name = ({ result }: Solved): string => tAny(`game.${result.of}`);
  const went = ({ result, timeline }: Solved): string =>
    `${gridText(timeline.steps)}\n${spokenText(result, timeline.taken_back)}`;
  if (solved.length === 1) {
    return [`Ubongo · ${t("alone.day")}, ${name(first)} · ${day}`, went(first), streak, link].join("\n");
  }
  const each = solved.map((one) => `${name(one)}\n${went(one)}`);
  return [`Ubongo · ${t("day")} · ${day}`, ...each, `${streak}\n${link}`].join("\n\n");
}

/** Where others find the day's puzzles. */
export const dayLink = (): string => `${location.origin}/#day`;

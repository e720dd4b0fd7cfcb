/** Days as the server names them, such as 2026-11-15, in Greenwich. */

const LENGTH = 86_400_000;

export const dayBefore = (day: string): string => moved(day, -1);
export const dayAfter = (day: string): string => moved(day, 1);

function moved(day: string, by: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + by * LENGTH).toISOString().slice(0, 10);
}

/** A day as people write it. */
export function dayText(day: string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "long", timeZone: "UTC" }).format(
    Date.parse(`${day}T00:00:00Z`),
  );
}

/** The day of a moment, as people write it where they are. */
export function dateText(moment: number, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium" }).format(moment);
}

/** Twelve weeks up to today, each from its Monday on, with how many puzzles were solved on each day. */
export function calendarOf(
  today: string,
  days: readonly { readonly day: string; readonly solved: number }[],
): { day: string; solved: number }[][] {
  const number = new Map(days.map(({ day, solved }) => [day, solved]));
  const weekday = (new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7;
  return Array.from({ length: 12 }, (_, week) =>
    Array.from({ length: week === 11 ? weekday + 1 : 7 }, (_, i) => {
      const day = moved(today, 7 * (week - 11) - weekday + i);
      return { day, solved: number.get(day) ?? 0 };
    }),
  );
}

/** Whether a moment was today or yesterday where the reader is. */
export function dayOf(moment: number, now = Date.now()): "today" | "yesterday" | "earlier" {
  const before = new Date(now);
  before.setDate(before.getDate() - 1);
  const same = (other: Date): boolean => new Date(moment).toDateString() === other.toDateString();
  return same(new Date(now)) ? "today" : same(before) ? "yesterday" : "earlier";
}

/** A moment as people write it where they are: the day and the time. */
export function momentText(moment: number, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(moment);
}

/** The time of day of a moment, where the reader is. */
export function timeText(moment: number, language: string): string {
  return new Intl.DateTimeFormat(language, { timeStyle: "short" }).format(moment);
}

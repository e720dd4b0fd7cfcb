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

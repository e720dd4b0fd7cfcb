/** Who called when: the order of calls, for drawing. */

import { settings } from "./settings.svelte";

type Caller = { readonly called: number | null };

/** By seat, from 1; 0: has not called. */
export function placesOf(seats: readonly Caller[]): number[] {
  const order = seats.map((seat, i) => ({ i, at: seat.called })).filter(({ at }) => at !== null);
  order.sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
  return seats.map((_, i) => order.findIndex((one) => one.i === i) + 1);
}

/** Minutes, seconds and tenths, as people of this language write them. */
export function exactText(millis: number): string {
  const minutes = Math.floor(millis / 60_000);
  const seconds = Math.floor((millis % 60_000) / 100) / 10;
  const digits = { minimumIntegerDigits: 2, minimumFractionDigits: 1 };
  return `${minutes}:${seconds.toLocaleString(settings.language, digits)}`;
}

/** Seconds with tenths; where that would be nothing, with hundredths. */
export function secondsText(millis: number): string {
  const digits = millis < 100 ? 2 : 1;
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return (millis / 1000).toLocaleString(settings.language, options);
}

/** Minutes and seconds. */
export function clockText(millis: number): string {
  const seconds = Math.floor(millis / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

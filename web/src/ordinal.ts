/** Places in the current language: 1st, 2nd; and in a sentence, where German says *Platz 3*. */

import { t, tAny } from "./i18n/index.svelte";
import { settings } from "./settings.svelte";

/** Alone, as a figure. */
export const ordinalText = (n: number): string => tAny(`place.ordinal.${form(n)}`, { n });

/** In a sentence. */
export const placeInSentence = (n: number): string => tAny(`place.in_sentence.${form(n)}`, { n });

/** Such as *3rd of 41*. */
export const placeText = (place: number, n: number): string => t("place.of", { place: placeInSentence(place), n });

/** To be read aloud: *third*, as far as that is shorter than the figure. */
export const placeWord = (n: number): string => tAny(`place.word.${n}`) || placeInSentence(n);

function form(n: number): string {
  return new Intl.PluralRules(settings.language, { type: "ordinal" }).select(n);
}

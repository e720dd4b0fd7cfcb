/** How the texts are divided: together they are all, and the first page has what it shows. */

import { expect, it } from "vitest";
import de from "../src/i18n/de.json";
import en from "../src/i18n/en.json";
import pl from "../src/i18n/pl.json";
import { divided } from "../words";

it.each([
  ["en", en],
  ["de", de],
  ["pl", pl],
])("divides all texts, none twice: %s", (_, texts) => {
  const keys = Object.values(divided(texts)).flatMap(Object.keys);
  expect(keys.toSorted()).toEqual(Object.keys(texts).toSorted());
});

it.each([
  ["hero", "first"],
  // Named by a template: `game.${game}`.
  ["game.cubes", "first"],
  ["place.1", "table"],
  ["records.about", "rest"],
])("%s comes with %s", (key, part) => {
  expect(divided(en)[part]).toHaveProperty([key]);
});

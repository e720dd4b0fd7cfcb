/** A sentence of a catalogue with its values put in: `{name}`, and a form by number where a sentence has several. */

type Sentence = string | Readonly<Record<string, string>>;
export type Catalogue = Readonly<Record<string, Sentence>>;
export type Values = Readonly<Record<string, string | number>>;

export function say(sentence: Sentence, values: Values, plurals: Intl.PluralRules): string {
  const text =
    typeof sentence === "string"
      ? sentence
      : (sentence[plurals.select(Number(values["n"]))] ?? sentence["other"] ?? "");
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ""));
}

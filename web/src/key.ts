/** A table's key as people write it: two words and a number; 32 hexadecimal digits in old links. */

const TYPED = /^[^a-z0-9]*([a-z]+)[^a-z0-9]+([a-z]+)[^a-z0-9]*(\d{4})[^a-z0-9]*$/;

/** The key in what was typed, spoken or pasted. The server separates words that have no hyphen between them. */
export function readKey(typed: string): string {
  const end = decoded(typed.trim())
    .replace(/^.*\/t\//, "")
    .replace(/[?#].*$/, "");
  const [, first, second, number] = TYPED.exec(end.toLowerCase()) ?? [];
  return first === undefined ? end : `${first}-${second}-${number}`;
}

/** The parts that are read out, if it is one that can be. */
export function wordsOf(key: string): readonly string[] {
  return /^[a-z]+-[a-z]+-\d{4}$/.test(key) ? key.split("-") : [];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

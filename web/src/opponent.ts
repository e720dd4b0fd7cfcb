/** Whom somebody plays against in a game of bots, and how it went: after enough wins a harder one is suggested. */

/** `wins`: wins in a row against the level `beaten`. */
export type Opponent = { readonly level: string; readonly beaten: string; readonly wins: number };

/** So many wins in a row, and it is too easy. */
const ENOUGH = 3;

/** The chosen opponent; the middle one by default, or if that level does not exist any more. */
export function opponentOf(levels: readonly string[], kept: Opponent | undefined): Opponent {
  if (kept !== undefined && levels.includes(kept.level)) return kept;
  return { level: levels[Math.floor(levels.length / 2)] ?? "", beaten: "", wins: 0 };
}

/** The level to suggest next, from the easiest to the hardest; null: keep the current one, or none is harder. */
export function suggested(levels: readonly string[], { level, beaten, wins }: Opponent): string | null {
  if (beaten !== level || wins < ENOUGH) return null;
  return levels[levels.indexOf(level) + 1] ?? null;
}

/** They play this one now. After declining a harder one, they are asked again only after as many wins. */
export function playing(levels: readonly string[], opponent: Opponent, level: string): Opponent {
  const declined = level === opponent.level && suggested(levels, opponent) !== null;
  return declined ? { ...opponent, wins: 0 } : { ...opponent, level };
}

/** After a match against nobody but bots of these levels; another one than theirs among them says nothing. */
export function after(opponent: Opponent, bots: readonly string[], won: boolean): Opponent {
  const { level, beaten, wins } = opponent;
  if (!bots.includes(level)) return opponent;
  if (!won) return { ...opponent, wins: 0 };
  return { level, beaten: level, wins: beaten === level ? wins + 1 : 1 };
}

/** The bots at the table: the chosen one, and one that is a level easier, so that the two play differently. */
export function botsAt(levels: readonly string[], level: string): readonly string[] {
  const easier = levels[levels.indexOf(level) - 1];
  return easier === undefined ? [level] : [level, easier];
}

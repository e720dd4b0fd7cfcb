/** One true sentence on a round that is over: the most interesting thing that the page knows of it. */

import type { Sentence } from "./final";
import { printed } from "./gems";
import { secondsText } from "./places";
import type { RoundResult } from "./protocol";

export type RoundFacts = {
  readonly game: string;
  /** The round that is over. */
  readonly round: number;
  readonly me: number | null;
  readonly names: readonly string[];
  readonly last: readonly RoundResult[];
  /** When it started, and how long its first sand ran; null: not known, or none. */
  readonly started: number | null;
  readonly sand: number | null;
  /** Everybody's points with this round. */
  readonly totals: readonly number[];
  /** By seat: when each number of pieces lay, as far as the page saw it. */
  readonly reached: readonly (readonly (number | undefined)[])[];
  /** My points in the rounds before, if all of them are known. */
  readonly mine: readonly number[] | null;
  /** A ruby can only come from the bag. */
  readonly draws: boolean;
  /** How many pieces have to lie. */
  readonly goal: number;
};

/** In milliseconds: what is so close is news, so late, and so quick. */
const [PHOTO, LATE, QUICK] = [100, 5000, 2000];

/** News always comes first; general remarks vary from round to round. Null: nothing. */
export function remark(facts: RoundFacts): Sentence | null {
  const [news] = [photo, lastPiece, lastSand, almost, ruby, best].flatMap((find) => find(facts) ?? []);
  if (news !== undefined) return news;
  const common = [piece, lead].flatMap((find) => find(facts) ?? []);
  return common[facts.round % Math.max(1, common.length)] ?? null;
}

const won = (had: RoundResult | undefined): number => had?.points ?? printed(had?.gems ?? []);
const said = (key: string, seat: number, facts: RoundFacts, values: Sentence["values"] = {}): Sentence => ({
  key: `said.${key}${seat === facts.me ? ".you" : ""}`,
  values: { name: facts.names[seat] ?? "", ...values },
});
const calls = ({ last }: RoundFacts): { seat: number; at: number }[] =>
  last
    .flatMap(({ called, wrong }, seat) => (called === null || wrong.length > 0 ? [] : [{ seat, at: called }]))
    .sort((a, b) => a.at - b.at);

function photo(facts: RoundFacts): Sentence | null {
  const order = calls(facts);
  for (const [i, { seat, at }] of order.entries()) {
    const next = order[i + 1];
    // Of my own win the headline says by how much.
    if (next === undefined || next.at - at >= PHOTO || (i === 0 && seat === facts.me)) continue;
    const values = { first: facts.names[seat] ?? "", second: facts.names[next.seat] ?? "" };
    return { key: "said.photo", values: { ...values, time: secondsText(next.at - at) } };
  }
  return null;
}

/** The player who first had all but one piece down came second: I, or the one whom I beat. */
function lastPiece(facts: RoundFacts): Sentence | null {
  const [first, second] = calls(facts);
  const n = facts.goal - 1;
  if (first === undefined || second === undefined || n < 2 || facts.game === "cards") return null;
  const [early, late] = [facts.reached[second.seat]?.[n], facts.reached[first.seat]?.[n]];
  if (early === undefined || late === undefined || early >= late) return null;
  const [quick, slow] = [secondsText(first.at - late), secondsText(second.at - early)];
  if (first.seat === facts.me)
    return {
      key: "said.comeback",
      values: { name: facts.names[second.seat] ?? "", n, mine: quick, theirs: slow },
    };
  if (second.seat !== facts.me) return null;
  return { key: "said.overtaken", values: { name: facts.names[first.seat] ?? "", n, mine: slow, theirs: quick } };
}

function lastSand(facts: RoundFacts): Sentence | null {
  const { sand, started } = facts;
  if (sand === null || started === null) return null;
  const late = calls(facts).find(({ at }) => started + sand - at >= 0 && started + sand - at < LATE);
  return late === undefined
    ? null
    : said("sand", late.seat, facts, { n: Math.max(1, Math.round((started + sand - late.at) / 1000)) });
}

/** Nobody was done: who came closest; with cards, who had all but one. */
function almost(facts: RoundFacts): Sentence | null {
  const open = facts.last.flatMap(({ called, laid, wrong, task }, seat) =>
    called === null && wrong.length === 0 && task !== null ? [{ seat, n: laid.length }] : [],
  );
  open.sort((a, b) => b.n - a.n || Number(b.seat === facts.me) - Number(a.seat === facts.me));
  const [most] = open;
  if (most === undefined) return null;
  if (facts.game === "cards") return most.n === facts.goal - 1 ? said("six", most.seat, facts) : null;
  const missing = facts.goal - most.n;
  if (calls(facts).length > 0 || most.n === 0) return null;
  return said("short", most.seat, facts, { n: missing });
}

function ruby(facts: RoundFacts): Sentence | null {
  if (!facts.draws) return null;
  const seats = facts.last.flatMap(({ gems }, seat) => (gems.includes("ruby") ? [seat] : []));
  const seat = seats.find((one) => one === facts.me) ?? seats[0];
  return seat === undefined ? null : said("ruby", seat, facts);
}

function best(facts: RoundFacts): Sentence | null {
  const { me, mine, last } = facts;
  const n = me === null ? 0 : won(last[me]);
  if (mine === null || mine.length < 2 || n <= Math.max(...mine)) return null;
  return { key: "said.best", values: { n } };
}

function piece(facts: RoundFacts): Sentence | null {
  const found = facts.reached.flatMap((times, seat) =>
    times.flatMap((at, n) => {
      const before = times[n - 1];
      return at === undefined || before === undefined ? [] : [{ seat, took: at - before }];
    }),
  );
  found.sort((a, b) => a.took - b.took);
  const [quick] = found;
  if (quick === undefined || quick.took <= 0 || quick.took >= QUICK) return null;
  return said("piece", quick.seat, facts, { time: secondsText(quick.took) });
}

function lead(facts: RoundFacts): Sentence | null {
  const { totals, last } = facts;
  const most = Math.max(...totals);
  if (most <= 0) return null;
  const leaders = totals.flatMap((total, seat) => (total === most ? [seat] : []));
  const [seat] = leaders;
  if (seat === undefined || leaders.length > 1) return { key: "said.level", values: { n: most } };
  const before = totals.map((total, i) => total - won(last[i]));
  const led = before.every((total, i) => i === seat || total < (before[seat] ?? 0));
  if (!led && facts.round > 1) return said("takes_lead", seat, facts, { n: most });
  const next = Math.max(...totals.filter((_, i) => i !== seat));
  return said("leads", seat, facts, { n: most - next });
}

/** The final screen's data: the places, the headline, and the course of the match. */

import type { Seen } from "./change";

export type Standing = {
  readonly seat: number;
  readonly place: number;
  readonly total: number;
  readonly gone: boolean;
};
/** A key of the catalogue, and its values. */
export type Sentence = { readonly key: string; readonly values: Readonly<Record<string, string | number>> };
/** Who led until which round; `until` null: the winner did, from the first round on. */
type Lead = { readonly seat: number; readonly until: number | null };

/** Everybody by place, from 1 on; players who share a place have the same number. */
export function standingsOf(table: Seen): Standing[] {
  return (table.standing ?? []).flatMap((seats, k, all) => {
    const place = 1 + all.slice(0, k).flat().length;
    return seats.map((seat) => ({
      seat,
      place,
      total: table.totals?.[seat] ?? 0,
      gone: table.seats[seat]?.gone ?? false,
    }));
  });
}

/** Who won, and by how much; `me` is my own seat. */
export function headline(table: Seen, me: number | null): Sentence {
  const all = standingsOf(table);
  const winners = all.filter(({ place }) => place === 1);
  const [first] = winners;
  const name = (seat: number | undefined): string => table.seats[seat ?? -1]?.name ?? "";
  if (winners.length > 1)
    return { key: "final.shared", values: { names: winners.map(({ seat }) => name(seat)).join(", ") } };
  const key = first?.seat === me ? "final.you_win" : "final.wins";
  const values = { name: name(first?.seat) };
  if (table.playoff) return { key: `${key}.playoff`, values };
  // A player who has left may have had more points: then there is no margin.
  const second = all.find(({ place, gone }) => place > 1 && !gone);
  const by = second === undefined ? 0 : (first?.total ?? 0) - second.total;
  return by > 0 ? { key: `${key}.by`, values: { ...values, n: by } } : { key, values };
}

/** `points` are the sums by seat after each round, from 0 on. Null: there is nothing to tell of it. */
export function leadOf(points: readonly (readonly number[])[], winner: number): Lead | null {
  const rounds = (points[0]?.length ?? 1) - 1;
  if (rounds < 2) return null;
  const leaders = Array.from({ length: rounds }, (_, i) => leaderOf(points.map((row) => row[i + 1] ?? 0)));
  const other = leaders.findLastIndex((seat) => seat !== null && seat !== winner);
  if (other === rounds - 1) return null;
  // An early, short lead is not worth a sentence.
  if (2 * (other + 1) >= rounds) return { seat: leaders[other] as number, until: other + 1 };
  return leaders.every((seat) => seat === winner) ? { seat: winner, until: null } : null;
}

/** Null: several share the lead. */
function leaderOf(sums: readonly number[]): number | null {
  const most = Math.max(...sums);
  return sums.filter((sum) => sum === most).length === 1 ? sums.indexOf(most) : null;
}

/** The course of the match, in a sentence or two. */
export function story(table: Seen, points: readonly (readonly number[])[], me: number | null): Sentence | null {
  const winners = standingsOf(table).filter(({ place }) => place === 1);
  const [first] = winners;
  if (first === undefined || winners.length > 1) return null;
  if (table.playoff) return { key: "final.level", values: {} };
  const second = standingsOf(table).find(({ place, gone }) => place > 1 && !gone);
  if (table.game === "cards" && second?.total === first.total) return { key: "final.tens", values: {} };
  const lead = leadOf(points, first.seat);
  if (lead === null) return null;
  const kind = lead.until === null ? ".always" : table.area === null ? "" : ".area";
  const key = `final.led${kind}${lead.seat === me ? ".you" : ""}`;
  return { key, values: { name: table.seats[lead.seat]?.name ?? "", round: lead.until ?? 0 } };
}

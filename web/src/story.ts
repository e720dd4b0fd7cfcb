/** The story line: the newest thing worth a sentence, as a key of the catalogue. */

import type { Seen } from "./change";
import type { GemName } from "./gems";
import type { AnyEvent } from "./protocol";

export type Tale = {
  readonly key: string;
  readonly seat: number | null;
  readonly gems: readonly GemName[];
  /** Points, if it mentions any. */
  readonly n: number;
};

/** The places of calls. */
const PLACES = ["first", "second", "third", "fourth"];
/** A player away in the first second has not arrived yet: a table may start before the page is loaded. In milliseconds. */
const FIRST_SECOND = 1000;
const COMING_AND_GOING = ["away", "back", "handed_over"];

/** `mine`: my own seat; of me a sentence says 'you'. `before`: the table as it was until these events. */
export function tale(events: readonly AnyEvent[], before: Seen, mine: number | null): Tale | null {
  let found: Tale | null = null;
  for (const event of events) {
    const told = oneTale(event, events, before, mine);
    if (told === null) continue;
    found = newest(found, told.seat !== null && told.seat === mine ? { ...told, key: `${told.key}.you` } : told);
  }
  return found;
}

/** The story of a welcome: the server was down since the last message, and whether the phase was extended for that. */
export function interruption(before: Seen | null, now: Seen): Tale | null {
  if (now.options.mode !== undefined && now.clock_wrong && before?.clock_wrong !== true && now.phase !== "over")
    return { key: "tale.clock_wrong", seat: null, gems: [], n: 0 };
  return now.stood > (before?.stood ?? 0) && now.phase !== "over" ? resumed(now.limit !== null) : null;
}

/** The newer of two tales. A player who is back does not hide the message about an interruption. */
export function newest(old: Tale | null, told: Tale | null): Tale | null {
  const passing = told === null || COMING_AND_GOING.some((key) => told.key.startsWith(`tale.${key}`));
  return passing && old?.key.startsWith("tale.resumed") === true ? old : (told ?? old);
}

const resumed = (longer: boolean): Tale => ({
  key: longer ? "tale.resumed.longer" : "tale.resumed",
  seat: null,
  gems: [],
  n: 0,
});

function oneTale(event: AnyEvent, events: readonly AnyEvent[], before: Seen, mine: number | null): Tale | null {
  const plain = (key: string): Tale => ({ key: `tale.${key}`, seat: null, gems: [], n: 0 });
  const of = (key: string, seat: number, gems: readonly GemName[] = []): Tale => ({
    key: `tale.${key}`,
    seat,
    gems,
    n: 0,
  });
  if (before.options.mode !== undefined) {
    // That nothing counts any more is the bigger news of the two.
    const told = event.type === "resumed" && events.some((one) => one.type === "clock_wrong");
    return told ? null : aloneTale(event, before, plain);
  }
  const cards = before.game === "cards";
  switch (event.type) {
    case "started":
      return plain("started");
    case "glass_turned":
      return event.turned > 1 ? plain("second_chance") : null;
    // How many cards the others have down is what the round is about. What I do myself I see.
    case "placed":
      return cards && event.seat !== mine ? of("placed", event.seat) : null;
    case "lifted":
      return cards && event.seat !== mine ? of("lifted", event.seat) : null;
    case "called": {
      if (cards) return of("called", event.seat);
      const gems = events.flatMap((one) => (one.type === "gem_moved" && one.target === event.seat ? [one.gem] : []));
      // Those who called before: the calls of this update come one after the other.
      const earlier = before.seats.filter((seat) => seat.called !== null).length;
      const now = events.filter((one) => one.type === "called").indexOf(event);
      return of(PLACES[earlier + now] ?? "fourth", event.seat, gems);
    }
    case "left":
      return of("left", event.seat);
    case "away":
      return of("away", event.seat);
    case "back":
      if (before.stand_ins?.includes(event.seat)) return of("handed_over", event.seat);
      return (before.seats[event.seat]?.away ?? Infinity) < FIRST_SECOND ? null : of("back", event.seat);
    case "stopped":
      return of(cards ? "ends" : before.area === null ? "stopped" : "gives_up", event.seat);
    case "thrown":
      // In 3-D the number is visible. Spectators and players with a full area have nothing to grab.
      return before.area !== null && mine !== null && inArea(mine, events, before) ? plain("thrown") : null;
    case "grabbed":
      return of(`grabbed.${colourOfDie(event.die, events, before)}`, event.seat);
    case "passed":
      return of("passed", event.seat);
    case "scored":
      return before.area === null ? null : { ...of("scored", event.seat), n: event.points };
    case "resumed":
      return resumed(event.stood > 0 && before.limit !== null);
    default:
      return null;
  }
}

/** In solo play there are no others: the story is about the tasks. */
function aloneTale(event: AnyEvent, before: Seen, plain: (key: string) => Tale): Tale | null {
  switch (event.type) {
    case "started":
      return before.began === null ? plain("started") : null;
    case "scored":
      return plain(event.points > 0 ? "solved" : "aside");
    case "hinted":
      return plain(event.piece === null ? "hint.wrong" : "hint.laid");
    case "judged":
      return event.wrong.length > 0 ? plain("judged") : null;
    case "clock_wrong":
      return plain("clock_wrong");
    case "resumed":
      return plain("resumed");
    default:
      return null;
  }
}

/** Whether a seat has no points for the area yet. A bot throws as soon as a round is closed: what that gave counts. */
function inArea(seat: number, events: readonly AnyEvent[], before: Seen): boolean {
  const scored = events.filter((event) => event.type === "scored" && event.seat === seat).length;
  const area = events.findLast((event) => event.type === "round_opened")?.area ?? before.area ?? 0;
  return (before.seats[seat]?.points.length ?? 0) + scored < area;
}

/** Of the dice that lay there, or were thrown just now: the black ones come first. */
function colourOfDie(die: number, events: readonly AnyEvent[], { dice }: Seen): "black" | "white" {
  const thrown = events.find((event) => event.type === "thrown")?.values.length ?? dice.length;
  return die < thrown / 2 ? "black" : "white";
}

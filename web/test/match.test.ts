import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Part, Seen } from "../src/change";
import { Match, named } from "../src/match.svelte";
import type { AnyEvent, AnyMove, Placement } from "../src/protocol";
import { settings } from "../src/settings.svelte";
import { play } from "../src/sound";
import { seated, table } from "./tables";

vi.mock("../src/sound", () => ({ play: vi.fn() }));

class FakeSocket {
  sent: { type: string; n?: number; move?: AnyMove; seat?: number }[] = [];
  closed = false;
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  constructor(readonly address: string) {
    sockets.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.closed = true;
  }
  /** What was asked for, on this line. */
  get asked() {
    return this.sent.filter(({ type }) => type === "ask").map(({ n, move, seat }) => ({ n, move, seat }));
  }
}

let sockets: FakeSocket[];
let stored: Map<string, string>;
const last = (): FakeSocket => sockets.at(-1) as FakeSocket;
const says = (message: object): void => last().onmessage?.({ data: JSON.stringify(message) });
const sounds = (): unknown[] => vi.mocked(play).mock.calls.flat();

const welcome = (here: Partial<Seen> = {}, seat: number | null = 0): void =>
  says({ type: "welcome", version: 1, now: 5000, seat, table: table(here) });
const update = (part: Part = {}, acked: number | null = null, events: AnyEvent[] = []): void =>
  says({ type: "update", version: 2, now: 5000, acked, events, table: part });
const refuse = (n: number): void => says({ type: "refused", n, why: "No.", code: "no", values: {} });

/** A match, with a line to its table. */
function joined(here: Partial<Seen> = {}, seat: number | null = 0): Match {
  const match = new Match("abc");
  last().onopen?.();
  welcome(here, seat);
  return match;
}

const cut = (): unknown => last().onclose?.({ code: 1006 });

/** A new line, after a while, whose first word is still to come. */
function comesBack(match: Match): void {
  vi.advanceTimersByTime(match.line.retry);
  last().onopen?.();
}

const P = (piece: number): Placement => ({ piece, turn: 0, at: [piece, 0] });
const place = (piece: number): AnyMove => ({ type: "place", ...P(piece) });
const laid = (match: Match): readonly number[] => match.shown?.seats[0]?.laid.map(({ piece }) => piece) ?? [];

beforeEach(() => {
  vi.useFakeTimers();
  [sockets, stored] = [[], new Map()];
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("location", { href: "https://here.example/t/abc" });
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.mocked(play).mockClear();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("joining", () => {
  it.each([
    ["http://here.example:8000/t/abc", "ws://here.example:8000/ws/tables/abc"],
    ["https://here.example/", "wss://here.example/ws/tables/abc"],
  ])("from %s by %s", (href, address) => {
    vi.stubGlobal("location", { href });
    new Match("abc");
    expect(last().address).toBe(address);
  });

  it("shows the table as it is told, and who one is there", () => {
    const match = new Match("abc");
    match.tell(0, { type: "ready" });
    expect([match.table, match.shown, match.told, match.line.state]).toEqual([null, null, [], "joining"]);
    last().onopen?.();
    update({ round: 7 });
    expect(match.table).toBeNull();
    welcome({ round: 3 }, 1);
    expect([match.shown?.round, match.seat, match.line.state]).toEqual([3, 1, "open"]);
    update({ round: 4 });
    expect(match.shown?.round).toBe(4);
  });

  it("is told when the table cannot be shown, but not by any other fault", () => {
    const match = new Match("abc");
    says({ type: "error", why: "No such table." });
    expect(match.apart).toBeNull();
    says({ type: "error", why: "Its edition is gone.", code: "no_edition", edition: "extreme-2" });
    last().onclose?.({ code: 4404 });
    expect([match.apart?.edition, match.line.state]).toEqual(["extreme-2", "closed"]);
  });
});

describe("a move", () => {
  it("shows at once, and is the server's when it is answered", () => {
    const match = joined();
    expect(match.ask(place(0))).toBe(true);
    expect(last().asked).toEqual([{ n: 1, move: place(0), seat: undefined }]);
    expect([laid(match), match.table?.seats[0]?.laid]).toEqual([[0], []]);
    update({ seats: { 0: { laid: [P(0)] } } }, 1);
    expect([laid(match), match.pending]).toEqual([[0], []]);
  });

  it.each<[string, number | null, number[]]>([
    ["the news of others answers none", null, [1, 2, 3]],
    ["an answer is one to all before it", 2, [3]],
  ])("%s", (_, acked, pending) => {
    const match = joined();
    for (const piece of [0, 1, 2]) match.ask(place(piece));
    update({}, acked);
    expect(match.pending.map(({ n }) => n)).toEqual(pending);
  });

  it("that is refused is taken back alone, and is said", () => {
    const match = joined();
    match.ask(place(0));
    match.ask(place(1));
    refuse(1);
    expect([laid(match), match.refused?.code, sounds()]).toEqual([[1], "no", ["refuse"]]);
  });

  it.each<[string, (match: Match) => unknown, boolean]>([
    ["until the next move", (match) => match.ask(place(1)), false],
    ["until the phase is over", () => update({ phase: "over" }), false],
    ["until the round is over", () => update({ round: 2 }), false],
    ["until there is a new line", () => welcome(), false],
    ["but not for news of others", () => update({ seats: { 1: { ready: true } } }), true],
    ["but not for a move that cannot be asked for", (match) => [match.lose(), match.ask(place(1))], true],
  ])("is said to be refused %s", (_, act, stays) => {
    const match = joined();
    match.ask(place(0));
    refuse(1);
    act(match);
    expect(match.refused !== null).toBe(stays);
  });

  it("cannot be asked for without a line", () => {
    const match = joined();
    cut();
    expect([match.ask(place(0)), match.pending, laid(match)]).toEqual([false, [], []]);
  });
});

describe("a line that was cut", () => {
  it("keeps what was asked for in sight until it is known what has come of it", () => {
    const match = joined();
    match.ask(place(0));
    match.ask(place(1));
    cut();
    expect([match.line.state, match.line.retry > 0, laid(match)]).toEqual(["lost", true, [0, 1]]);
    comesBack(match);
    expect(laid(match)).toEqual([0, 1]);
    welcome({ seats: [seated("Ann", { laid: [P(0)] }), seated("Bo")] });
    expect([match.line.state, laid(match), match.pending]).toEqual(["open", [0], []]);
    match.ask(place(2));
    expect(last().asked.map(({ n }) => n)).toEqual([1]);
  });

  it.each<[string, (match: Match) => void]>([
    ["is tried again at once when somebody looks", (match) => match.hurry()],
    ["is made anew for who is somebody else now", (match) => match.renew()],
  ])("%s", (_, act) => {
    const match = joined();
    match.lose();
    expect([match.line.state, sockets.length]).toEqual(["lost", 1]);
    act(match);
    expect(sockets).toHaveLength(2);
  });

  it("is not tried again at a table that one has left", () => {
    const match = joined();
    match.end();
    vi.runAllTimers();
    expect([match.line.state, sockets.length, last().closed]).toEqual(["closed", 1, true]);
  });

  it("tells of the server's interruption", () => {
    const match = joined();
    cut();
    comesBack(match);
    welcome({ stood: 4200, limit: 60_000 });
    expect(match.tale?.key).toBe("tale.resumed.longer");
    update({}, null, [{ type: "back", seat: 1 }]);
    expect(match.tale?.key).toBe("tale.resumed.longer");
  });

  it("has another clock", () => {
    const match = joined();
    vi.advanceTimersByTime(100);
    says({ type: "pong", at: performance.now() - 40, now: 9000 });
    expect([match.trip, match.clock.now()]).toEqual([40, 9020]);
    cut();
    comesBack(match);
    welcome();
    expect([match.trip, match.clock.now()]).toEqual([null, 5000]);
  });
});

describe("at a table of paper", () => {
  const claim: AnyMove = { type: "claim", cards: null };
  const asked = (): unknown[] => last().asked.map(({ n, seat, move }) => [n, seat, move?.type]);

  it("what is said for a seat is sent at once, shows at once, and is answered", () => {
    const match = joined();
    match.tell(1, claim, { type: "ready" });
    expect(asked()).toEqual([[1, 1, "claim"], [2, 1, "ready"]]); // prettier-ignore
    expect(match.shown?.seats[1]).toMatchObject({ called: 1, ready: true });
    update({}, 1);
    expect(match.told.map(({ n }) => n)).toEqual([2]);
    refuse(2);
    expect([match.told, match.refused?.n, stored.size]).toEqual([[], 2, 0]);
  });

  it("is said again on a new line, in its order, with what was said meanwhile", () => {
    const match = joined();
    match.tell(1, claim);
    cut();
    comesBack(match);
    match.tell(0, { type: "ready" });
    expect(asked()).toEqual([]);
    welcome();
    expect(asked()).toEqual([[1, 1, "claim"], [2, 0, "ready"]]); // prettier-ignore
  });

  it.each<[string, Partial<Seen>, number]>([
    ["is said after a reload", {}, 1],
    ["is not said of another round", { round: 2 }, 0],
    ["is not said of another glass", { glass: { turned: 1, ends: 9 } }, 0],
  ])("%s", (_, here, times) => {
    const match = joined();
    match.lose();
    match.tell(1, claim);
    match.end();
    joined(here);
    expect(last().asked).toHaveLength(times);
    expect(stored.size).toBe(times);
  });
});

describe("what happens", () => {
  // prettier-ignore
  it.each<[string, Partial<Seen>, AnyEvent[], string[]]>([
    ["a call", {}, [{ type: "called", seat: 1, at: 5 }], ["call"]],
    ["a throw", {}, [{ type: "thrown", values: [3] }], ["throw"]],
    ["a die that I take", {}, [{ type: "grabbed", seat: 0, die: 1 }], ["lift"]],
    ["but not another's", {}, [{ type: "grabbed", seat: 1, die: 1 }], []],
    ["my points", {}, [{ type: "scored", seat: 0, points: 2 }], ["gem"]],
    ["but not none", {}, [{ type: "scored", seat: 0, points: 0 }], []],
    ["my gem", {}, [{ type: "gem_moved", gem: "ruby", source: "bag", target: 0 }], ["gem"]],
    ["but not another's", {}, [{ type: "gem_moved", gem: "ruby", source: "bag", target: 1 }], []],
    ["the second glass", {}, [{ type: "glass_turned", turned: 2, ends: 9 }], ["gong"]],
    ["but not the first", {}, [{ type: "glass_turned", turned: 1, ends: 9 }], []],
    ["time that ran out", { glass: { turned: 1, ends: 5000 } }, [{ type: "round_closed", round: 1 }], ["gong"]],
    ["but not a round that ended before", { glass: { turned: 1, ends: 9000 } }, [{ type: "round_closed", round: 1 }], []],
    ["nor one without a glass", {}, [{ type: "round_closed", round: 1 }], []],
  ])("sounds: %s", (_, here, events, heard) => {
    joined(here);
    update({}, null, events);
    expect(sounds()).toEqual(heard);
  });

  it("is told, and the gems of the newest news fly", () => {
    const match = joined();
    const gem = { type: "gem_moved", gem: "ruby", source: "display", target: 1 } as const;
    update({}, null, [{ type: "called", seat: 1, at: 5 }, gem]);
    expect([match.tale?.key, match.moved]).toEqual(["tale.first", [gem]]);
    update();
    expect([match.tale?.key, match.moved]).toEqual(["tale.first", []]);
  });
});

it("calls a run by the game that lies there", () => {
  const { options } = table({});
  expect(named(table({ game: "solo", options: { ...options, of: "cubes" } })).game).toBe("cubes");
});

describe("a board that I have finished", () => {
  const task = { pieces: ["a", "b"], region: [], board: "1", number: "", face: "up" } as const;
  const had = (name: string, called: number | null) => ({ ...seated(name, { task, laid: [P(0), P(1)], called }) });
  const mine = { type: "called", seat: 0, at: 4000 } as const;
  const over: Part = { phase: "ready", round: 2, last: [had("Ann", 4000), had("Bo", null)] as never };

  it("stays a second when the round is over with it, then what comes next is shown", () => {
    const match = joined({ seats: [seated("Ann", { task, laid: [P(0)] }), seated("Bo", { task })] });
    update(over, null, [mine]);
    expect(match.table?.phase).toBe("ready");
    expect(match.shown).toMatchObject({ phase: "play", round: 1 });
    expect(match.shown?.seats[0]).toMatchObject({ called: 4000, laid: [P(0), P(1)], task });
    vi.advanceTimersByTime(999);
    expect(match.shown?.phase).toBe("play");
    vi.advanceTimersByTime(1);
    expect(match.shown?.phase).toBe("ready");
  });

  it.each([
    ["by a press", (match: Match) => match.goOn()],
    ["by a new line", () => welcome({ phase: "ready" })],
  ])("goes sooner %s", (_, sooner) => {
    const match = joined({ seats: [seated("Ann", { task }), seated("Bo")] });
    update(over, null, [mine]);
    sooner(match);
    expect(match.shown?.phase).toBe("ready");
  });

  it("stays with cards, too, though they are judged a moment after the call", () => {
    const match = joined({ game: "cards", seats: [seated("Ann", { task, called: 4000 }), seated("Bo", { task })] });
    update({ ...over, seats: { 0: { called: null, points: [10] } } }, null, []);
    expect(match.shown).toMatchObject({ phase: "play", round: 1 });
    // What it came to is told by the result.
    expect(match.shown?.seats[0]).toMatchObject({ called: 4000, points: [] });
    vi.advanceTimersByTime(1000);
    expect(match.shown?.phase).toBe("ready");
  });

  it.each([
    ["somebody else was the last", over, [{ ...mine, seat: 1 }]],
    ["the round goes on", { phase: "play" } as Part, [mine]],
    ["it ended without me", over, []],
  ])("does not stay when %s", (_, part, events) => {
    const match = joined({ seats: [seated("Ann", { task }), seated("Bo", { task })] });
    update(part, null, events as AnyEvent[]);
    expect(match.shown?.phase).toBe(match.table?.phase);
    expect(match.shown?.round).toBe(match.table?.round);
  });
});

it("follows a table whose time is skipped", () => {
  const match = joined({});
  const before = match.clock.now();
  update({ time_skipped: 30_000 }, null, [{ type: "time_skipped", by: 30_000 }]);
  expect(match.clock.now() - before).toBeGreaterThanOrEqual(30_000);
});

it("runs as fast as the table while all watch bots at a higher speed", () => {
  const match = joined({});
  update({ speed: 8 }, null, []);
  const before = match.clock.now();
  vi.advanceTimersByTime(500);
  expect(match.clock.now() - before).toBeCloseTo(4000);
  update({ time_skipped: 3500 }, null, [{ type: "time_skipped", by: 3500 }]);
  expect(match.clock.now() - before).toBeCloseTo(4000);
  update({ speed: 1 }, null, []);
  vi.advanceTimersByTime(500);
  expect(match.clock.now() - before).toBeCloseTo(4500);
});

describe("a reaction", () => {
  it("is shown beside its sender, and goes again", () => {
    const match = joined({ phase: "ready" });
    expect(match.react("wow")).toBe(true);
    expect(last().sent.at(-1)).toEqual({ type: "react", n: 1, what: "wow" });
    says({ type: "reaction", seat: 1, what: "heart" });
    says({ type: "reaction", seat: 0, what: "wow" });
    expect(match.reactions).toEqual({ 0: "wow", 1: "heart" });
    vi.advanceTimersByTime(2000);
    says({ type: "reaction", seat: 0, what: "ha" });
    vi.advanceTimersByTime(1000);
    expect(match.reactions).toEqual({ 0: "ha" });
    expect(sounds()).toContain("pop");
    match.end();
  });

  it("is neither seen nor heard by who has muted them", () => {
    const match = joined({ phase: "ready" });
    settings.reactions = false;
    says({ type: "reaction", seat: 1, what: "heart" });
    settings.reactions = true;
    expect(match.reactions).toEqual({});
    expect(sounds()).toEqual([]);
    match.end();
  });

  it("cannot be shown without a line", () => {
    const match = new Match("abc");
    expect(match.react("wow")).toBe(false);
    match.end();
  });
});

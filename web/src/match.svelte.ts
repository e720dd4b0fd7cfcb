/** One table, as this browser follows it: the server's messages go through `change`, and everything else reads. */

import { gameOf } from "./solo";
import { ahead, changed, unanswered, type Pending, type ServerMessage, type Seen } from "./change";
import { ServerClock } from "./clock.svelte";
import { touch } from "./haptics";
import type { AnyEvent, AnyMove, MoveRefused, GemMoved, React, Reaction, Waiting } from "./protocol";
import { loadQueue, moment, movesToResend, saveQueue, withQueued, type QueuedMove } from "./paper/outbox";
import { settings } from "./settings.svelte";
import { play } from "./sound";
import { Line, type LineState } from "./socket";
import { finished, STAYS } from "./solved";
import { interruption, newest, tale, type Tale } from "./story";
import { NOTHING_SEEN, witnessed, type Witness } from "./witness";

/** How long a reaction is shown, in milliseconds. */
const REACTION_STAYS = 2700;

/** What answers a hand's moves: a table, or a lesson. */
export type Asked = Pick<Match, "ask" | "refused" | "pending" | "clock">;

export class Match {
  /** The table as the server has it. */
  table: Seen | null = $state.raw(null);
  seat: number | null = $state.raw(null);
  /** Moves that have no answer yet. */
  pending: readonly Pending[] = $state.raw([]);
  line: { state: LineState; retry: number } = $state.raw({ state: "joining", retry: 0 });
  /** How long the way to the server and back takes, in milliseconds. */
  trip: number | null = $state.raw(null);
  /** Moves for seats at a companion table that have no answer yet. */
  told: readonly QueuedMove[] = $state.raw([]);
  tale: Tale | null = $state.raw(null);
  refused: MoveRefused | null = $state.raw(null);
  /** Why the table cannot be shown though it is there. */
  apart: Waiting | null = $state.raw(null);
  /** The round that I have just finished, as it was: it is shown for a moment before what comes next. */
  private stays: Seen | null = $state.raw(null);
  /** It has ended while we were looking. */
  justOver = false;
  /** The reactions that are shown just now, by seat. */
  reactions: Readonly<Record<number, Reaction["what"]>> = $state.raw({});
  private readonly fading = new Map<number, ReturnType<typeof setTimeout>>();
  private stayed: ReturnType<typeof setTimeout> | undefined;
  /** The table with my own moves shown at once. */
  readonly shown: Seen | null = $derived(
    this.table && named(this.stays ?? withQueued(ahead(this.table, this.seat, this.pending), this.told)),
  );
  /** What was seen of the round that runs, or ran last, and of those before it. */
  seen: Witness = $state.raw(NOTHING_SEEN);
  /** The gems that moved with the newest update. */
  moved: readonly GemMoved[] = $state.raw([]);
  readonly clock = new ServerClock();
  private readonly wire: Line;

  constructor(readonly key: string) {
    const address = new URL(`/ws/tables/${key}`, location.href);
    address.protocol = address.protocol.replace("http", "ws");
    this.told = loadQueue(key);
    this.wire = new Line(address.href, {
      said: (message) => this.hear(message),
      state: (state, retry) => (this.line = { state, retry }),
    });
  }

  /** Sends a move; its effect shows at once. False: there is no connection. */
  ask(move: AnyMove): boolean {
    const n = this.wire.ask(move);
    if (n === null) return false;
    this.refused = null;
    this.pending = [...this.pending, { n, move }];
    return true;
  }

  /** Shows a reaction to everybody. */
  react(what: React["what"]): boolean {
    return this.wire.react(what);
  }

  /** Sends a move for a seat at a companion table: at once, or as soon as there is a connection again. */
  tell(seat: number, ...moves: readonly AnyMove[]): void {
    if (this.table === null) return;
    const when = moment(this.table);
    this.refused = null;
    this.told = [...this.told, ...moves.map((move) => ({ seat, move, when, n: null }))];
    this.send();
  }

  private send(): void {
    if (this.line.state === "open")
      this.told = this.told.map((one) => (one.n === null ? { ...one, n: this.wire.ask(one.move, one.seat) } : one));
    saveQueue(this.key, this.told);
  }

  private answered(wanted: (n: number) => boolean): void {
    if (this.told.length === 0) return;
    this.told = this.told.filter(({ n }) => n === null || !wanted(n));
    saveQueue(this.key, this.told);
  }

  end(): void {
    this.goOn();
    this.wire.end();
  }

  /** Sends a new hello, as the guest of the browser's current cookie. */
  renew(): void {
    this.wire.renew();
  }

  lose(): void {
    this.wire.lose();
  }

  hurry(): void {
    this.wire.hurry();
  }

  private hear(message: ServerMessage): void {
    switch (message.type) {
      case "welcome":
        this.goOn();
        // Whatever was under way is in this table, or has not happened.
        this.pending = [];
        this.clock.reset(message.now);
        this.clock.run(message.table.speed ?? 1);
        this.trip = null;
        this.seat = message.seat;
        this.tale = interruption(this.table, message.table) ?? this.tale;
        this.table = message.table;
        this.refused = null;
        this.told = movesToResend(this.told, message.table);
        this.send();
        break;
      case "update": {
        if (this.table === null) break;
        const before = this.table;
        this.table = changed(before, message.table);
        // What was refused in a phase that is over is no news.
        if (this.table.phase !== before.phase || this.table.round !== before.round) this.refused = null;
        this.justOver ||= this.table.phase === "over" && before.phase !== "over";
        this.pending = unanswered(this.pending, message.acked);
        this.answered((n) => n <= (message.acked ?? 0));
        this.tale = newest(this.tale, tale(message.events, before, this.seat));
        for (const event of message.events)
          if (event.type === "time_skipped" || event.type === "clock_wrong") this.clock.skip(event.by);
        this.clock.run(this.table.speed ?? 1);
        this.seen = witnessed(this.seen, before, this.table, message.now);
        this.stay(finished(before, this.table, this.seat, message.events));
        this.moved = message.events.filter((event) => event.type === "gem_moved");
        this.sound(message.events, before);
        break;
      }
      case "refused":
        this.pending = this.pending.filter(({ n }) => n !== message.n);
        this.answered((n) => n === message.n);
        this.refused = message;
        play("refuse");
        break;
      case "reaction":
        this.show(message);
        break;
      case "pong":
        this.clock.heard(message.at, message.now);
        this.trip = Math.round(this.clock.trip);
        break;
      case "error":
        if ("code" in message) this.apart = message;
        break;
      case "bye":
        break;
    }
  }

  private sound(events: readonly AnyEvent[], before: Seen): void {
    for (const event of events) {
      if (event.type === "called") play("call");
      else if (before.phase === "count" && (event.type === "started" || event.type === "thrown")) this.go();
      else if (event.type === "thrown") play("throw");
      else if (event.type === "grabbed" && event.seat === this.seat) play("lift");
      else if (event.type === "scored" && event.seat === this.seat && event.points > 0) play("gem");
      else if (event.type === "gem_moved" && event.target === this.seat) play("gem");
      else if (event.type === "glass_turned" && event.turned > 1) play("gong");
      else if (event.type === "round_closed" && before.glass !== null && this.ranOut(before)) play("gong");
    }
  }

  private show({ seat, what }: Reaction): void {
    if (!settings.reactions) return;
    this.reactions = { ...this.reactions, [seat]: what };
    clearTimeout(this.fading.get(seat));
    const fade = (): void => {
      this.reactions = Object.fromEntries(Object.entries(this.reactions).filter(([one]) => Number(one) !== seat));
    };
    this.fading.set(seat, setTimeout(fade, REACTION_STAYS));
    play("pop");
  }

  private stay(round: Seen | null): void {
    if (round === null) return;
    this.stays = round;
    clearTimeout(this.stayed);
    this.stayed = setTimeout(() => this.goOn(), STAYS);
  }

  /** Enough seen of what I have finished. */
  goOn(): void {
    clearTimeout(this.stayed);
    this.stays = null;
  }

  private go(): void {
    play("go");
    touch("go");
  }

  private ranOut({ glass }: Seen): boolean {
    return glass !== null && this.clock.now() >= glass.ends - 50;
  }
}

/** A table as it is drawn: alone, the game is the one that lies there. */
export const named = (table: Seen): Seen => ({ ...table, game: gameOf(table) });

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ServerClock } from "../src/clock.svelte";
import { Line, type LineState, type Socket } from "../src/socket";

class FakeSocket implements Socket {
  sent: unknown[] = [];
  closed = false;
  onopen: Socket["onopen"] = null;
  onmessage: Socket["onmessage"] = null;
  onclose: Socket["onclose"] = null;
  send(text: string): void {
    this.sent.push(JSON.parse(text));
  }
  close(): void {
    this.closed = true;
  }
  opens(): void {
    this.onopen?.call(this as unknown as WebSocket, new Event("open"));
  }
  says(message: object): void {
    const event = new MessageEvent("message", { data: JSON.stringify(message) });
    this.onmessage?.call(this as unknown as WebSocket, event);
  }
  cuts(code = 1006): void {
    this.onclose?.call(this as unknown as WebSocket, { code } as CloseEvent);
  }
}

let sockets: FakeSocket[];
let states: [LineState, number][];
const last = (): FakeSocket => sockets[sockets.length - 1] as FakeSocket;
const lastState = (): [LineState, number] => states[states.length - 1] as [LineState, number];

function line(): Line {
  const made = new Line(
    "ws://here/ws/tables/t",
    { said: () => {}, state: (state, retry) => states.push([state, retry]) },
    () => {
      sockets.push(new FakeSocket());
      return last();
    },
    () => 123,
  );
  return made;
}

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  states = [];
});
afterEach(() => vi.useRealTimers());

describe("a line", () => {
  it("says hello first, then pings", () => {
    line();
    last().opens();
    expect(last().sent).toEqual([{ type: "hello" }, { type: "ping", at: 123 }]);
  });

  it("numbers its asks from 1, in each connection", () => {
    const one = line();
    expect(one.ask({ type: "ready" })).toBeNull();
    last().opens();
    expect(one.ask({ type: "ready" })).toBe(1);
    expect(one.ask({ type: "call" })).toBe(2);
    last().cuts();
    expect(one.ask({ type: "call" })).toBeNull();
    vi.runOnlyPendingTimers();
    last().opens();
    expect(one.ask({ type: "call" })).toBe(1);
  });

  it("waits longer after each failure, and not much longer than eight seconds", () => {
    line();
    const waits = Array.from({ length: 8 }, () => {
      last().cuts();
      const [state, retry] = lastState();
      expect(state).toBe("lost");
      vi.advanceTimersByTime(retry);
      return retry;
    });
    waits.forEach((wait, i) => {
      const longest = Math.min(8000, 500 * 2 ** i);
      expect(wait).toBeGreaterThanOrEqual(longest / 2);
      expect(wait).toBeLessThanOrEqual(longest);
    });
    expect(sockets).toHaveLength(9);
  });

  it("comes back when the server said it should", () => {
    line();
    last().opens();
    last().says({ type: "bye", retry_ms: 1500 });
    last().cuts(1012);
    expect(lastState()).toEqual(["lost", 1500]);
  });

  it("starts over after a welcome", () => {
    line();
    last().cuts();
    vi.runOnlyPendingTimers();
    last().says({ type: "welcome" });
    expect(lastState()).toEqual(["open", 0]);
    last().cuts();
    expect(lastState()[1]).toBeLessThanOrEqual(500);
  });

  it("does not come back to a table that is gone, nor after it hung up", () => {
    line();
    last().cuts(4404);
    expect(lastState()).toEqual(["closed", 0]);
    const other = line();
    other.end();
    vi.runAllTimers();
    expect(sockets).toHaveLength(2);
  });

  it("does not come back from a device that was signed out", () => {
    line();
    last().cuts(4401);
    expect(lastState()).toEqual(["signed_out", 0]);
    vi.runAllTimers();
    expect(sockets).toHaveLength(1);
  });

  it("hangs up on a connection when there is one, not before", () => {
    const one = line();
    const first = last();
    one.renew();
    expect(first.closed).toBe(false);
    first.opens();
    expect(first.closed).toBe(true);
    expect(first.sent).toEqual([]);
    last().opens();
    one.end();
    expect(last().closed).toBe(true);
  });

  it("gives up a connection that does not answer", () => {
    line();
    const first = last();
    first.opens();
    vi.advanceTimersByTime(5000);
    expect(first.closed).toBe(true);
    expect(lastState()[0]).toBe("lost");
  });

  it("keeps one that does", () => {
    line();
    last().opens();
    last().says({ type: "pong", at: 123, now: 5 });
    vi.advanceTimersByTime(5000);
    expect(last().closed).toBe(false);
    expect(last().sent).toHaveLength(3);
  });
});

describe("the server's clock", () => {
  it("is taken from the quickest answer", () => {
    let mine = 1000;
    const clock = new ServerClock(() => mine);
    clock.reset(50);
    expect(clock.now()).toBe(50);
    mine = 1100; // asked at 1000, a slow answer
    clock.heard(1000, 120);
    expect(clock.now()).toBe(170);
    mine = 1110; // asked at 1100, a quick one
    clock.heard(1100, 165);
    expect(clock.now()).toBe(170);
    mine = 1310; // a slow one changes nothing
    clock.heard(1110, 200);
    expect(clock.now()).toBe(370);
    expect(clock.trip).toBe(10);
  });

  it("goes on at once where the table skips time", () => {
    let mine = 1000;
    const clock = new ServerClock(() => mine);
    clock.reset(50);
    clock.skip(12_000);
    expect(clock.now()).toBe(12_050);
    mine = 1010;
    clock.heard(1000, 12_055);
    expect(clock.now()).toBe(12_060);
  });
});

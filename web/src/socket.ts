/** The connection to a table: sends hello, moves and pings, and reconnects. It does not interpret messages. */

import type { ServerMessage } from "./change";
import type { AnyMove, React } from "./protocol";

export type LineState = "joining" | "open" | "lost" | "closed" | "signed_out";
type Listener = {
  readonly said: (message: ServerMessage) => void;
  /** `retry`: in how many milliseconds it is tried again, when lost. */
  readonly state: (state: LineState, retry: number) => void;
};
/** As much of a WebSocket as is needed; a test brings its own. */
export type Socket = Pick<WebSocket, "send" | "close" | "onopen" | "onmessage" | "onclose">;

const FIRST_RETRY = 500;
const LAST_RETRY = 8000;
const PING_EVERY = 5000;
/** The server's close code: there is nothing here any more. */
const GONE = 4404;
/** This device was signed out on another one. */
const SIGNED_OUT = 4401;

export class Line {
  private socket: Socket | null = null;
  private n = 0;
  private tries = 0;
  private wait: number | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private pinging: ReturnType<typeof setInterval> | undefined;
  private answered = true;

  constructor(
    private readonly address: string,
    private readonly listener: Listener,
    private readonly make: (address: string) => Socket = (to) => new WebSocket(to),
    private readonly mine: () => number = () => performance.now(),
  ) {
    this.connect();
  }

  /** Sends a move, for another seat if given; returns its number, or null if there is no connection. */
  ask(move: AnyMove, seat?: number): number | null {
    if (this.socket === null || this.n < 0) return null;
    this.n += 1;
    this.socket.send(JSON.stringify({ type: "ask", n: this.n, move, seat }));
    return this.n;
  }

  /** Sends a reaction to everybody at the table; false: there is no connection. */
  react(what: React["what"]): boolean {
    if (this.socket === null || this.n < 0) return false;
    this.n += 1;
    this.socket.send(JSON.stringify({ type: "react", n: this.n, what }));
    return true;
  }

  /** Closes the connection for good. */
  end(): void {
    this.drop();
    this.listener.state("closed", 0);
  }

  /** Reconnects at once, for a browser that is another guest now. */
  renew(): void {
    this.drop();
    this.connect();
  }

  /** The browser reports that the network is gone: what is sent now would be lost. */
  lose(): void {
    if (this.socket !== null) this.cut(0);
  }

  /** Tries at once, if it is waiting to: the page is looked at again, or the network is back. */
  hurry(): void {
    if (this.socket !== null || this.timer === undefined) return;
    clearTimeout(this.timer);
    this.connect();
  }

  private connect(): void {
    this.timer = undefined;
    this.listener.state(this.tries === 0 ? "joining" : "lost", 0);
    const socket = this.make(this.address);
    this.socket = socket;
    this.n = -1;
    socket.onopen = () => {
      this.n = 0;
      socket.send(JSON.stringify({ type: "hello" }));
      this.answered = true;
      this.ping();
      this.pinging = setInterval(() => this.ping(), PING_EVERY);
    };
    socket.onmessage = ({ data }: MessageEvent<string>) => this.hear(JSON.parse(data) as ServerMessage);
    socket.onclose = ({ code }: CloseEvent) => this.cut(code);
  }

  private hear(message: ServerMessage): void {
    if (message.type === "pong") this.answered = true;
    if (message.type === "bye") this.wait = message.retry_ms;
    if (message.type === "welcome") {
      this.tries = 0;
      this.listener.state("open", 0);
    }
    this.listener.said(message);
  }

  /** A connection that does not answer is replaced, rather than waiting for the network to notice. */
  private ping(): void {
    if (!this.answered) {
      this.drop();
      this.cut(0);
      return;
    }
    this.answered = false;
    this.socket?.send(JSON.stringify({ type: "ping", at: this.mine() }));
  }

  private cut(code: number): void {
    this.drop();
    if (code === GONE || code === SIGNED_OUT) {
      this.listener.state(code === GONE ? "closed" : "signed_out", 0);
      return;
    }
    // Not all at the same moment: half of the wait is luck.
    const longest = Math.min(LAST_RETRY, FIRST_RETRY * 2 ** this.tries);
    const retry = this.wait ?? Math.round(longest * (0.5 + Math.random() / 2));
    this.wait = null;
    this.tries += 1;
    this.listener.state("lost", retry);
    this.timer = setTimeout(() => this.connect(), retry);
  }

  private drop(): void {
    clearTimeout(this.timer);
    clearInterval(this.pinging);
    this.timer = undefined;
    if (this.socket === null) return;
    const socket = this.socket;
    socket.onmessage = socket.onclose = null;
    // A browser logs an error if a socket is closed before it is open.
    if (this.n < 0) socket.onopen = () => socket.close();
    else socket.close();
    this.socket = null;
  }
}

/** An estimate of the server's clock: by the quickest of the last few answers. */

const KEPT = 8;

export class ServerClock {
  private samples: { offset: number; trip: number }[] = [];
  /**
   * How many times as fast as ours the table's time passes, and since when it has not jumped. An effect that asks for
   * the time runs again when this changes.
   */
  private pace: { readonly speed: number; readonly since: number };
  /** The latest time that was returned at a higher speed: time never goes back. */
  private latest = -Infinity;

  /** `mine` is this machine's time in milliseconds; a test brings its own. */
  constructor(private readonly mine: () => number = () => performance.now()) {
    this.pace = $state.raw({ speed: 1, since: mine() });
  }

  /** The table's time now. */
  now(): number {
    const { speed, since } = this.pace;
    const mine = this.mine();
    const now = mine + this.offset;
    if (speed === 1) return now;
    this.latest = Math.max(this.latest, now + (speed - 1) * (mine - since));
    return this.latest;
  }

  /** How long it takes here until that much of the table's time has passed. */
  wait(millis: number): number {
    return millis / this.pace.speed;
  }

  /** For another match or another connection: forgets all measurements. */
  reset(now: number): void {
    const mine = this.mine();
    this.samples = [{ offset: now - mine, trip: Infinity }];
    this.latest = -Infinity;
    this.pace = { ...this.pace, since: mine };
  }

  /** A pong: it was sent half a round trip ago. */
  heard(sentAt: number, now: number): void {
    const trip = this.mine() - sentAt;
    this.samples = [...this.samples, { offset: now + trip / 2 - this.mine(), trip }].slice(-KEPT);
  }

  /** The table has skipped that much of its time (T7a): at a higher speed most of it has already passed here. */
  skip(by: number): void {
    this.samples = this.samples.map(({ offset, trip }) => ({ offset: offset + by, trip }));
    this.pace = { ...this.pace, since: this.mine() };
  }

  /** The table's time is faster by this factor from now on (T7a). The server sends jumps; here it runs evenly. */
  run(speed: number): void {
    if (speed === this.pace.speed) return;
    this.latest = -Infinity;
    this.pace = { speed, since: this.mine() };
  }

  /** How long the quickest answer took, in milliseconds; Infinity if there was none. */
  get trip(): number {
    return Math.min(...this.samples.map(({ trip }) => trip), Infinity);
  }

  private get offset(): number {
    const best = this.samples.reduce<{ offset: number; trip: number } | undefined>(
      (found, sample) => (found === undefined || sample.trip <= found.trip ? sample : found),
      undefined,
    );
    return best?.offset ?? 0;
  }
}

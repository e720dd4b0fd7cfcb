/** The server's clock, as well as it can be known from here: by the quickest of the last few answers. */

const KEPT = 8;

export class ServerClock {
  private samples: { offset: number; trip: number }[] = [];

  /** `mine` is this machine's time in milliseconds; a test brings its own. */
  constructor(private readonly mine: () => number = () => performance.now()) {}

  /** The table's time now. */
  now(): number {
    return this.mine() + this.offset;
  }

  /** Another match or another connection: what was known of the old one says nothing. */
  reset(now: number): void {
    this.samples = [{ offset: now - this.mine(), trip: Infinity }];
  }

  /** A pong: it was said half a trip ago. */
  heard(sentAt: number, now: number): void {
    const trip = this.mine() - sentAt;
    this.samples = [...this.samples, { offset: now + trip / 2 - this.mine(), trip }].slice(-KEPT);
  }

  /** The table has skipped so much of its time (T7a). */
  skip(by: number): void {
    this.samples = this.samples.map(({ offset, trip }) => ({ offset: offset + by, trip }));
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

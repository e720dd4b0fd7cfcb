/**
 * The Vitest environment of our tests: Node, and the few parts of a browser that a hand and a match use.
 * `viteEnvironment` has runes compiled as for a browser: as for Node, no effect would run.
 */

export default {
  name: "page",
  viteEnvironment: "client",
  setup(global: Record<string, unknown>): { teardown: () => void } {
    global["DOMPoint"] = FakePoint;
    // vi.useFakeTimers replaces them, but only if they are there.
    global["requestAnimationFrame"] = global["cancelAnimationFrame"] = () => 0;
    global["getComputedStyle"] = ({ style }: { style?: object }) => ({ pointerEvents: "auto", ...style });
    global["matchMedia"] = () => ({ matches: false });
    return { teardown: () => {} };
  },
};

export type Matrix = { readonly scale: number; readonly left: number; readonly top: number };

class FakePoint {
  constructor(
    readonly x: number,
    readonly y: number,
  ) {}

  matrixTransform({ scale, left, top }: Matrix): FakePoint {
    return new FakePoint(this.x * scale + left, this.y * scale + top);
  }
}

/**
 * A link as a QR code (ISO/IEC 18004): bytes, error correction M, versions 1 to 9, which take up to 180 bytes.
 *
 * `true` is a dark module. Names follow the standard, so that it can be read beside it.
 */

export type Modules = readonly (readonly boolean[])[];
type Plan = {
  readonly version: number;
  /** Error correction codewords of a block, and how many data codewords each block has. */
  readonly correction: number;
  readonly blocks: readonly number[];
  /** Where alignment patterns are centred, on both axes. */
  readonly aligned: readonly number[];
};

const PLANS: readonly Plan[] = [
  { version: 1, correction: 10, blocks: [16], aligned: [] },
  { version: 2, correction: 16, blocks: [28], aligned: [6, 18] },
  { version: 3, correction: 26, blocks: [44], aligned: [6, 22] },
  { version: 4, correction: 18, blocks: [32, 32], aligned: [6, 26] },
  { version: 5, correction: 24, blocks: [43, 43], aligned: [6, 30] },
  { version: 6, correction: 16, blocks: [27, 27, 27, 27], aligned: [6, 34] },
  { version: 7, correction: 18, blocks: [31, 31, 31, 31], aligned: [6, 22, 38] },
  { version: 8, correction: 22, blocks: [38, 38, 39, 39], aligned: [6, 24, 42] },
  { version: 9, correction: 22, blocks: [36, 36, 36, 37, 37], aligned: [6, 26, 46] },
];
/** Mode and length take twelve bits. */
const HEAD_BYTES = 2;
const BYTE_MODE = 0b0100;
const PADDING = [0xec, 0x11];
/** The format's bits for level M. */
const LEVEL_M = 0b00;

const MASKS: readonly ((row: number, column: number) => boolean)[] = [
  (i, j) => (i + j) % 2 === 0,
  (i) => i % 2 === 0,
  (_, j) => j % 3 === 0,
  (i, j) => (i + j) % 3 === 0,
  (i, j) => (Math.floor(i / 2) + Math.floor(j / 3)) % 2 === 0,
  (i, j) => ((i * j) % 2) + ((i * j) % 3) === 0,
  (i, j) => (((i * j) % 2) + ((i * j) % 3)) % 2 === 0,
  (i, j) => (((i + j) % 2) + ((i * j) % 3)) % 2 === 0,
];

/** The code for a text, or null where it is too long for one. */
export function qr(text: string): Modules | null {
  const bytes = new TextEncoder().encode(text);
  const plan = PLANS.find(({ blocks }) => bytes.length <= sum(blocks) - HEAD_BYTES);
  if (plan === undefined) return null;
  const codewords = interleaved(plan, data(bytes, sum(plan.blocks)));
  const drawn = MASKS.map((_, mask) => draw(plan, codewords, mask));
  const costs = drawn.map(penalty);
  return drawn[costs.indexOf(Math.min(...costs))] ?? null;
}

/** The dark modules as one path, a run of them a rectangle; a module is 1 by 1. */
export function darkPath(modules: Modules): string {
  const runs = modules.flatMap((row, y) =>
    Array.from(
      row
        .map((dark) => (dark ? "1" : "0"))
        .join("")
        .matchAll(/1+/g),
      ({ index, 0: run }) => {
        return `M${index} ${y}h${run.length}v1h-${run.length}z`;
      },
    ),
  );
  return runs.join("");
}

function data(bytes: Uint8Array, room: number): number[] {
  const head = [(BYTE_MODE << 4) | (bytes.length >> 4), (bytes.length & 15) << 4];
  // All after the first twelve bits is shifted by half a byte; the terminator is the half byte that is left.
  const packed = [head[0] as number];
  let rest = head[1] as number;
  for (const byte of bytes) {
    packed.push(rest | (byte >> 4));
    rest = (byte & 15) << 4;
  }
  packed.push(rest);
  for (let i = 0; packed.length < room; i++) packed.push(PADDING[i % 2] as number);
  return packed;
}

/** Data codewords of all blocks in turn, then the correction codewords of all blocks in turn. */
function interleaved({ blocks, correction }: Plan, words: readonly number[]): number[] {
  let from = 0;
  const parts = blocks.map((length) => words.slice(from, (from += length)));
  const checks = parts.map((part) => remainder(part, correction));
  return [parts, checks].flatMap((lists) => {
    const longest = Math.max(...lists.map((list) => list.length));
    const turns = Array.from({ length: longest }, (_, i) => lists.flatMap((list) => list.slice(i, i + 1)));
    return turns.flat();
  });
}

/** Reed and Solomon's: what is left of the block after division by the generator of that degree. */
export function remainder(block: readonly number[], degree: number): number[] {
  let generator = [1];
  for (let i = 0, root = 1; i < degree; i++, root = times(root, 2)) {
    const by = [...generator, 0];
    generator = by.map((coefficient, k) => coefficient ^ times(generator[k - 1] ?? 0, root));
  }
  const left = [...block, ...new Array<number>(degree).fill(0)];
  block.forEach((_, i) => {
    const factor = left[i] as number;
    generator.forEach((coefficient, k) => (left[i + k] = (left[i + k] as number) ^ times(coefficient, factor)));
  });
  return left.slice(block.length);
}

/** A product in the field of 256 elements, modulo x⁸ + x⁴ + x³ + x² + 1. */
export function times(a: number, b: number): number {
  let product = 0;
  for (let bit = 7; bit >= 0; bit--) product = (product << 1) ^ ((product >> 7) * 0x11d) ^ (((b >> bit) & 1) * a);
  return product;
}

/** Appends its check bits to a number: version (12 of them) and format (10). */
function checked(value: number, bits: number, generator: number): number {
  let left = value;
  for (let i = 0; i < bits; i++) left = (left << 1) ^ ((left >> (bits - 1)) * generator);
  return (value << bits) | left;
}

function draw(plan: Plan, codewords: readonly number[], mask: number): boolean[][] {
  const size = 17 + 4 * plan.version;
  // null: not decided yet, a place for data.
  const field: (boolean | null)[][] = Array.from({ length: size }, () => new Array<boolean | null>(size).fill(null));
  const put = (row: number, column: number, dark: boolean): void => {
    const line = field[row];
    if (line !== undefined && column >= 0 && column < size) line[column] = dark;
  };
  for (let i = 0; i < size; i++) {
    put(6, i, i % 2 === 0);
    put(i, 6, i % 2 === 0);
  }
  for (const [row, column] of [
    [3, 3],
    [3, size - 4],
    [size - 4, 3],
  ] as const) {
    around(4, (dy, dx, ring) => put(row + dy, column + dx, ring !== 2 && ring !== 4));
  }
  const last = plan.aligned.at(-1);
  for (const row of plan.aligned) {
    for (const column of plan.aligned) {
      const onFinder = (row === 6 && (column === 6 || column === last)) || (row === last && column === 6);
      if (!onFinder) around(2, (dy, dx, ring) => put(row + dy, column + dx, ring !== 1));
    }
  }
  writeVersion(plan.version, size, put);
  writeFormat(mask, size, put);
  fill(field, codewords, MASKS[mask] as (typeof MASKS)[number]);
  return field as boolean[][];
}

function around(reach: number, each: (dy: number, dx: number, ring: number) => void): void {
  for (let dy = -reach; dy <= reach; dy++) {
    for (let dx = -reach; dx <= reach; dx++) each(dy, dx, Math.max(Math.abs(dy), Math.abs(dx)));
  }
}

type Put = (row: number, column: number, dark: boolean) => void;

function writeVersion(version: number, size: number, put: Put): void {
  if (version < 7) return;
  const bits = checked(version, 12, 0x1f25);
  for (let i = 0; i < 18; i++) {
    const dark = ((bits >> i) & 1) === 1;
    put(Math.floor(i / 3), size - 11 + (i % 3), dark);
    put(size - 11 + (i % 3), Math.floor(i / 3), dark);
  }
}

function writeFormat(mask: number, size: number, put: Put): void {
  const bits = checked((LEVEL_M << 3) | mask, 10, 0x537) ^ 0x5412;
  for (let i = 0; i < 15; i++) {
    const dark = ((bits >> i) & 1) === 1;
    // Around the first finder, past the timing patterns, and once more beside the other two.
    put(i < 6 ? i : i < 8 ? i + 1 : size - 15 + i, 8, dark);
    put(8, i < 8 ? size - 1 - i : i === 8 ? 7 : 14 - i, dark);
  }
  put(size - 8, 8, true);
}

/** Two columns at a time, from the right, up and down in turn, round the timing pattern. */
function fill(field: (boolean | null)[][], codewords: readonly number[], masked: (typeof MASKS)[number]): void {
  const size = field.length;
  let bit = 0;
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right = 5;
    for (let i = 0; i < size; i++) {
      const row = up ? size - 1 - i : i;
      for (const column of [right, right - 1]) {
        const line = field[row] as (boolean | null)[];
        if (line[column] !== null) continue;
        const dark = (((codewords[bit >> 3] ?? 0) >> (7 - (bit & 7))) & 1) === 1;
        line[column] = dark !== masked(row, column);
        bit++;
      }
    }
  }
}

/** How hard a masked code is to read: long runs, blocks, what looks like a finder, and too much of one shade. */
function penalty(modules: Modules): number {
  const size = modules.length;
  const across = modules.map((row) => row.map((dark) => (dark ? "1" : "0")).join(""));
  const down = across.map((_, x) => across.map((row) => row[x]).join(""));
  let cost = 0;
  for (const line of [...across, ...down]) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) cost += run.length - 2;
    for (const look of ["10111010000", "00001011101"]) {
      for (let at = line.indexOf(look); at >= 0; at = line.indexOf(look, at + 1)) cost += 40;
    }
  }
  for (let y = 0; y + 1 < size; y++) {
    for (let x = 0; x + 1 < size; x++) {
      const four = `${across[y]?.slice(x, x + 2)}${across[y + 1]?.slice(x, x + 2)}`;
      if (four === "0000" || four === "1111") cost += 3;
    }
  }
  const dark = across.join("").replaceAll("0", "").length;
  return cost + 10 * Math.floor(Math.abs((100 * dark) / (size * size) - 50) / 5);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}

import { describe, expect, it } from "vitest";
import { darkPath, qr, remainder, times, type Modules } from "../src/qr";

// Both agree, module by module and in the choice of the mask, with two other encoders (qrcodegen, python-qrcode).
const KNOWN: readonly (readonly [string, string])[] = [
  [
    "Zoë",
    `
  #######.#.#.#.#######
  #.....#..##...#.....#
  #.###.#..##...#.###.#
  #.###.#.#.....#.###.#
  #.###.#.#..##.#.###.#
  #.....#.#.#.#.#.....#
  #######.#.#.#.#######
  ........#.#..........
  #...#.####..######..#
  ..#.##....#.###..#.#.
  .#.#..#.#.#.##....##.
  .#####...#.##..#..#.#
  .#.####..###..###.##.
  ........#..##..#..#.#
  #######.#.##..###.##.
  #.....#......##.###..
  #.###.#.#.#.###.....#
  #.###.#..#..###....##
  #.###.#..#..##....#..
  #.....#..####..#.#...
  #######.#.##..###.#.#
`,
  ],
  [
    "https://ubongo.example/t/k3v9qz",
    `
  #######...##...#####..#######
  #.....#...##.....#..#.#.....#
  #.###.#.#..#..#.#...#.#.###.#
  #.###.#.##.##...##....#.###.#
  #.###.#.#....###...##.#.###.#
  #.....#.#..######.....#.....#
  #######.#.#.#.#.#.#.#.#######
  ........#...##.#..#.#........
  #.#####..####.##.###..#####..
  ...##......#...##########...#
  .#...##..#.##....#...........
  ..##...######.#.#.....##.#.#.
  .####.###..##...##..#....##..
  .#..#...##..####.########...#
  ##.#..#####.#######.#.##.##..
  #..##..#....##.#....#.##...#.
  .#.#########..##.###.#...##..
  #####...##.##..##..######.#.#
  #..####.#.##.....##.#.#...#..
  #.#.....##..#.#.#....##.#..#.
  #...#.##..###....#..#####.###
  ........#..#####....#...#####
  #######..###.###.#.##.#.###..
  #.....#.##.#.#....###...#...#
  #.###.#.##..#.#.###.#####.#.#
  #.###.#.##.##...##.......##..
  #.###.#.##.#.####.#.########.
  #.....#.....####...##..###.#.
  #######.##.#..####.#...####..
`,
  ],
];

function drawn(modules: Modules | null): string[] {
  return (modules ?? []).map((row) => row.map((dark) => (dark ? "#" : ".")).join(""));
}

it.each(KNOWN)("draws %s", (text, picture) => {
  expect(drawn(qr(text))).toEqual(picture.trim().split(/\s+/));
});

it("agrees with the standard's own example of error correction", () => {
  // ISO/IEC 18004, annex I: 01234567 as a version 1-M symbol.
  const block = [0x10, 0x20, 0x0c, 0x56, 0x61, 0x80, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11, 0xec, 0x11];
  expect(remainder(block, 10)).toEqual([0xa5, 0x24, 0xd4, 0xc1, 0xed, 0x36, 0xc7, 0x87, 0x2c, 0x55]);
});

/** The shape of each version: how many blocks, and how many correction codewords each has. */
const BLOCKS = [1, 1, 1, 2, 2, 4, 4, 4, 5];
const CORRECTION = [10, 16, 26, 18, 24, 16, 18, 22, 22];

describe("a reader", () => {
  const lengths = Array.from({ length: 180 }, (_, i) => i + 1);

  it.each(lengths)("finds %i bytes again, and no error in them", (length) => {
    const text = Array.from({ length }, (_, i) => String.fromCharCode(33 + ((i * 31 + length) % 90))).join("");
    expect(readBack(qr(text) as Modules)).toBe(text);
  });
});

it("says so when a text is too long", () => {
  expect(qr("x".repeat(180))).not.toBeNull();
  expect(qr("x".repeat(181))).toBeNull();
});

it("is drawn as rectangles, one for each run", () => {
  const [row, ...rest] = [
    [true, true, false],
    [false, false, true],
  ];
  expect(darkPath([row as boolean[], ...rest])).toBe("M0 0h2v1h-2zM2 1h1v1h-1z");
});

/** Reads a code without looking at how it was made: format, mask, zigzag, blocks, syndromes, bytes. */
function readBack(modules: Modules): string {
  const size = modules.length;
  const version = (size - 17) / 4;
  const at = (row: number, column: number): number => Number(modules[row]?.[column] ?? false);
  const format = [0, 1, 2, 3, 4, 5].reduce((bits, row) => bits | (at(row, 8) << row), 0);
  const whole = format | (at(7, 8) << 6) | (at(8, 8) << 7) | (at(8, 7) << 8);
  const bits = [9, 10, 11, 12, 13, 14].reduce((all, i) => all | (at(8, 14 - i) << i), whole) ^ 0x5412;
  expect(bits >> 13).toBe(0);
  const mask = (bits >> 10) & 7;
  const words = codewords(
    modules,
    version,
    (row, column) =>
      [
        (row + column) % 2,
        row % 2,
        column % 3,
        (row + column) % 3,
        ((row >> 1) + Math.floor(column / 3)) % 2,
        ((row * column) % 2) + ((row * column) % 3),
        (((row * column) % 2) + ((row * column) % 3)) % 2,
        (((row + column) % 2) + ((row * column) % 3)) % 2,
      ][mask] === 0,
  );
  const blocks = deal(words, BLOCKS[version - 1] as number, CORRECTION[version - 1] as number);
  for (const block of blocks) {
    for (let i = 0, root = 1; i < (CORRECTION[version - 1] as number); i++, root = times(root, 2)) {
      expect(block.reduce((value, word) => times(value, root) ^ word, 0)).toBe(0);
    }
  }
  const data = blocks.flatMap((block) => block.slice(0, -(CORRECTION[version - 1] as number)));
  expect((data[0] as number) >> 4).toBe(4);
  const half = data.flatMap((word) => [word >> 4, word & 15]);
  const length = 16 * (half[1] as number) + (half[2] as number);
  const bytes = Array.from({ length }, (_, i) => 16 * (half[3 + 2 * i] as number) + (half[4 + 2 * i] as number));
  return new TextDecoder().decode(new Uint8Array(bytes));
}

function codewords(modules: Modules, version: number, masked: (row: number, column: number) => boolean): number[] {
  const size = modules.length;
  const aligned = version === 1 ? [] : version < 7 ? [6, size - 7] : [6, (size - 1) / 2, size - 7];
  const own = (row: number, column: number): boolean =>
    row === 6 ||
    column === 6 ||
    (row < 9 && (column < 9 || column >= size - 8)) ||
    (row >= size - 8 && column < 9) ||
    (version >= 7 && ((row < 6 && column >= size - 11) || (column < 6 && row >= size - 11))) ||
    aligned.some((y) =>
      aligned.some((x) => {
        const corner = (y === 6 && x !== aligned[1]) || (x === 6 && y !== aligned[1]);
        const finder = version < 7 ? y === 6 || x === 6 : corner;
        return !finder && Math.abs(row - y) <= 2 && Math.abs(column - x) <= 2;
      }),
    );
  const bits: number[] = [];
  const pairs = Array.from({ length: (size - 1) / 2 }, (_, i) => size - 1 - 2 * i).map((right) =>
    right <= 6 ? right - 1 : right,
  );
  pairs.forEach((right, turn) => {
    const rows = Array.from({ length: size }, (_, i) => (turn % 2 === 0 ? size - 1 - i : i));
    for (const row of rows) {
      for (const column of [right, right - 1]) {
        if (!own(row, column)) bits.push(Number(modules[row]?.[column] !== masked(row, column)));
      }
    }
  });
  return Array.from({ length: bits.length >> 3 }, (_, i) => parseInt(bits.slice(8 * i, 8 * i + 8).join(""), 2));
}

/** Deals codewords to blocks, the shorter ones first. */
function deal(words: readonly number[], number: number, correction: number): number[][] {
  const data = words.length - number * correction;
  const blocks: number[][] = Array.from({ length: number }, () => []);
  const short = Math.floor(data / number);
  const long = data % number;
  words.slice(0, data).forEach((word, i) => {
    const late = i >= short * number;
    blocks[late ? number - long + (i - short * number) : i % number]?.push(word);
  });
  words.slice(data).forEach((word, i) => blocks[i % number]?.push(word));
  return blocks;
}

/** How the bots look: paths on a tile of 100 by 118, drawn back to front. */

const DARK = "#2a2118";
const WHITE = "#fff";
const CHEEK = "rgb(240 138 107 / 55%)";

/** The tile that every head is. */
export const HEAD =
  "M-10.4-40Q0-46 10.4-40L29.4-29Q39.8-23 39.8-11V11Q39.8 23 29.4 29L10.4 40Q0 46-10.4 40L-29.4 29Q-39.8 23-39.8 11V-11Q-39.8-23-29.4-29Z";

/** A path and its colour. */
type Part = readonly [d: string, colour: string];

/** `behind` the tile: ears and tufts; then the parts on it, then the lines. */
export type FaceParts = {
  readonly tile: string;
  readonly side: string;
  readonly behind: readonly Part[];
  readonly parts: readonly Part[];
  readonly lines: readonly Part[];
};

export const FACES: Readonly<Record<string, FaceParts>> = {
  // A tortoise.
  beginner: {
    tile: "#86bc72",
    side: "#4d6c41",
    behind: [],
    parts: [
      [
        "M0 -40.6L8.3 -35.8V-26.2L0 -21.4L-8.3 -26.2V-35.8zM-17 -32.1L-8.7 -27.3V-17.7L-17 -12.9L-25.3 -17.7V-27.3zM17 -32.1L25.3 -27.3V-17.7L17 -12.9L8.7 -17.7V-27.3z",
        "#4f8a4b",
      ],
      ["M-31 13a6 6 0 1 0 12 0a6 6 0 1 0 -12 0zM19 13a6 6 0 1 0 12 0a6 6 0 1 0 -12 0z", CHEEK],
    ],
    lines: [["M-22 1q8 8 16 0M6 1q8 8 16 0M-11 19q11 8 22 0", DARK]],
  },
  // A chick.
  easy: {
    tile: "#f2d053",
    side: "#8b7830",
    behind: [["M-3-42C-14-58-2-60-1-46 2-62 14-58 5-42z", "#e39a2c"]],
    parts: [
      ["M-32 11a6 6 0 1 0 12 0a6 6 0 1 0 -12 0zM20 11a6 6 0 1 0 12 0a6 6 0 1 0 -12 0z", CHEEK],
      ["M-22.5 -6a7.5 7.5 0 1 0 15 0a7.5 7.5 0 1 0 -15 0zM7.5 -6a7.5 7.5 0 1 0 15 0a7.5 7.5 0 1 0 -15 0z", DARK],
      [
        "M-15.4 -8.2a2.4 2.4 0 1 0 4.8 0a2.4 2.4 0 1 0 -4.8 0zM14.6 -8.2a2.4 2.4 0 1 0 4.8 0a2.4 2.4 0 1 0 -4.8 0z",
        WHITE,
      ],
      ["M-11 8 0 2 11 8 0 22z", "#e5812b"],
    ],
    lines: [["M-11 8 0 2 11 8 0 22zM-11 8q11 5 22 0", DARK]],
  },
  // An otter.
  medium: {
    tile: "#a9764a",
    side: "#61442b",
    behind: [["M-43 -29a10 10 0 1 0 20 0a10 10 0 1 0 -20 0zM23 -29a10 10 0 1 0 20 0a10 10 0 1 0 -20 0z", "#7f5433"]],
    parts: [
      ["M-23 16a23 17 0 1 0 46 0a23 17 0 1 0 -46 0z", "#f1dfc4"],
      ["M-22.5 -8a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0 -13 0zM9.5 -8a6.5 6.5 0 1 0 13 0a6.5 6.5 0 1 0 -13 0z", DARK],
      [
        "M-16.1 -10.2a2.1 2.1 0 1 0 4.2 0a2.1 2.1 0 1 0 -4.2 0zM15.9 -10.2a2.1 2.1 0 1 0 4.2 0a2.1 2.1 0 1 0 -4.2 0z",
        WHITE,
      ],
      ["M-8 5h16q1 7-8 10-9-3-8-10z", DARK],
    ],
    lines: [["M0 15v5M-9 23q5 4 9-3 4 7 9 3M-18 13l-16-3M-18 18l-15 3M18 13l16-3M18 18l15 3", DARK]],
  },
  // A fox.
  hard: {
    tile: "#e07a42",
    side: "#814726",
    behind: [["M-40-18-36-54-10-40zM40-18 36-54 10-40z", "#d96a35"]],
    parts: [
      ["M-35-30-33-47-21-39zM35-30 33-47 21-39z", "#3a2418"],
      ["M-37 3C-22 0-8 8 0 26 8 8 22 0 37 3L36 22 0 43-36 22z", "#fbefe0"],
      ["M-22-10q8-8 15 2-8 4-15-2zM22-10q-8-8-15 2 8 4 15-2z", DARK],
      ["M-6 21h12q0 6-6 9-6-3-6-9z", DARK],
    ],
    lines: [["M-10 33q10 6 18-1", DARK]],
  },
  // An owl.
  expert: {
    tile: "#6379be",
    side: "#39466d",
    behind: [["M-40-20-42-54-14-41zM40-20 42-54 14-41z", "#3f5597"]],
    parts: [
      ["M-33 -6a17 17 0 1 0 34 0a17 17 0 1 0 -34 0zM-1 -6a17 17 0 1 0 34 0a17 17 0 1 0 -34 0z", "#f4ecd9"],
      ["M-23 -5a9 9 0 1 0 18 0a9 9 0 1 0 -18 0zM5 -5a9 9 0 1 0 18 0a9 9 0 1 0 -18 0z", DARK],
      ["M-14 -8a3 3 0 1 0 6 0a3 3 0 1 0 -6 0zM14 -8a3 3 0 1 0 6 0a3 3 0 1 0 -6 0z", WHITE],
      ["M-6 5h12L0 17z", "#e5a23a"],
    ],
    lines: [
      ["M-33 -6a17 17 0 1 0 34 0a17 17 0 1 0 -34 0zM-1 -6a17 17 0 1 0 34 0a17 17 0 1 0 -34 0zM-6 5h12L0 17z", DARK],
      ["M-12 25q4 4 8 0 4 4 8 0 4 4 8 0M-6 33q3 3 6 0 3 3 6 0", "#e7ebfa"],
    ],
  },
};

/** The day's result as a picture for others, 1200 by 630. It has no area and no pieces: it cannot give anything away. */

import { HEXAGON } from "./hexagon";
import type { Chart } from "./histogram";
import type { Step } from "./share";

export type Told = {
  readonly title: string;
  readonly came: string;
  readonly steps: readonly Step[];
  readonly placed: string;
  readonly streak: string;
  /** Who, and how long. */
  readonly marker: string;
  readonly chart: Chart;
  readonly invitation: string;
  readonly address: string;
  /** The file's. */
  readonly name: string;
};

const WIDTH = 1200;
const HEIGHT = 630;
/** Seen by others, whose page may be light or dark: it is always light. */
const INK = "#2a2118";
const DIM = "#5f5240";
const FILL: Readonly<Record<Step, string>> = { stayed: "#40c085", back: "#e0982a", thought: "#fff9ec" };
const SIGN: Readonly<Record<Step, string>> = {
  stayed: "M5 12.5 10 17.5 19.5 7",
  back: "M5 12a7 7 0 1 0 2.3-5.2M5 3v4.6h4.6",
  thought: "",
};
const MARK = [
  [-11.5, -10, "#e3c734"],
  [11.5, -10, "#285baa"],
  [-23, 10, "#40c085"],
  [0, 10, "#b73c1c"],
] as const;

export async function draw(told: Told): Promise<File> {
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = HEIGHT;
  const pen = canvas.getContext("2d");
  if (pen === null) throw new Error("no canvas");
  await document.fonts.ready;
  ground(pen);
  story(pen, told);
  everybody(pen, told);
  const blob = await new Promise<Blob | null>((done) => canvas.toBlob(done, "image/png"));
  if (blob === null) throw new Error("no picture");
  return new File([blob], told.name, { type: "image/png" });
}

function ground(pen: CanvasRenderingContext2D): void {
  const light = pen.createRadialGradient(600, 0, 0, 600, 0, 900);
  light.addColorStop(0, "#fcf8f0");
  light.addColorStop(0.55, "#f6f1e7");
  light.addColorStop(1, "#ece2d0");
  pen.fillStyle = light;
  pen.fillRect(0, 0, WIDTH, HEIGHT);
}

function story(pen: CanvasRenderingContext2D, { title, came, steps, placed, streak, address }: Told): void {
  for (const [x, y, colour] of MARK) hexagon(pen, 100 + 1.1 * x, 132 + 1.5 * y, 1.35, colour, INK);
  write(pen, "Ubongo", 142, 147, 44, 800, INK);
  write(pen, title, 64, 212, 24, 500, DIM, 500);
  write(pen, came, 58, 362, 150, 800, INK, 500);
  // Two rows, if there are many.
  const row = steps.length > 14 ? Math.ceil(steps.length / 2) : Math.max(steps.length, 7);
  const side = Math.min(60, 480 / row - 8);
  steps.forEach((step, i) => {
    square(pen, 66 + (i % row) * (side + 8), 398 + Math.floor(i / row) * (side + 8), side, step);
  });
  const placedWide = write(pen, placed, 64, 518, 28, 700, INK, 240);
  flame(pen, 64 + placedWide + 28, 484);
  write(pen, streak, 64 + placedWide + 72, 518, 28, 500, INK, 400 - placedWide);
  pen.textAlign = "right";
  write(pen, address, 1136, 598, 20, 600, DIM, 600);
  pen.textAlign = "left";
}

function everybody(pen: CanvasRenderingContext2D, { chart, marker, invitation }: Told): void {
  pen.save();
  pen.shadowColor = "rgb(60 42 20 / 14%)";
  pen.shadowBlur = 44;
  pen.shadowOffsetY = 18;
  rounded(pen, 616, 122, 520, 386, 32, "#fffcf6");
  pen.restore();
  const { columns, tallest, bars } = chart;
  const base = 398;
  const step = Math.min(40, 440 / columns.length);
  const left = 876 - (step * (columns.length - 1)) / 2;
  const row = Math.min(step * 0.82, 190 / Math.max(tallest, 3));
  const scale = bars ? 1 : row / 20.5;
  const high = (count: number): number => (bars ? (190 * count) / tallest : row * count);
  columns.forEach(({ count, mine, label }, i) => {
    const x = left + i * step;
    if (bars)
      rounded(pen, x - step * 0.38, base - high(count), step * 0.76, high(count), 4, mine ? "#b73c1c" : "#e6dac4");
    else {
      for (let n = 0; n < count; n++) {
        const own = mine && n === count - 1;
        hexagon(pen, x, base - row * (n + 0.55), scale, own ? "#b73c1c" : "#e6dac4", own ? INK : "#d9cbb2");
      }
    }
    pen.textAlign = "center";
    if (label !== "") write(pen, label, x, base + 28, 18, 500, DIM);
  });
  pen.fillStyle = "#7a6446";
  pen.fillRect(left - step / 2, base, step * columns.length, 2);
  const mine = columns.findIndex((column) => column.mine);
  const x = left + mine * step;
  pen.font = font(20, 700);
  const wide = Math.min(pen.measureText(marker).width + 30, 460);
  const at = Math.min(Math.max(x, 636 + wide / 2), 1116 - wide / 2);
  pen.fillStyle = INK;
  pen.fillRect(x - 1, 180, 2, base - high(columns[mine]?.count ?? 0) - 186);
  rounded(pen, at - wide / 2, 144, wide, 40, 20, INK);
  write(pen, marker, at, 171, 20, 700, "#fffcf6", wide - 24);
  write(pen, invitation, 876, 474, 22, 500, DIM, 470);
  pen.textAlign = "left";
}

const font = (size: number, weight: number): string =>
  `${weight} ${size}px ${getComputedStyle(document.body).fontFamily}`;

/** How wide it came out; narrower letters where it would be too long. */
function write(
  pen: CanvasRenderingContext2D,
  text: string,
  x: number,
  y: number,
  size: number,
  weight: number,
  colour: string,
  most = Infinity,
): number {
  pen.font = font(size, weight);
  const wide = pen.measureText(text).width;
  if (wide > most) pen.font = font((size * most) / wide, weight);
  pen.fillStyle = colour;
  pen.fillText(text, x, y);
  return Math.min(wide, most);
}

function hexagon(pen: CanvasRenderingContext2D, x: number, y: number, scale: number, fill: string, edge: string): void {
  pen.save();
  pen.translate(x, y);
  pen.scale(scale, scale);
  const shape = new Path2D(HEXAGON);
  pen.fillStyle = fill;
  pen.fill(shape);
  pen.lineWidth = 1.6;
  pen.strokeStyle = edge;
  pen.stroke(shape);
  pen.restore();
}

function square(pen: CanvasRenderingContext2D, x: number, y: number, side: number, step: Step): void {
  rounded(pen, x, y, side, side, side * 0.22, FILL[step]);
  pen.lineWidth = 2.5;
  pen.strokeStyle = step === "thought" ? "#d9cbb2" : INK;
  pen.stroke();
  pen.save();
  pen.translate(x + side * 0.18, y + side * 0.18);
  pen.scale((side * 0.64) / 24, (side * 0.64) / 24);
  pen.lineWidth = 3;
  pen.lineCap = pen.lineJoin = "round";
  pen.stroke(new Path2D(SIGN[step]));
  pen.restore();
}

function flame(pen: CanvasRenderingContext2D, x: number, y: number): void {
  pen.save();
  pen.translate(x, y);
  pen.scale(0.85, 0.85);
  const outer = new Path2D("M20 2c3 11 15 15 15 28a15 15 0 0 1-30 0c0-7 3-11 7-14 1 5 3 7 5 8 1-8-1-14 3-22z");
  pen.fillStyle = "#d9642f";
  pen.fill(outer);
  pen.lineWidth = 2;
  pen.strokeStyle = INK;
  pen.stroke(outer);
  pen.fillStyle = "#f2c14e";
  pen.fill(new Path2D("M20 24c2 5 7 7 7 13a7 7 0 0 1-14 0c0-5 5-7 7-13z"));
  pen.restore();
}

function rounded(
  pen: CanvasRenderingContext2D,
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
  colour: string,
): void {
  pen.beginPath();
  pen.roundRect(x, y, width, Math.max(height, 0), radius);
  pen.fillStyle = colour;
  pen.fill();
}

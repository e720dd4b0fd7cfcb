/** Short, dry sounds, made here and now: nothing is loaded. Without sound nothing is even prepared. */

import { settings } from "./settings.svelte";

type Sound =
  | "lay"
  | "lift"
  | "throw"
  | "refuse"
  | "call"
  | "gem"
  | "tick"
  | "gong"
  | "knock"
  | "go"
  | "pop"
  | "bell"
  | "two_bells"
  | "fanfare"
  | "fanfare_soft";
type Note = { tone: number; to?: number; last: number; loud: number; form: OscillatorType; wait?: number };

/** The end: five notes of a marimba, with a shaker; the same, softer, for players who did not win. */
const fanfare = (loud: number): Note[] =>
  [523, 659, 784, 659, 1047].flatMap((tone, i): Note[] => [
    { tone, last: i === 4 ? 0.5 : 0.28, loud: 0.4 * loud, form: "triangle", wait: 0.17 * i },
    { tone: 3400 + 300 * (i % 2), to: 2600, last: 0.03, loud: 0.06 * loud, form: "square", wait: 0.17 * i + 0.085 },
  ]);

/** The tone of a bell and, shorter and softer, the overtone that makes it one. */
const bell = (tone: number): Note[] => [
  { tone, last: 1.2, loud: 0.3, form: "sine" },
  { tone: tone * 2.76, last: 0.45, loud: 0.08, form: "sine" },
];

const NOTES: Readonly<Record<Sound, readonly Note[]>> = {
  lay: [
    { tone: 320, to: 180, last: 0.07, loud: 0.35, form: "triangle" },
    { tone: 95, last: 0.05, loud: 0.3, form: "sine" },
  ],
  lift: [{ tone: 240, to: 330, last: 0.06, loud: 0.18, form: "triangle" }],
  throw: [0, 0.05, 0.09, 0.14, 0.2].map((wait, i) => ({
    tone: [420, 300, 520, 360, 240][i] ?? 300,
    to: 150,
    last: 0.05,
    loud: 0.3,
    form: "triangle",
    wait,
  })),
  refuse: [{ tone: 130, to: 95, last: 0.12, loud: 0.35, form: "square" }],
  call: [
    { tone: 160, to: 60, last: 0.28, loud: 0.7, form: "sine" },
    { tone: 120, to: 50, last: 0.3, loud: 0.6, form: "sine", wait: 0.14 },
  ],
  gem: [
    { tone: 1320, last: 0.3, loud: 0.16, form: "sine", wait: 0.1 },
    { tone: 1980, last: 0.4, loud: 0.12, form: "sine", wait: 0.18 },
  ],
  knock: [
    { tone: 392, to: 310, last: 0.06, loud: 0.5, form: "triangle" },
    { tone: 130, last: 0.05, loud: 0.4, form: "sine" },
  ],
  // Two knocks a fifth higher, and a short slide of wood.
  go: [0, 0.09]
    .flatMap((wait): Note[] => [
      { tone: 588, to: 465, last: 0.07, loud: 0.55, form: "triangle", wait },
      { tone: 196, last: 0.06, loud: 0.4, form: "sine", wait },
    ])
    .concat({ tone: 240, to: 520, last: 0.16, loud: 0.12, form: "triangle", wait: 0.2 }),
  pop: [{ tone: 420, to: 880, last: 0.07, loud: 0.14, form: "sine" }],
  tick: [{ tone: 1100, last: 0.02, loud: 0.1, form: "square" }],
  gong: [
    { tone: 150, last: 1.1, loud: 0.35, form: "sine" },
    { tone: 228, last: 0.8, loud: 0.16, form: "sine" },
  ],
  bell: bell(880),
  // A long streak has a lower one below it.
  two_bells: [...bell(880), ...bell(587)],
  fanfare: fanfare(1),
  fanfare_soft: fanfare(0.45),
};

let context: AudioContext | null = null;

export function play(sound: Sound): void {
  // A browser lets nothing sound before the page has been touched.
  if (!settings.sound || settings.volume === 0 || !navigator.userActivation.hasBeenActive) return;
  context ??= new AudioContext();
  for (const note of NOTES[sound]) strike(context, note, gain(settings.volume));
}

/** Squared, because loudness is perceived non-linearly: half of the slider should sound like half. */
export const gain = (volume: number): number => (volume / 100) ** 2;

function strike(on: AudioContext, { tone, to, last, loud, form, wait = 0 }: Note, share: number): void {
  const from = on.currentTime + wait;
  const voice = new OscillatorNode(on, { type: form, frequency: tone });
  const volume = new GainNode(on, { gain: 0 });
  volume.gain.setValueAtTime(Math.max(0.0011, loud * 0.5 * share), from);
  volume.gain.exponentialRampToValueAtTime(0.001, from + last);
  if (to !== undefined) voice.frequency.exponentialRampToValueAtTime(to, from + last);
  voice.connect(volume).connect(on.destination);
  voice.start(from);
  voice.stop(from + last);
}

/**
 * The shapes that dice and cards carry. Each has one colour in both games: class `shape-L4` sets `--colour` to it.
 *
 * It names them only, to draw them: on dice the server tells their cells, and cards show a symbol upright.
 */

export const SHAPES = ["I1", "I2", "I3", "L3", "I4", "L4", "O4", "S4", "T4", "L5", "P5", "Y5", "Z5"] as const;
export type ShapeName = (typeof SHAPES)[number];

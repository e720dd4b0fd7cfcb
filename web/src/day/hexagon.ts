/** A hexagon with rounded corners about the middle: one person's time, or one day. 21 wide, 24.2 high. */
export const HEXAGON =
  "M-2.3-10.8Q0-12.1 2.3-10.8L8.2-7.3Q10.5-6 10.5-3.4V3.4Q10.5 6 8.2 7.3L2.3 10.8Q0 12.1-2.3 10.8L-8.2 7.3Q-10.5 6-10.5 3.4V-3.4Q-10.5-6-8.2-7.3Z";

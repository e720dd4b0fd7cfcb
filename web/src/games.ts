/** The four games, in a sentence each. */
export const games: readonly { readonly name: string; readonly about: string; readonly seats: string }[] = [
  {
    name: "Extreme",
    about: "Fill your board of hexagons before the sand runs out; the quickest take the best gems.",
    seats: "2–4 players · 60 s rounds",
  },
  {
    name: "Card game",
    about: "Lay seven of your nine cards edge to edge: wherever two meet, exactly two pairs of equal symbols touch.",
    seats: "2–4 players · six rounds",
  },
  {
    name: "Dice game",
    about: "Everyone grabs two dice at once and draws their shapes into an area until it is full.",
    seats: "2–4 players · six areas",
  },
  {
    name: "3-D",
    about: "Stack blocks of cubes on your board so that they fill it two storeys high and no higher.",
    seats: "1–4 players · 90 s rounds",
  },
];

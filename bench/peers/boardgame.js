// Extreme on boardgame.io, with its own store in memory: node boardgame.js DEALS, where DEALS is what bench/rounds.py wrote.
// Prints its address. The rules are ours as far as the loop of a match needs them, written as its makers advise.
import { readFileSync } from "node:fs";
import core from "boardgame.io/dist/cjs/core.js";
import server from "boardgame.io/dist/cjs/server.js";

const { shapes, deals } = JSON.parse(readFileSync(process.argv[2], "utf8"));
const ROUNDS = 9;
const GEMS = { ruby: 9, sapphire: 18, emerald: 9, amber: 18 };
const DISPLAY = ["sapphire", "amber"];

// Sets cannot be part of a state that is sent: made once for each task, and not again for every move.
const areas = new Map();
const key = ([q, r]) => q * 64 + r;
for (const task of deals.flat(2)) areas.set(areaOf(task), new Set(task.region.map(key)));

function areaOf(task) {
  return `${task.board} ${task.pieces}`;
}

// `last` tells a player what was answered; it comes first, so that the players of the bench find it without reading on.
function opening() {
  const display = DISPLAY.flatMap((gem) => Array(ROUNDS).fill(gem));
  const bag = Object.entries(GEMS).flatMap(([gem, number]) =>
    Array(number - display.filter((other) => other === gem).length).fill(gem),
  );
  const seats = ["Ann", "Bo", "Cy", "Di"].map((name) => ({
    name,
    ready: false,
    task: null,
    laid: [],
    called: null,
    gems: [],
  }));
  return { last: "", phase: "ready", round: 1, glass: null, display, bag, seats };
}

function take(from, gem, to) {
  from.splice(from.indexOf(gem), 1);
  to.push(gem);
}

function cells(task, { piece, turn, at }) {
  return shapes[task.pieces[piece]][turn].map(([q, r]) => key([q + at[0], r + at[1]]));
}

function playing(G, seat) {
  return G.phase === "play" && G.seats[seat].called === null;
}

function ready({ G, playerID }, match, mark) {
  if (G.phase !== "ready" || G.seats[playerID].ready) return core.INVALID_MOVE;
  G.last = mark;
  G.seats[playerID].ready = true;
  if (!G.seats.every((seat) => seat.ready)) return;
  G.seats.forEach((seat, number) => {
    Object.assign(seat, {
      task: deals[match % deals.length][G.round - 1][number],
      laid: [],
      called: null,
      ready: false,
    });
  });
  G.phase = "play";
  G.glass = { turned: 1, ends: Date.now() + 3_600_000 };
}

function place({ G, playerID }, piece, turn, at, mark) {
  const me = G.seats[playerID];
  if (!playing(G, playerID) || !shapes[me.task.pieces[piece]]?.[turn]) return core.INVALID_MOVE;
  const area = areas.get(areaOf(me.task));
  const lying = new Set(me.laid.filter((other) => other.piece !== piece).flatMap((other) => cells(me.task, other)));
  if (cells(me.task, { piece, turn, at }).some((cell) => !area.has(cell) || lying.has(cell))) return core.INVALID_MOVE;
  me.laid = [...me.laid.filter((other) => other.piece !== piece), { piece, turn, at }];
  G.last = mark;
}

function lift({ G, playerID }, piece, mark) {
  const me = G.seats[playerID];
  if (!playing(G, playerID) || !me.laid.some((other) => other.piece === piece)) return core.INVALID_MOVE;
  me.laid = me.laid.filter((other) => other.piece !== piece);
  G.last = mark;
}

function call({ G, playerID, random }, mark) {
  const me = G.seats[playerID];
  // Nothing lies outside or twice: the area is exactly covered when all its cells are.
  const covered = playing(G, playerID) ? me.laid.flatMap((where) => cells(me.task, where)).length : 0;
  if (!covered || covered !== me.task.region.length) return core.INVALID_MOVE;
  const rank = G.seats.filter((seat) => seat.called !== null).length;
  G.last = mark;
  me.called = Date.now();
  if (DISPLAY[rank]) take(G.display, DISPLAY[rank], me.gems);
  take(G.bag, G.bag[random.Die(G.bag.length) - 1], me.gems);
  if (rank + 1 < G.seats.length) return;
  G.seats.forEach((seat) => Object.assign(seat, { task: null, laid: [] }));
  G.round += 1;
  G.glass = null;
  G.phase = G.round > ROUNDS ? "over" : "ready";
}

// All move at once, so a move counts although others have moved since; nobody takes one back.
const moves = Object.fromEntries(
  Object.entries({ ready, place, lift, call }).map(([name, move]) => [
    name,
    { move, ignoreStaleStateID: true, undoable: false, client: false },
  ]),
);
const game = {
  name: "extreme",
  minPlayers: 4,
  maxPlayers: 4,
  disableUndo: true,
  setup: opening,
  turn: { activePlayers: core.ActivePlayers.ALL },
  moves,
};
const running = await server
  .Server({ games: [game], origins: ["http://127.0.0.1"] })
  .run({ port: 0, host: "127.0.0.1" });
console.log(JSON.stringify({ port: running.appServer.address().port }));

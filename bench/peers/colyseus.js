// Tables on Colyseus that tell everybody what anybody says, with no rules and no log: node colyseus.js TABLES.
// Prints its address and the path of each seat: what its matchmaker would answer over HTTP, which is not measured here.
import { matchMaker, Room, Server } from "@colyseus/core";
import { WebSocketTransport } from "@colyseus/ws-transport";

class Table extends Room {
  maxClients = 4;
  seatReservationTimeout = 120;
  // There is no state to compare twenty times a second.
  patchRate = null;

  onCreate() {
    this.onMessage("move", (_, move) => this.broadcast("move", move));
  }
}

const transport = new WebSocketTransport();
const server = new Server({ transport, greet: false });
server.define("table", Table);
await server.listen(0, "127.0.0.1");
const paths = [];
for (let table = 0; table < Number(process.argv[2]); table += 1) {
  const { roomId } = await matchMaker.createRoom("table", {});
  for (let seat = 0; seat < 4; seat += 1) {
    const { sessionId, processId } = await matchMaker.joinById(roomId, {});
    paths.push(`/${processId}/${roomId}?sessionId=${sessionId}`);
  }
}
console.log(JSON.stringify({ port: transport.server.address().port, paths }));

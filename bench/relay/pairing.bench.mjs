/**
 * What the proof of the pairing key adds to a connection of the extension: from an open socket to the end of the
 * handshake, with a hub in its own process.
 */
import { WebSocket } from "ws";
import { figure, median } from "../lib/figure.mjs";
import { proveAsExtension } from "../lib/pairing.mjs";
import { startStage } from "./lib.mjs";

const ORIGIN = "chrome-extension://dhgkdhddoldfhgcjghpeaeiocampnkcb";
const ROUNDS = 60;

const stage = await startStage({ browser: false });
const took = [];
try {
  for (let i = 0; i < ROUNDS; i++) {
    const socket = new WebSocket(`${stage.hub.relayUrl}/extension?instance=bench`, { origin: ORIGIN });
    await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
    const start = performance.now();
    await proveAsExtension(socket, "relay", stage.hub.pairingKey);
    took.push(performance.now() - start);
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.close();
    await closed;
  }
} finally {
  await stage.close();
}
// The first rounds compile the code of both processes.
const sorted = took.slice(10).sort((a, b) => a - b);
figure({ name: "pairing: proof in both directions, median", value: median(sorted), unit: "ms", limit: 50 });
figure({
  name: "pairing: proof in both directions, 99th percentile",
  value: sorted[Math.floor(sorted.length * 0.99)],
  unit: "ms",
  limit: 50,
});
figure({
  name: "pairing: the first proof after both processes started",
  value: took[0],
  unit: "ms",
  note: "both of them compile and load their cryptography",
});

/**
 * What the relay costs above the least that any such relay costs: a forwarder that parses nothing and an extension that
 * knows one tab. Raw commands, without the work of a client library, on the same tab in turns.
 */
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { WebSocket } from "ws";
import { figure, median } from "../lib/figure.mjs";
import { writeBareExtension } from "./bare.mjs";
import { startStage } from "./lib.mjs";

const ROUNDS = 8;
const CALLS = 200;

/** Sends CDP commands over a socket, one after the other. */
async function connect(url) {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  const waiting = new Map();
  let last = 0;
  socket.on("message", (data) => {
    const message = JSON.parse(data);
    waiting.get(message.id)?.(message.result);
    waiting.delete(message.id);
  });
  await new Promise((resolve) => socket.once("open", resolve));
  return {
    close: () => socket.close(),
    send: (method, params = {}, sessionId = undefined) =>
      new Promise((resolve) => {
        waiting.set(++last, resolve);
        socket.send(JSON.stringify({ id: last, method, params, sessionId }));
      }),
  };
}

const forwarder = spawn(process.execPath, [fileURLToPath(new URL("bare.mjs", import.meta.url))], {
  stdio: ["ignore", "pipe", "inherit"],
});
const port = Number(await new Promise((resolve) => forwarder.stdout.once("data", resolve)));
const stage = await startStage({ more: (folder) => writeBareExtension(folder, port) });
try {
  const targets = await (await fetch(`${stage.direct}/json/list`)).json();
  const direct = await connect(targets.find(({ url }) => url.startsWith(stage.url)).webSocketDebuggerUrl);
  const bare = await connect(`ws://127.0.0.1:${port}/client`);
  await bare.send("attach", { url: stage.url });
  const relay = await connect(stage.relay);
  const { targetInfos } = await relay.send("Target.getTargets");
  const { targetId } = targetInfos.find(({ url }) => url.startsWith(stage.url));
  const { sessionId } = await relay.send("Target.attachToTarget", { targetId, flatten: true });
  const ways = { direct: [direct], bare: [bare], relay: [relay, sessionId] };
  const times = { direct: [], bare: [], relay: [] };
  for (let round = -1; round < ROUNDS; round++) {
    for (const [way, [{ send }, session]] of Object.entries(ways)) {
      for (let i = 0; i < CALLS; i++) {
        const started = performance.now();
        const answer = await send("Runtime.evaluate", { expression: "1" }, session);
        if (answer?.result?.value !== 1) throw new Error(`${way}: ${JSON.stringify(answer)}`);
        if (round >= 0) times[way].push(performance.now() - started);
      }
    }
  }
  const [least, bareMs, relayMs] = [median(times.direct), median(times.bare), median(times.relay)];
  figure({
    name: "a raw evaluate through the relay, to one through a bare forwarder and a bare extension",
    value: relayMs / bareMs,
    unit: "x",
    limit: 1.15,
    note: `medians: direct ${least.toFixed(2)}, bare ${bareMs.toFixed(2)}, relay ${relayMs.toFixed(2)} ms; Chrome's own part of what is added: ${(bareMs - least).toFixed(2)} of ${(relayMs - least).toFixed(2)} ms`,
  });
  for (const { close } of [direct, bare, relay]) close();
} finally {
  await stage.close();
  forwarder.kill();
}

/**
 * What the relay costs above the least that any such relay costs: a forwarder that parses nothing and an extension that
 * knows one tab. Raw commands, without the work of a client library, on the same tab in turns.
 */
import { figure, median } from "../lib/figure.mjs";
import { connectRaw, startForwarder, writeBareExtension } from "./bare.mjs";
import { startStage } from "./lib.mjs";

const ROUNDS = 8;
const CALLS = 200;

const forwarder = await startForwarder();
const stage = await startStage({ more: (folder) => writeBareExtension(folder, forwarder.port) });
try {
  const targets = await (await fetch(`${stage.direct}/json/list`)).json();
  const direct = await connectRaw(targets.find(({ url }) => url.startsWith(stage.url)).webSocketDebuggerUrl);
  const bare = await connectRaw(`ws://127.0.0.1:${forwarder.port}/client`);
  await bare.send("attach", { url: stage.url });
  const relay = await connectRaw(stage.relay);
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
  forwarder.end();
}

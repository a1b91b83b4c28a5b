/**
 * What a message from an app to an agent costs in processor time of the hubs: both on one hub, and on two hubs that share a bus
 * over NATS. Rounds of both alternate; the lowest of each counts. The time of the NATS server is a figure of its own.
 */
import { networkMessage, openPeer } from "../hub/peers.mjs";
import { figure } from "../lib/figure.mjs";
import { processorSeconds, startBus } from "./lib.mjs";

const MESSAGES = 20_000;
const ROUNDS = 5;
const WINDOW = 500;

const bus = await startBus();
try {
  const alone = await bus.startHub("alone", { alone: true });
  const [first, second] = [await bus.startHub("first"), await bus.startHub("second")];
  const onOne = await load(alone, alone, [alone.pid]);
  const onTwo = await load(first, second, [first.pid, second.pid]);
  const [one, two, server, bytes] = [[], [], [], []];
  for (let round = -1; round < ROUNDS; round++) {
    const [a, b] = [await onOne(), await onTwo()];
    if (round < 0) continue;
    one.push(a.hubs);
    two.push(b.hubs);
    server.push(b.nats);
    bytes.push(b.bytes);
  }
  report(Math.min(...one), Math.min(...two), Math.min(...server), Math.max(...bytes));
} finally {
  await bus.close();
}

function report(one, two, server, bytes) {
  figure({ name: "one hub: processor time per message", value: one, unit: "µs" });
  figure({ name: "two hubs over NATS: processor time per message, both hubs", value: two, unit: "µs" });
  figure({ name: "two hubs over NATS: NATS server per message", value: server, unit: "µs" });
  figure({
    name: "two hubs over NATS: bytes through NATS per message, in and out",
    value: bytes,
    unit: "bytes",
    note: `a message has ${networkMessage("s", 1).length} bytes; it is stored, and sent to the other hub`,
  });
  figure({
    name: "processor time of the hubs per message, across hubs against one hub",
    ...{ value: two / one, unit: "×", limit: 3 },
  });
  figure({
    name: "processor time of the hubs and of NATS per message, across hubs against one hub",
    ...{ value: (two + server) / one, unit: "×" },
    note: "no limit: what the NATS server needs is its own cost; one hub without a bus has no NATS server",
  });
}

/** An app on one hub and an agent on another, which may be the same. */
async function load(appHub, agentHub, pids) {
  const sessionId = `s-${pids.join("-")}`;
  const app = await openPeer(appHub.port, "app", sessionId);
  const agent = await openPeer(agentHub.port, "agent", sessionId, agentHub.token);
  let received = 0;
  agent.on("message", (data) => {
    if (data.length > 250) received++;
  });
  const frame = networkMessage(sessionId, 1);
  const used = async () => {
    const { in_bytes, out_bytes } = await bus.varz();
    return { hubs: processorSeconds(pids), nats: processorSeconds([bus.nats]), bytes: in_bytes + out_bytes };
  };
  return async () => {
    const before = await used();
    const [start, goal] = [received, received + MESSAGES];
    for (let sent = 0; received < goal; ) {
      while (sent < MESSAGES && sent - (received - start) < WINDOW) {
        app.send(frame);
        sent++;
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
    // What is stored in the background belongs to the cost.
    await new Promise((resolve) => setTimeout(resolve, 300));
    const after = await used();
    const perMessage = (key) => (after[key] - before[key]) / MESSAGES;
    return { hubs: perMessage("hubs") * 1e6, nats: perMessage("nats") * 1e6, bytes: perMessage("bytes") };
  };
}

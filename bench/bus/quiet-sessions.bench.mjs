/**
 * What a message costs when many sessions send a little: a thousand apps on one hub, their agents on another, and a message a second
 * of each. Nothing can be sent or stored together then, so this is what large numbers of sessions are computed with. Beside it, what
 * the same costs on one hub without a bus.
 */
import { networkMessage, openPeer } from "../hub/peers.mjs";
import { figure } from "../lib/figure.mjs";
import { processorSeconds, startBus, untilIdle } from "./lib.mjs";

const SESSIONS = 1_000;
const SECONDS = Number(process.env.SECONDS ?? 8);
const AT_ONCE = 50;

const bus = await startBus();
try {
  const alone = await bus.startHub("alone", { alone: true });
  const onOne = await measure(alone, alone, [alone.pid]);
  const [first, second] = [await bus.startHub("first"), await bus.startHub("second")];
  report(onOne, await measure(first, second, [first.pid, second.pid]));
} finally {
  await bus.close();
}
process.exit(0);

/** What a message costs between apps on one hub and agents on another, which may be the same. */
async function measure(appHub, agentHub, pids) {
  const ids = Array.from({ length: SESSIONS }, (_, i) => `quiet-${i}`);
  const sockets = [];
  let received = 0;
  const join = async (id) => {
    const app = await openPeer(appHub.port, "app", id, appHub.token);
    const agent = await openPeer(agentHub.port, "agent", id, agentHub.token);
    agent.on("message", (data) => {
      if (data.length > 250) received++;
    });
    sockets.push(app, agent);
    return app;
  };
  const apps = [];
  for (let start = 0; start < SESSIONS; start += AT_ONCE)
    apps.push(...(await Promise.all(ids.slice(start, start + AT_ONCE).map(join))));
  await untilIdle([bus.nats, ...pids]);
  const idle = await spend(pids, () => new Promise((resolve) => setTimeout(resolve, 3_000)));
  const busy = await spend(pids, () => send(apps, ids, () => received));
  for (const socket of sockets) socket.terminate();
  await untilIdle([bus.nats, ...pids]);
  // What the hubs do without messages does not belong to a message.
  return Object.fromEntries(
    ["hubs", "nats", "bytes"].map((key) => [
      key,
      Math.max(0, busy[key] - (idle[key] / idle.seconds) * busy.seconds) / (SESSIONS * SECONDS),
    ]),
  );
}

/** One message after the other, so that each session has its turn once a second. */
async function send(apps, ids, received) {
  const total = SESSIONS * SECONDS;
  const startedAt = performance.now();
  for (let sent = 0; received() < total; ) {
    const due = Math.min(total, ((performance.now() - startedAt) / 1_000) * SESSIONS);
    for (; sent < due; sent++) apps[sent % SESSIONS].send(networkMessage(ids[sent % SESSIONS], sent));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** Processor time and bytes that some work takes, for each second of it. */
async function spend(pids, work) {
  const used = async () => {
    const { in_bytes, out_bytes } = await bus.varz();
    return [processorSeconds(pids), processorSeconds([bus.nats]), in_bytes + out_bytes];
  };
  const [before, startedAt] = [await used(), performance.now()];
  await work();
  const seconds = (performance.now() - startedAt) / 1_000;
  const [hubs, nats, bytes] = (await used()).map((value, i) => value - before[i]);
  return { hubs, nats, bytes, seconds };
}

function report(one, two) {
  const prefix = "a message a second of each session";
  const note = `${SESSIONS.toLocaleString("en")} sessions`;
  figure({
    name: `${prefix}: processor time per message, one hub without a bus`,
    ...{ value: one.hubs * 1e6, unit: "µs", note },
  });
  figure({
    name: `${prefix}: processor time per message, both hubs`,
    ...{ value: two.hubs * 1e6, unit: "µs", note },
  });
  figure({ name: `${prefix}: NATS server per message`, value: two.nats * 1e6, unit: "µs" });
  figure({
    name: `${prefix}: processor time of the hubs, across hubs against one hub`,
    ...{ value: two.hubs / one.hubs, unit: "×" },
    note: "no limit: a message that comes alone is stored and sent alone",
  });
  figure({ name: `${prefix}: bytes through NATS per message`, value: two.bytes, unit: "bytes" });
}

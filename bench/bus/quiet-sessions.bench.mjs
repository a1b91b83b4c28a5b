/**
 * What a message costs when many sessions send a little: a thousand apps on one hub, their agents on another, and a message a second
 * of each. Nothing can be sent or stored together then, so this is what large numbers of sessions are computed with.
 */
import { networkMessage, openPeer } from "../hub/peers.mjs";
import { figure } from "../lib/figure.mjs";
import { processorSeconds, startBus, untilIdle } from "./lib.mjs";

const SESSIONS = 1_000;
const SECONDS = Number(process.env.SECONDS ?? 8);
const AT_ONCE = 50;

const bus = await startBus();
try {
  const [first, second] = [await bus.startHub("first"), await bus.startHub("second")];
  const pids = [first.pid, second.pid];
  const ids = Array.from({ length: SESSIONS }, (_, i) => `quiet-${i}`);
  let received = 0;
  const join = async (id) => {
    const app = await openPeer(first.port, "app", id, first.token);
    const agent = await openPeer(second.port, "agent", id, second.token);
    agent.on("message", (data) => {
      if (data.length > 250) received++;
    });
    return app;
  };
  const apps = [];
  for (let start = 0; start < SESSIONS; start += AT_ONCE)
    apps.push(...(await Promise.all(ids.slice(start, start + AT_ONCE).map(join))));
  await untilIdle([bus.nats, ...pids]);
  const idle = await spend(pids, () => new Promise((resolve) => setTimeout(resolve, 3_000)));
  const busy = await spend(pids, () => send(apps, ids, () => received));
  report(idle, busy);
  for (const app of apps) app.terminate();
} finally {
  await bus.close();
}
process.exit(0);

/** One message after the other, so that each session has its turn once a second. */
async function send(apps, ids, received) {
  const total = SESSIONS * SECONDS;
  const begun = performance.now();
  for (let sent = 0; received() < total; ) {
    const due = Math.min(total, ((performance.now() - begun) / 1_000) * SESSIONS);
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
  const [before, begun] = [await used(), performance.now()];
  await work();
  const seconds = (performance.now() - begun) / 1_000;
  const [hubs, nats, bytes] = (await used()).map((value, i) => value - before[i]);
  return { hubs, nats, bytes, seconds };
}

/** What the hubs do without messages does not belong to a message. */
function report(idle, busy) {
  const perMessage = (key) =>
    Math.max(0, busy[key] - (idle[key] / idle.seconds) * busy.seconds) / (SESSIONS * SECONDS);
  const prefix = "a message a second of each session";
  figure({
    name: `${prefix}: processor time per message, both hubs`,
    ...{ value: perMessage("hubs") * 1e6, unit: "µs", note: `${SESSIONS.toLocaleString("en")} sessions` },
  });
  figure({ name: `${prefix}: NATS server per message`, value: perMessage("nats") * 1e6, unit: "µs" });
  figure({ name: `${prefix}: bytes through NATS per message`, value: perMessage("bytes"), unit: "bytes" });
}

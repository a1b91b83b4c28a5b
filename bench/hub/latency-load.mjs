/** A steady load in its own process: 2,000 messages a second over all sessions. Reports how long each of them took. */
import { networkMessage, openPeer } from "./peers.mjs";

const [port, sessionCount, seconds] = process.argv.slice(2).map(Number);
const RATE = 2_000;
const WARM_UP = 1_000;
const AT_ONCE = 50;

const ids = Array.from({ length: sessionCount }, (_, i) => `s${i}`);
const latencies = [];
const sentAt = [];
let received = 0;
/** The number of a message is in it. */
const numberIn = (data) => Number(/"id":"r-(\d+)"/.exec(String(data))?.[1]);
async function join(id) {
  const agent = await openPeer(port, "agent", id);
  agent.on("message", (data) => {
    const at = performance.now();
    if (data.length <= 250) return;
    const number = numberIn(data);
    received++;
    if (number >= WARM_UP) latencies.push(at - sentAt[number]);
  });
  return openPeer(port, "app", id);
}
const apps = [];
for (let start = 0; start < sessionCount; start += AT_ONCE)
  apps.push(...(await Promise.all(ids.slice(start, start + AT_ONCE).map(join))));

const total = WARM_UP + RATE * seconds;
const startedAt = performance.now();
for (let sent = 0; received < total; ) {
  const due = Math.min(total, ((performance.now() - startedAt) / 1_000) * RATE);
  for (; sent < due; sent++) {
    const i = sent % apps.length;
    const text = networkMessage(ids[i], sent);
    sentAt[sent] = performance.now();
    apps[i].send(text);
  }
  await new Promise((resolve) => setTimeout(resolve, 1));
}
process.send({ latencies }, () => process.exit());

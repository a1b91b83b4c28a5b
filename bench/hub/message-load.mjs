/** The load: sessions with one app and one agent each, in its own process. Reports messages per second. */
import { networkMessage, openPeer } from "./peers.mjs";

const [port, sessionCount, messages] = process.argv.slice(2).map(Number);
const WINDOW = 2_000;
const AT_ONCE = 50;
/** More would need more open files than a process has by default: the sessions beyond them have an app only. */
const MAX_AGENTS = 5_000;

const ids = Array.from({ length: sessionCount }, (_, i) => `s${i}`);
const apps = [];
let received = 0;
async function join(id, index) {
  if (index >= MAX_AGENTS) return openPeer(port, "app", id);
  const agent = await openPeer(port, "agent", id);
  agent.on("message", (data) => {
    if (data.length > 250) received++;
  });
  return openPeer(port, "app", id);
}
for (let start = 0; start < sessionCount; start += AT_ONCE)
  apps.push(...(await Promise.all(ids.slice(start, start + AT_ONCE).map((id, i) => join(id, start + i)))));
const senders = Math.min(sessionCount, MAX_AGENTS);
const frames = ids.map((id) => Buffer.from(networkMessage(id, 1)));

/** Sends in bursts and waits for them to arrive, so that no queue grows without end. */
async function send(count) {
  const goal = received + count;
  let sent = 0;
  while (received < goal) {
    while (sent < count && sent - (received - (goal - count)) < WINDOW) {
      const i = sent % senders;
      apps[i].send(frames[i], { binary: false });
      sent++;
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

await send(Math.min(messages, 20_000));
const started = process.hrtime.bigint();
await send(messages);
const seconds = Number(process.hrtime.bigint() - started) / 1e9;
process.send({ perSecond: messages / seconds });
process.disconnect();
process.exit();

/** The load of one hub in a process of its own: sessions with an app and an agent. With a rate it sends so many messages a second, else as many as arrive. */
import { networkMessage, openPeer } from "../hub/peers.mjs";

const [port, token, rate, seconds] = process.argv.slice(2).map((text, i) => (i === 1 ? text : Number(text)));
const SESSIONS = 20;
const WINDOW = 500;

const ids = Array.from({ length: SESSIONS }, (_, i) => `load-${process.pid}-${i}`);
let received = 0;
const apps = [];
for (const id of ids) {
  apps.push(await openPeer(port, "app", id));
  const agent = await openPeer(port, "agent", id, token);
  agent.on("message", (data) => {
    if (data.length > 250) received++;
  });
}
const texts = ids.map((id) => networkMessage(id, 1));
process.once("message", () => void run());
process.send("ready");

async function run() {
  const startedAt = performance.now();
  let sent = 0;
  for (let elapsed = 0; elapsed < seconds; elapsed = (performance.now() - startedAt) / 1_000) {
    const due = rate > 0 ? elapsed * rate : received + WINDOW;
    for (; sent < due; sent++) apps[sent % SESSIONS].send(texts[sent % SESSIONS]);
    await (rate > 0 ? new Promise((resolve) => setTimeout(resolve, 2)) : new Promise(setImmediate));
  }
  process.send({ received });
}

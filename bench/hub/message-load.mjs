/** The load: sessions with one app and one agent each, in its own process. Reports messages per second. */
import { WebSocket } from "ws";

const [port, sessionCount, messages] = process.argv.slice(2).map(Number);
const WINDOW = 2_000;

const text = (sessionId, seq) =>
  JSON.stringify({
    sessionId,
    timestamp: 1_760_000_000_000,
    origin: "app",
    type: "network",
    id: `r-${seq}`,
    phase: "response",
    api: "fetch",
    method: "POST",
    url: "http://localhost:5173/api/orders/4711/lines?expand=product",
    status: 201,
    statusText: "Created",
    durationMs: 38.4,
    requestBytes: 312,
    responseBytes: 1840,
  });

const open = (role, sessionId) =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/debug?role=${role}&sessionId=${sessionId}`, {
      perMessageDeflate: false,
    });
    socket.on("open", () => resolve(socket));
    socket.on("error", reject);
  });

const ids = Array.from({ length: sessionCount }, (_, i) => `s${i}`);
const apps = [];
let received = 0;
for (const id of ids) {
  const agent = await open("agent", id);
  agent.on("message", (data) => {
    if (data.length > 250) received++;
  });
  apps.push(await open("app", id));
}
const frames = ids.map((id) => Buffer.from(text(id, 1)));

/** Sends in bursts and waits for them to arrive, so that no queue grows without end. */
async function send(count) {
  const goal = received + count;
  let sent = 0;
  while (received < goal) {
    while (sent < count && sent - (received - (goal - count)) < WINDOW) {
      const i = sent % apps.length;
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

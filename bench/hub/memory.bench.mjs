/** Memory of the hub for each idle session (an app that said hello), and whether 10,000 of them are held. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { WebSocket } from "ws";
import { figure } from "../lib/figure.mjs";

const SESSIONS = 10_000;
const AT_ONCE = 100;
const hub = fork(new URL("./hub-process.mjs", import.meta.url).pathname, [], { execArgv: ["--expose-gc"] });
const [{ port }] = await once(hub, "message");

async function rss() {
  hub.send("rss");
  const [message] = await once(hub, "message");
  return message.rss;
}

const sockets = [];
function connect(i) {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/debug?role=app&sessionId=idle-${i}`, {
      perMessageDeflate: false,
    });
    socket.on("error", reject);
    socket.on("message", () => resolve(socket));
    socket.on("open", () => {
      const base = { sessionId: `idle-${i}`, timestamp: Date.now(), origin: "app" };
      socket.send(
        JSON.stringify({
          ...base,
          type: "hello",
          url: "http://localhost:5173/",
          userAgent: "bench",
          instanceId: `i${i}`,
        }),
      );
    });
    sockets.push(socket);
  });
}

await Promise.all(Array.from({ length: 200 }, (_, i) => connect(SESSIONS + i)));
const before = await rss();
for (let start = 0; start < SESSIONS; start += AT_ONCE) {
  await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => connect(start + i)));
}
await new Promise((resolve) => setTimeout(resolve, 500));
const after = await rss();
const { sessions } = await (await fetch(`http://127.0.0.1:${port}/healthz`)).json();

figure({ name: "hub: sessions held", value: sessions, unit: "sessions", limit: SESSIONS, atLeast: true });
figure({
  name: "hub: memory per idle session",
  value: (after - before) / SESSIONS / 1024,
  unit: "KB",
  limit: 20,
});
for (const socket of sockets) socket.terminate();
hub.disconnect();
hub.kill();

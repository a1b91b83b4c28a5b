/** The hub's end of the console wire: events per second, size, and memory over a million of them [CON-065, CON-081]. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { WebSocket } from "ws";
import { figure } from "../lib/figure.mjs";

const EVENTS = 1_000_000;
const BATCH = 100;
const source = { tabId: 7, url: "http://localhost:3000/app", title: "My Application" };
const envelope = (type, payload) => ({
  version: "1.0.0",
  type,
  timestamp: new Date().toISOString(),
  source,
  payload,
});
const event = (i) =>
  envelope("console_event", {
    method: "log",
    args: [
      { type: "string", value: `line ${i}` },
      { type: "object", value: { id: { type: "number", value: i }, name: { type: "string", value: "Ann" } } },
    ],
    location: { url: "http://localhost:3000/app.js", line: 42, column: 15 },
  });

/** One connection is held to 20,000 events a second, so several share the load. */
const CONNECTIONS = 6;

const hub = fork(new URL("../hub/hub-process.mjs", import.meta.url).pathname, [], {
  execArgv: ["--expose-gc"],
});
const [{ consolePort }] = await once(hub, "message");
const sockets = await Promise.all(Array.from({ length: CONNECTIONS }, connect));
let refused = 0;

async function connect() {
  const socket = new WebSocket(`ws://127.0.0.1:${consolePort}`);
  await once(socket, "open");
  socket.send(JSON.stringify(envelope("connection_status", { status: "connected" })));
  await once(socket, "message");
  socket.on("message", (data) => {
    if (String(data).includes('"error"')) refused++;
  });
  return socket;
}

/** Sends a number of events in batches, no faster than the hub takes them. */
async function send(count) {
  const each = Math.ceil(count / BATCH / CONNECTIONS);
  await Promise.all(
    sockets.map(async (socket) => {
      for (let batch = 0; batch < each; batch++) {
        socket.send(JSON.stringify(Array.from({ length: BATCH }, (_, i) => event(batch * BATCH + i))));
        if (batch % 20 === 0) await settled(socket);
      }
      await settled(socket);
    }),
  );
}

async function settled(socket) {
  const id = `p-${Math.random()}`;
  socket.send(JSON.stringify(envelope("ping", { id })));
  await new Promise((resolve) => {
    const listen = (data) => {
      if (!String(data).includes(id)) return;
      socket.off("message", listen);
      resolve();
    };
    socket.on("message", listen);
  });
}

/** In use after a collection, and held from the system, in MB. */
async function memory() {
  hub.send("memory");
  const [{ heapUsed, rss }] = await once(hub, "message");
  return { used: heapUsed / 1024 / 1024, held: rss / 1024 / 1024 };
}

await send(400_000);
const before = await memory();
const started = process.hrtime.bigint();
await send(EVENTS);
const seconds = Number(process.hrtime.bigint() - started) / 1e9;
const after = await memory();

figure({
  name: "console wire: events/s into the hub",
  value: EVENTS / seconds,
  unit: "events/s",
  limit: 5_000,
  atLeast: true,
  note: `${refused} refusals`,
});
figure({
  name: "console wire: growth of memory in use over 1,000,000 events",
  value: after.used - before.used,
  unit: "MB",
  limit: 5,
  note: `${Math.round(before.used)} to ${Math.round(after.used)} MB in use, ${Math.round(before.held)} to ${Math.round(after.held)} MB held`,
});
figure({
  name: "console wire: bytes of an average event",
  value: JSON.stringify(event(1)).length,
  unit: "bytes",
  limit: 1_024,
});
for (const socket of sockets) socket.terminate();
hub.disconnect();
hub.kill();

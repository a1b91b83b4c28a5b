/**
 * Ten thousand sessions on one hub of a bus: memory of that hub, of another one that only knows of them, and of the NATS server; and
 * the traffic on the bus while nothing happens. Measured at several numbers of sessions, so that it shows how each grows.
 */
import { once } from "node:events";
import { WebSocket } from "ws";
import { exponent } from "../lib/exponent.mjs";
import { figure } from "../lib/figure.mjs";
import { series } from "../lib/series.mjs";
import { residentMb, startBus } from "./lib.mjs";

const SIZES = [1_000, 2_500, 5_000, 10_000];
const AT_ONCE = 50;
const IDLE_MS = 5_000;

const bus = await startBus();
const sockets = [];
try {
  const [owner, other] = [await bus.startMeasuredHub("owner"), await bus.startMeasuredHub("other")];
  // What a hub loads with its first sessions is no cost of a session.
  await connectUpTo(owner, 200);
  const memory = async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    const [{ residentMb: own }, { usedMb: known }] = [await owner.memory(), await other.memory()];
    // What the other hub has to know is little beside what a process has and does not use.
    return { owner: own, other: known, nats: residentMb(bus.nats) };
  };
  const before = await memory();
  const samples = [];
  for (const size of SIZES) {
    await connectUpTo(owner, 200 + size);
    samples.push(await memory());
  }
  const [start, startedAt] = [await bus.varz(), performance.now()];
  await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
  const end = await bus.varz();
  const seconds = (performance.now() - startedAt) / 1_000;
  const seen = await sessionsSeenBy(other);
  if (seen < 200 + SIZES.at(-1)) throw new Error(`the other hub knows ${seen} sessions only`);
  report({
    before,
    samples,
    idle: (end.in_bytes + end.out_bytes - start.in_bytes - start.out_bytes) / seconds,
  });
} finally {
  for (const socket of sockets) socket.terminate();
  await bus.close();
}

function report({ before, samples, idle }) {
  const most = SIZES.at(-1);
  // By all measurements, not by the first and the last: each of them is a little off.
  const kb = (key) =>
    slope(
      [0, ...SIZES],
      [before, ...samples].map((sample) => sample[key]),
    ) * 1024;
  figure({
    name: "sessions of one hub on a bus",
    value: most,
    unit: "sessions",
    limit: 10_000,
    atLeast: true,
  });
  figure({ name: "hub on a bus: memory without sessions", value: before.owner, unit: "MB" });
  figure({
    name: "hub on a bus: memory per idle session of its own",
    value: kb("owner"),
    unit: "KB",
    limit: 25,
  });
  figure({ name: "hub on a bus: memory per session of another hub", value: kb("other"), unit: "KB" });
  figure({ name: "NATS server: memory without sessions", value: before.nats, unit: "MB" });
  figure({ name: "NATS server: memory per session", value: kb("nats"), unit: "KB" });
  figure({
    name: "two hubs that do nothing: bytes through NATS",
    ...{
      value: idle / 2,
      unit: "bytes/s of each hub",
      note: `${most.toLocaleString("en")} sessions are open`,
    },
  });
  const line = (key) => SIZES.map((size, i) => [size, Math.max(0.1, samples[i][key] - before[key])]);
  series({
    name: "Memory over sessions on a bus",
    ...{ x: "sessions", y: "MB more than without" },
    lines: { "hub that has them": line("owner"), "another hub": line("other"), "NATS server": line("nats") },
    note: `The exponent of the hub that has them is ${exponent(
      SIZES,
      line("owner").map(([, mb]) => mb),
    ).toFixed(2)}: 1 is a fixed price for each session.`,
  });
}

/** By how much `ys` grow with `xs`: the line with the least squares. */
function slope(xs, ys) {
  const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [mx, my] = [mean(xs), mean(ys)];
  const products = xs.map((x, i) => (x - mx) * (ys[i] - my));
  return mean(products) / mean(xs.map((x) => (x - mx) ** 2));
}

async function connectUpTo(hub, count) {
  while (sockets.length < count) {
    const first = sockets.length;
    const more = Math.min(AT_ONCE, count - first);
    await Promise.all(Array.from({ length: more }, (_, i) => connect(hub, first + i)));
  }
}

/** An app that said hello, and had its answer. */
async function connect({ port, token }, i) {
  const sessionId = `idle-${i}`;
  const socket = new WebSocket(
    `ws://127.0.0.1:${port}/debug?role=app&sessionId=${sessionId}&token=${token}`,
    {
      perMessageDeflate: false,
    },
  );
  sockets.push(socket);
  await once(socket, "open");
  const answered = once(socket, "message");
  const base = { sessionId, timestamp: Date.now(), origin: "app" };
  const page = { url: "http://localhost:5173/", userAgent: "bench", instanceId: `i${i}` };
  socket.send(JSON.stringify({ ...base, type: "hello", ...page }));
  await answered;
}

async function sessionsSeenBy({ url, token }) {
  const response = await fetch(`${url}/v1/sessions`, { headers: { authorization: `Bearer ${token}` } });
  return (await response.json()).sessions.length;
}

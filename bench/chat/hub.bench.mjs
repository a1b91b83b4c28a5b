/**
 * Chats in the hub: opening a long one must cost what is shown of it, and a piece of an answer must reach the reader
 * before the next frame of the screen, however many chats stream at once.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { startHub } from "@debug-bridge/server";
import { figure, median } from "../lib/figure.mjs";

const MESSAGES = { short: 100, long: 10_000 };
const ROUNDS = 25;
const CHATS = 50;
const PIECES = 150;
/** Thirty pieces a second: faster than anybody reads. */
const EVERY_MS = 33;

const now = () => performance.timeOrigin + performance.now();
const p99 = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length * 0.99)];

const running = [];
const provider = {
  name: "bench",
  title: "Bench",
  problem: () => undefined,
  start(_request, onEvent) {
    let end = () => {};
    const done = new Promise((resolve) => {
      end = () => resolve({ outcome: "done" });
    });
    running.push({ emit: (text) => onEvent({ type: "delta", text }), end });
    return { pid: undefined, done, stop: async () => end() };
  },
};

const home = mkdtempSync(join(tmpdir(), "debug-bridge-"));
const hub = await startHub({
  ...{ home, port: 0, consolePort: 0, relayPort: 0, announce: false, driveTabs: false },
  chatProviders: [provider],
});
const headers = { authorization: `Bearer ${hub.token}` };
const call = async (path, method = "GET", body) => {
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
  const response = await fetch(`${hub.url}${path}`, init);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
};

/** A chat with so many messages, each with an answer and a step. */
async function chatOf(messages) {
  const { id } = await call("/v1/chats", "POST", {});
  let sequence = 0;
  const lines = [];
  for (let i = 0; i < messages; i++) {
    const runId = `01K3N7Q8R9${String(i).padStart(16, "0")}`;
    const add = (event, payload) => {
      const timestamp = "2026-01-01T00:00:00.000Z";
      lines.push(JSON.stringify({ event, runId, sessionId: id, sequence: ++sequence, timestamp, payload }));
    };
    add("run.started", { message: `message ${i}`, provider: "bench" });
    add("run.step", { id: "s", kind: "tool", title: "observe", status: "done", detail: "x".repeat(300) });
    add("run.delta", { text: `Answer ${i}. ${"It has some words. ".repeat(10)}` });
    add("run.finished", { outcome: "done" });
  }
  writeFileSync(join(home, "chats", id, "transcript.jsonl"), `${lines.join("\n")}\n`);
  return { id, sequence };
}

/** Time until the first bytes of a stream after an event near the end. */
async function timeToResume({ id, sequence }) {
  const started = performance.now();
  const abort = new AbortController();
  const response = await fetch(`${hub.url}/events?sessionId=${id}`, {
    headers: { ...headers, "last-event-id": String(sequence - 4) },
    signal: abort.signal,
  });
  let text = "";
  for await (const chunk of response.body) {
    text += Buffer.from(chunk).toString();
    if (text.includes(`id: ${sequence}\n`)) break;
  }
  abort.abort();
  return performance.now() - started;
}

const chats = { short: await chatOf(MESSAGES.short), long: await chatOf(MESSAGES.long) };
const opens = { short: [], long: [] };
const resumes = { short: [], long: [] };
for (let round = -3; round < ROUNDS; round++)
  for (const [name, chat] of Object.entries(chats)) {
    const started = performance.now();
    const { events } = await call(`/v1/chats/${chat.id}/transcript?limit=200`);
    const opened = performance.now() - started;
    if (events.at(-1)?.sequence !== chat.sequence) throw new Error("the newest event is missing");
    const resumed = await timeToResume(chat);
    if (round >= 0) opens[name].push(opened);
    if (round >= 0) resumes[name].push(resumed);
  }
for (const [what, times] of Object.entries({ "opening the newest 200 events": opens, resuming: resumes }))
  figure({
    name: `chat: ${what} of ${MESSAGES.long} messages`,
    value: Math.min(...times.long) / Math.min(...times.short),
    unit: `x that of ${MESSAGES.short} messages`,
    limit: 1.5,
    note: `median ${median(times.long).toFixed(1)} ms against ${median(times.short).toFixed(1)} ms`,
  });
figure({
  name: `chat: the hub's part of opening ${MESSAGES.long} messages`,
  value: Math.min(...opens.long),
  unit: "ms",
  limit: 60,
});

/** Sends pieces on all streams, and returns what their readers saw. */
async function measure(streams, emit) {
  const worker = new Worker(new URL("./readers.mjs", import.meta.url), {
    workerData: { streams, pieces: PIECES },
  });
  let open = 0;
  const finished = new Promise((resolve, reject) => {
    worker.on("error", reject);
    worker.on("message", (message) => {
      if (message !== "open") resolve(message);
      else if (++open === streams.length) void send();
    });
  });
  const send = async () => {
    for (let piece = 0; piece < PIECES; piece++)
      for (let i = 0; i < CHATS; i++) {
        emit(i, `${i}:${piece}:${now()};`);
        // The chats do not speak in step.
        if (i % 5 === 4) await new Promise((resolve) => setTimeout(resolve, EVERY_MS / 10));
      }
  };
  const seen = await finished;
  await worker.terminate();
  return seen;
}

/** The same streams with nothing between: what the machine and Node need for themselves. */
async function bare() {
  const responses = [];
  const server = createServer((request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    responses[Number(request.url.slice(1))] = response;
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address();
  const streams = Array.from({ length: CHATS }, (_, i) => ({ url: `http://127.0.0.1:${port}/${i}` }));
  const seen = await measure(streams, (i, text) =>
    responses[i].write(`data: ${JSON.stringify({ payload: { text } })}\n\n`),
  );
  server.closeAllConnections();
  server.close();
  return seen;
}

async function streamed() {
  running.length = 0;
  const streams = [];
  for (let i = 0; i < CHATS; i++) {
    const { id } = await call("/v1/chats", "POST", {});
    await call(`/v1/chats/${id}/runs`, "POST", { message: "go" });
    streams.push({ url: `${hub.url}/events?sessionId=${id}`, headers });
  }
  const seen = await measure(streams, (i, text) => running[i].emit(text));
  for (const run of running) run.end();
  return seen;
}

await bare();
const without = await bare();
const through = await streamed();
const wrong = through.texts.filter((text, i) => {
  const numbers = [...text.matchAll(/(\d+):(\d+):[\d.]+;/g)].map(([, chat, piece]) => `${chat}:${piece}`);
  return numbers.join() !== Array.from({ length: PIECES }, (_, piece) => `${i}:${piece}`).join();
});
figure({
  name: `chat: streams of ${CHATS} at once with a piece lost, repeated or of another chat`,
  value: wrong.length,
  unit: "streams",
  limit: 0,
});
figure({
  name: `chat: a piece of the answer to its reader, ${CHATS} chats at once, 99th percentile`,
  value: p99(through.latencies) - p99(without.latencies),
  unit: "ms more than without a hub",
  limit: 30,
  note: `${p99(through.latencies).toFixed(1)} ms against ${p99(without.latencies).toFixed(1)} ms; median ${median(through.latencies).toFixed(1)} ms`,
});
await hub.close();
rmSync(home, { recursive: true, force: true });
process.exit(0);

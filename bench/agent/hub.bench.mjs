/**
 * Agents on the hub: sessions that ended must cost it nothing, and it must not stand between an agent and its debugger.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentDebugger } from "@debug-bridge/agent";
import { appendLine, debugPaths, followLines } from "@debug-bridge/journal";
import { startHub } from "@debug-bridge/server";
import { figure, median } from "../lib/figure.mjs";

const ROUNDS = 15;
const FINISHED = 3_000;
const ports = { port: 0, consolePort: 0, relayPort: 0 };

function newHome(finished) {
  const home = mkdtempSync(join(tmpdir(), "debug-bridge-"));
  const { sessions, index } = debugPaths(home);
  mkdirSync(sessions, { recursive: true });
  for (let i = 0; i < finished; i++) {
    const id = `debug_20260101_000000_${i.toString(16).padStart(4, "0")}`;
    const about = {
      id,
      pid: 1,
      startTime: "2026-01-01T00:00:00.000Z",
      cwd: "/",
      kind: "agent",
      endTime: "2026-01-01T00:01:00.000Z",
    };
    mkdirSync(join(sessions, id));
    writeFileSync(join(sessions, id, "session.json"), JSON.stringify(about));
    writeFileSync(join(sessions, id, "events.jsonl"), '{"type":"session_end","data":{}}\n');
  }
  writeFileSync(index, '{"sessions":[]}\n');
  return home;
}

async function startTime(home) {
  const started = performance.now();
  const hub = await startHub({ ...ports, home });
  const took = performance.now() - started;
  await hub.close();
  return took;
}

const homes = { none: newHome(0), many: newHome(FINISHED) };
const starts = { none: [], many: [] };
for (let round = -2; round < ROUNDS; round++)
  for (const [name, home] of Object.entries(homes)) {
    const took = await startTime(home);
    if (round >= 0) starts[name].push(took);
  }
figure({
  name: `agent: the hub's start with ${FINISHED} finished sessions`,
  value: median(starts.many) / median(starts.none),
  unit: "x the start with none",
  limit: 1.5,
  note: `${median(starts.many).toFixed(1)} ms against ${median(starts.none).toFixed(1)} ms`,
});

/** A command over HTTP against the same written into the file, until the agent's answer is there. */
const home = homes.none;
const debug = createAgentDebugger({ home, provider: "bench", model: "none" });
const hub = await startHub({ ...ports, home });
const alive = setInterval(() => {}, 1_000);
const headers = { authorization: `Bearer ${hub.token}` };
const url = `${hub.url}/v1/sessions/${debug.sessionId}/commands`;

async function throughHub() {
  const started = performance.now();
  const answer = await fetch(url, { method: "POST", headers, body: '{"type":"inspect"}' });
  if (!(await answer.json()).success) throw new Error("the agent refused");
  return performance.now() - started;
}

async function throughFile(round) {
  const started = performance.now();
  await new Promise((resolve) => {
    const following = followLines(join(debug.folder, "events.jsonl"), {
      from: "end",
      onLine: ({ text }) => {
        if (!text.includes(`"commandId":"f${round}"`)) return;
        following.close();
        resolve();
      },
    });
    appendLine(join(debug.folder, "commands.jsonl"), JSON.stringify({ type: "inspect", id: `f${round}` }));
  });
  return performance.now() - started;
}

const times = { hub: [], file: [] };
for (let round = -5; round < 101; round++) {
  const [viaHub, viaFile] = [await throughHub(), await throughFile(round)];
  if (round < 0) continue;
  times.hub.push(viaHub);
  times.file.push(viaFile);
}
clearInterval(alive);
debug.close();
await hub.close();
for (const one of Object.values(homes)) rmSync(one, { recursive: true, force: true });
figure({
  name: "agent: a command through the hub, until it is answered",
  value: median(times.hub),
  unit: "ms",
  limit: 10,
  note: `${median(times.file).toFixed(2)} ms through the file alone`,
});

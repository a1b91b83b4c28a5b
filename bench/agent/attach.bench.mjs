/** How long it takes to see the newest events of a long session, and its next one: the length must not matter. */
import { spawn } from "node:child_process";
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createAgentDebugger } from "@debug-bridge/agent";
import { appendLine, followLines, lastLines } from "@debug-bridge/journal";
import { CLI } from "../lib/cli.mjs";
import { figure, median } from "../lib/figure.mjs";

const ROUNDS = 9;
const LONG = 1_000_000;
const home = mkdtempSync(join(tmpdir(), "debug-bridge-"));

/** A session with many events behind it, and an agent that answers. */
function longSession(count) {
  const debug = createAgentDebugger({ home, provider: "bench", model: "none" });
  const fd = openSync(join(debug.folder, "events.jsonl"), "a");
  const batch = 10_000;
  for (let from = 0; from < count; from += batch) {
    let lines = "";
    for (let i = from; i < from + batch; i++)
      lines += `{"type":"user_input","timestamp":"2026-01-01T00:00:00.000Z","sessionId":"${debug.sessionId}","sequence":${i + 2},"data":{"input":"event ${i}"}}\n`;
    writeSync(fd, lines);
  }
  closeSync(fd);
  return debug;
}

/** What a debugger does that comes late: the last events, then the answer to its first command. */
async function attach({ folder }, round) {
  const file = join(folder, "events.jsonl");
  const started = performance.now();
  const { size } = statSync(file);
  if (lastLines(file, 20, size).length !== 20) throw new Error("the newest events are missing");
  await new Promise((resolve) => {
    const following = followLines(file, {
      from: size,
      onLine: ({ text }) => {
        if (!text.includes(`"commandId":"attach-${round}"`)) return;
        following.close();
        resolve();
      },
    });
    following.hold(true);
    appendLine(join(folder, "commands.jsonl"), JSON.stringify({ type: "inspect", id: `attach-${round}` }));
  });
  return performance.now() - started;
}

/** The same on a terminal: the whole of `debug-bridge agent attach`, until it shows the newest event. */
async function screen({ sessionId }) {
  const started = performance.now();
  const command = `stty cols 80 rows 24; exec "${process.execPath}" "${CLI}" agent attach --session ${sessionId} --dir "${home}"`;
  const child = spawn("sh", ["-c", 'exec script -qfec "$1" /dev/null', "sh", command], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let output = "";
  let took = 0;
  let isLeaving = false;
  child.stdout.on("data", (data) => {
    output += data;
    if (took === 0 && output.includes(`event ${LONG - 1}`)) took = performance.now() - started;
    if (!isLeaving && output.includes("quit")) {
      isLeaving = true;
      child.stdin.write("q");
    }
  });
  await new Promise((resolve) => child.on("close", resolve));
  if (took === 0) throw new Error("the newest event was not shown");
  return took;
}

/** The same by hand: a command in another terminal, from its start to its end. */
async function command({ sessionId }) {
  const started = performance.now();
  const code = await new Promise((resolve) => {
    const args = [CLI, "agent", "inspect", "tools", "--json", "--session", sessionId, "--dir", home];
    spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] }).on("close", resolve);
  });
  if (code !== 0) throw new Error(`the command ended with ${code}`);
  return performance.now() - started;
}

/** What no command can do without: the start and the end of Node. */
async function node() {
  const started = performance.now();
  const child = spawn(process.execPath, ["--eval", "0"], { stdio: "ignore" });
  await new Promise((resolve) => child.on("close", resolve));
  return performance.now() - started;
}

const long = longSession(LONG);
const short = longSession(10_000);
// The screen first: the answers to the other commands are newer events.
const times = { long: [], short: [], command: [], screen: [], node: [] };
for (let round = 0; round < 3; round++) times.screen.push(await screen(long));
for (let round = 0; round < ROUNDS; round++) {
  times.short.push(await attach(short, round));
  times.long.push(await attach(long, round));
  times.command.push(await command(long));
  times.node.push(await node());
}
long.close();
short.close();
rmSync(home, { recursive: true, force: true });

figure({
  name: "agent: attach to a session with 1,000,000 events",
  value: median(times.long),
  unit: "ms",
  limit: 300,
  note: `${(median(times.long) / median(times.short)).toFixed(2)} x the time for 10,000`,
});
figure({
  name: "agent: debug-bridge agent inspect on it, the whole command",
  value: median(times.command),
  unit: "ms",
  limit: 300,
  platform: median(times.node),
  note: `the start of Node alone: ${median(times.node).toFixed(0)} ms`,
});
figure({
  name: "agent: debug-bridge agent attach on it, until the newest event is on the terminal",
  value: median(times.screen),
  unit: "ms",
  limit: 300,
  platform: median(times.node),
  note: `the start of Node alone: ${median(times.node).toFixed(0)} ms`,
});

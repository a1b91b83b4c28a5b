/**
 * How long a client waits from the start of an MCP server to its list of tools, against Playwright MCP and Chrome DevTools
 * MCP. No browser and no hub is started by any of them. The lowest of several rounds: a busy machine only adds to a time.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { CLI } from "../lib/cli.mjs";
import { figure } from "../lib/figure.mjs";
import { temporaryFolder } from "../runner/lib.mjs";
import { PEER_PROGRAMS } from "./servers.mjs";

const ROUNDS = 8;
const MAX_MS = 300;
const OPENING = [
  {
    ...{ jsonrpc: "2.0", id: 1, method: "initialize" },
    params: {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "bench", version: "1" },
    },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
  { jsonrpc: "2.0", id: 2, method: "tools/list" },
].map((message) => `${JSON.stringify(message)}\n`);

const home = temporaryFolder();
const programs = {
  ours: [CLI, "mcp", "--home", home.path],
  playwright: [PEER_PROGRAMS.playwright, "--headless"],
  devtools: [PEER_PROGRAMS.devtools, "--headless", "--no-usage-statistics"],
};
const lowest = Object.fromEntries(
  [...Object.keys(programs), "node"].map((name) => [name, Number.POSITIVE_INFINITY]),
);
try {
  for (let round = 0; round < ROUNDS; round++) {
    lowest.node = Math.min(lowest.node, await timeOfNode());
    for (const [name, args] of Object.entries(programs))
      lowest[name] = Math.min(lowest[name], await timeToTools(args));
  }
} finally {
  home.remove();
}

const note = Object.entries(lowest)
  .map(([name, ms]) => `${name} ${ms.toFixed(0)} ms`)
  .join(", ");
figure({
  name: "start of debug-bridge mcp to its list of tools",
  ...{ value: lowest.ours, unit: "ms", limit: MAX_MS, platform: lowest.node, note },
});
figure({
  name: "start to the list of tools, to the faster peer",
  ...{ value: lowest.ours / Math.min(lowest.playwright, lowest.devtools), unit: "×", limit: 1, note },
});

/** What none of them can do without: the start and the end of Node. */
function timeOfNode() {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ["--eval", "0"], { stdio: "ignore" });
  return new Promise((resolve) => child.on("close", () => resolve(performance.now() - startedAt)));
}

/** Sends each message when the answer to the one before has come, as clients do. */
function timeToTools(args) {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const child = spawn(process.execPath, args, { cwd: home.path, stdio: ["pipe", "pipe", "ignore"] });
    let ms;
    child.once("error", reject);
    child.once("exit", () => (ms ? resolve(ms) : reject(new Error(`${args[0]} ended without an answer`))));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const { id, result } = JSON.parse(line);
      if (id === 1) child.stdin.write(OPENING.slice(1).join(""));
      if (id !== 2) return;
      if (!(result?.tools.length > 0)) reject(new Error(`no tools: ${line}`));
      ms = performance.now() - startedAt;
      // Only the time to the tools counts, and not every server ends at once with its client.
      child.kill("SIGKILL");
    });
    child.stdin.write(OPENING[0]);
  });
}

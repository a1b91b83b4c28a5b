/** What is worth knowing of the machine that figures come from. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { availableParallelism, cpus, release, totalmem, type } from "node:os";
import { join } from "node:path";
import { PEERS_FOLDER } from "../../bench/lib/peers.mjs";

const PEERS = [
  ...["@playwright/mcp", "chrome-devtools-mcp", "agent-browser", "@rrweb/record", "debug-bridge-browser"],
  ...["ws", "playwright-core", "puppeteer-core", "chokidar"],
];

/** @returns {Record<string, string>} */
export function machineFacts(root, { chromium, nats }) {
  return {
    processor: `${availableParallelism()} × ${cpus()[0]?.model.trim() ?? "unknown"}`,
    memory: `${Math.round(totalmem() / 1024 ** 3)} GB`,
    system: `${type()} ${release().split("-")[0]}`,
    Node: process.versions.node,
    Chromium: versionOf(chromium),
    "nats-server": versionOf(nats),
    ...Object.fromEntries(PEERS.map((name) => [name, packageVersion(root, name)])),
  };
}

function versionOf(program) {
  const text = execFileSync(program, ["--version"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  return /\d+(\.\d+)+/.exec(text)?.[0] ?? "unknown";
}

function packageVersion(root, name) {
  for (const folder of [root, join(root, "tests/libraries"), PEERS_FOLDER]) {
    try {
      return JSON.parse(readFileSync(join(folder, "node_modules", name, "package.json"), "utf8")).version;
    } catch {
      // Looked for in the next folder.
    }
  }
  return "not installed";
}

/** How fast this machine is just now, in rounds of a fixed work per second. Times of two runs are compared by it. */
export function measureSpeed(ms = 400) {
  const message = { type: "console", level: "log", args: ["a line", { list: [1, 2, 3] }], timestamp: 1 };
  const startedAt = performance.now();
  let rounds = 0;
  for (; performance.now() - startedAt < ms; rounds++)
    for (let i = 0; i < 100; i++) message.timestamp += JSON.parse(JSON.stringify(message)).args.length;
  return Math.round(rounds / ((performance.now() - startedAt) / 1_000));
}

import { spawn } from "node:child_process";
import { homedir } from "node:os";
import { createInterface } from "node:readline";
import { BridgeError } from "@debug-bridge/protocol";
import type { ServerProgram } from "./server-entry.js";

/** npx may have to install the package first. */
const START_TIMEOUT_MS = 60_000;
const MAX_SHOWN = 500;

/** Starts the server as a client would, from another folder, and returns how many tools it lists. Throws what is wrong. */
export async function countTools({ command, args }: ServerProgram): Promise<number> {
  const child = spawn(command, [...args], { cwd: homedir(), stdio: ["pipe", "pipe", "pipe"] });
  let errors = "";
  child.stderr.on("data", (data) => {
    errors = `${errors}${data}`.slice(-MAX_SHOWN);
  });
  const send = (message: object): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  };
  const timeout = setTimeout(() => child.kill("SIGKILL"), START_TIMEOUT_MS);
  try {
    return await new Promise<number>((resolve, reject) => {
      const fail = (why: string): void =>
        reject(new BridgeError("internal", `${why}: ${[command, ...args].join(" ")}\n${errors}`.trim()));
      child.once("error", ({ message }) => fail(`it does not start (${message})`));
      child.once("close", () => fail("it ended before it listed its tools"));
      child.stdin.on("error", () => {});
      createInterface({ input: child.stdout }).on("line", (line) => {
        const { id, result } = answerIn(line);
        if (id === 1) {
          send({ method: "notifications/initialized" });
          send({ id: 2, method: "tools/list" });
        }
        if (id === 2) resolve(Array.isArray(result?.tools) ? result.tools.length : 0);
      });
      const clientInfo = { name: "debug-bridge-init", version: "1" };
      send({
        id: 1,
        method: "initialize",
        params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo },
      });
    });
  } finally {
    clearTimeout(timeout);
    child.stdin.end();
    child.kill();
  }
}

function answerIn(line: string): { id?: unknown; result?: { tools?: unknown } | null } {
  try {
    return (JSON.parse(line) ?? {}) as ReturnType<typeof answerIn>;
  } catch {
    return {};
  }
}

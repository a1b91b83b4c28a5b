import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

type Event = readonly [type: string, data: object, causedBy?: number];

const START = Date.UTC(2026, 0, 1);

/** Writes a recording as a hub or an agent does, one record each 40 ms. */
export function writeRecording(home: string, id: string, about: object, events: readonly Event[]): void {
  // Moved to its place when it is complete: a hub that follows the folder looks at once.
  const folder = join(home, `${id}.new`);
  mkdirSync(folder, { recursive: true });
  const startTime = new Date(START).toISOString();
  const endTime = new Date(START + 40 * events.length).toISOString();
  writeFileSync(
    join(folder, "session.json"),
    JSON.stringify({ id, pid: 1, startTime, endTime, cwd: "/", name: id, ...about }),
  );
  const lines = events.map(([type, data, causedBy], i) =>
    JSON.stringify({
      ...{ type, timestamp: new Date(START + 40 * i).toISOString(), sessionId: id, sequence: i + 1 },
      ...(causedBy === undefined ? {} : { causedBy }),
      data,
    }),
  );
  writeFileSync(join(folder, "events.jsonl"), `${lines.join("\n")}\n`);
  const sessions = join(home, "debug/sessions");
  mkdirSync(sessions, { recursive: true });
  renameSync(folder, join(sessions, id));
}

/** What an agent recorded about a run in which it read a file. */
export const runEvents = (model: string, file: string): Event[] => [
  ["session_start", { provider: "test", model }],
  ["user_input", { input: "Fix the coupon" }],
  ["tool_call_start", { name: "read_file", toolId: "a", input: { path: file } }],
  ["tool_result", { name: "read_file", toolId: "a", result: `text of ${file}`, isError: false }],
  ["api_response", { usage: { inputTokens: 100_000, outputTokens: 2_000 } }],
  ["assistant_message", { content: "Done." }],
  ["session_end", { reason: "done" }],
];

const STACK =
  "TypeError: Cannot read properties of undefined (reading 'percent')\n    at apply (http://localhost:5173/src/checkout.ts:42:18)\n    at async onSubmit (http://localhost:5173/src/checkout.ts:61:5)";
const request = { id: "r1", api: "fetch", method: "POST", url: "http://localhost:5173/api/orders" };

/** A checkout that fails, and two runs of agents. All of it is the same on every day. */
export function writeFixedRecordings(home: string): void {
  writeRecording(home, "checkout", { kind: "browser", name: "Corner shop" }, [
    ["hello", { appName: "Corner shop", url: "http://localhost:5173/" }],
    ["console", { level: "info", method: "info", text: "basket: tea 1" }],
    ["state_update", { scope: "basket", state: { lines: { tea: 1 }, total: 4.5 } }],
    ["command", { type: "click", target: { text: "Buy" }, client: "claude-1" }],
    [
      "network",
      {
        ...request,
        phase: "request",
        headers: { accept: "application/json", authorization: "•••" },
        initiator: { type: "script", url: "http://localhost:5173/src/checkout.ts", line: 38, column: 20 },
        body: '{"coupon":"WINTER"}',
      },
      4,
    ],
    [
      "network",
      {
        ...request,
        ...{
          phase: "response",
          status: 500,
          statusText: "Internal Server Error",
          durationMs: 48.2,
          responseBytes: 32,
        },
        headers: { "content-type": "application/json", "set-cookie": "•••" },
        timing: { queued: 1.2, connect: 0.4, send: 0.2, wait: 44.1, receive: 2.3 },
        body: '{"error":"no such coupon"}',
      },
      4,
    ],
    ["error", { source: "cdp", message: STACK.split("\n")[0], text: STACK.split("\n")[0], stack: STACK }, 4],
    ["command_result", { requestType: "click", success: true }, 4],
    ["console", { level: "warn", method: "warn", text: "low stock: tea" }],
  ]);
  writeRecording(home, "run-one", { kind: "agent" }, runEvents("claude-sonnet-4-5", "cart.ts"));
  writeRecording(home, "run-two", { kind: "agent" }, runEvents("unknown-model", "coupon.ts"));
}

/** What it costs to check a typical message: parsing and validating, as a ratio to parsing alone. */
import { AGENT_LINE_LIMITS, APP_MESSAGE_LIMITS, CONSOLE_MESSAGE_LIMITS } from "@debug-bridge/protocol";
import {
  agentEventSchema,
  appMessageSchema,
  commandSchema,
  consoleFrameSchema,
  decode,
} from "@debug-bridge/protocol/schemas";
import { compare, figure } from "../lib/figure.mjs";

const app = { sessionId: "local-dev", timestamp: 1_760_000_000_000, origin: "app" };
const MESSAGES = {
  "app wire, network record": [
    appMessageSchema,
    APP_MESSAGE_LIMITS,
    {
      ...app,
      type: "network",
      seq: 4711,
      id: "r-118",
      phase: "response",
      api: "fetch",
      method: "POST",
      url: "http://localhost:5173/api/orders/4711/lines?expand=product",
      status: 201,
      statusText: "Created",
      durationMs: 38.4,
      requestBytes: 312,
      responseBytes: 1840,
    },
  ],
  "app wire, console line": [
    appMessageSchema,
    APP_MESSAGE_LIMITS,
    {
      ...app,
      type: "console",
      seq: 4712,
      level: "warn",
      args: [
        "The basket has 3 lines, and one of them has no price yet",
        '{"id":"honey","amount":2,"price":null}',
      ],
      location: { url: "http://localhost:5173/src/basket.ts", line: 118, column: 13 },
    },
  ],
  "app wire, click": [
    commandSchema,
    APP_MESSAGE_LIMITS,
    {
      ...app,
      origin: "agent",
      type: "click",
      requestId: "agent-1-42",
      idempotencyKey: "2f1c0a9e-0d0e-4e54-9d0b-0c4dfb0c7f1a",
      target: { role: "button", name: "Place the order now, with costs" },
      settle: { quietMs: 100, maxMs: 3000 },
      timeoutMs: 10_000,
    },
  ],
  "console wire, event": [
    consoleFrameSchema,
    CONSOLE_MESSAGE_LIMITS,
    {
      version: "1.0.0",
      type: "console_event",
      timestamp: "2026-01-23T13:10:00.123Z",
      source: { tabId: 12345, url: "http://localhost:3000/app", title: "My Application" },
      payload: {
        method: "log",
        args: [
          { type: "string", value: "User data:" },
          { type: "number", value: 42 },
        ],
        location: { url: "http://localhost:3000/app.js", line: 42, column: 15 },
      },
    },
  ],
  "agent files, tool call": [
    agentEventSchema,
    AGENT_LINE_LIMITS,
    {
      type: "tool_call_start",
      timestamp: "2026-01-23T13:10:00.123Z",
      sessionId: "debug_20260123_131000_abc1",
      sequence: 118,
      data: {
        name: "write_file",
        toolId: "toolu_01",
        iteration: 7,
        input: { path: "src/basket.ts", content: "export const x = 1;\n" },
      },
    },
  ],
};

for (const [name, [schema, limits, message]] of Object.entries(MESSAGES)) {
  const text = JSON.stringify(message);
  if (!decode(schema, text, limits).ok) throw new Error(`${name} is not valid`);
  const { parse, check } = compare({
    parse: () => JSON.parse(text),
    check: () => decode(schema, text, limits),
  });
  figure({
    name: `validate: ${name} (${text.length} bytes)`,
    value: check / parse,
    unit: "x JSON.parse",
    limit: 3,
    note: `${Math.round(check)} ns against ${Math.round(parse)} ns`,
  });
}

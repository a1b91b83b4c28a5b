import { connect } from "node:net";
import { wires } from "@debug-bridge/protocol/schemas";
import { parseInstruction } from "@debug-bridge/runner";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arbitraryOf } from "../support/machine/zod-arbitrary.js";
import { sharedHub } from "./support/harness.js";
import { mutated } from "./support/mutate.js";
import { fuzz, testTimeoutMs } from "./support/settings.js";
import { awkwardString, awkwardValue, rawBytes, rawText } from "./support/text.js";

const harness = sharedHub();
const ANSWER_TIMEOUT_MS = 5_000;
/** Statuses of errors that a request can cause; the others mean that the hub failed. */
const MAX_STATUS = 499;
const NOT_IMPLEMENTED = 501;

const segment = fc.oneof(
  fc.constantFrom(
    "v1",
    "sessions",
    "healthy",
    "events",
    "stream",
    "commands",
    "mcp",
    "..",
    "%2e%2e",
    "%00",
    "%",
    "healthz",
  ),
  awkwardString.map((text) => encodeURIComponent(Buffer.from(text).toString())),
);
const query = fc.dictionary(
  fc.constantFrom(
    ...[
      "since",
      "limit",
      "types",
      "token",
      "nonce",
      "sessionId",
      "offset",
      "around",
      "kinds",
      "level",
      "text",
    ],
    ...["cause", "from", "to", "folded", "except", "parts", "url", "line", "column", "only"],
  ),
  fc.oneof(
    fc.constantFrom("0", "-1", "1e9", "999999999999999", "9".repeat(40), "console,error", ","),
    awkwardString,
  ),
  { maxKeys: 3 },
);
const request = fc.record({
  path: fc.oneof(
    fc.constantFrom(
      ...[
        "/v1/sessions",
        "/v1/sessions/healthy",
        "/v1/sessions/healthy/events",
        "/v1/sessions/healthy/stream",
        "/v1/sessions/healthy/timeline",
        "/v1/sessions/healthy/timeline/buckets",
        "/v1/sessions/healthy/records/1",
        "/v1/sessions/healthy/source",
        "/v1/recordings",
        "/v1/recordings/..%2f..%2ftoken/timeline",
      ],
      ...[
        "/v1/stream",
        "/healthz",
        "/v1/sessions/nobody/events",
        "/v1/sessions/healthy/commands",
        "/v1/nothing",
      ],
    ),
    fc.array(segment, { maxLength: 5 }).map((segments) => `/${segments.join("/")}`),
  ),
  query,
  method: fc.constantFrom("GET", "GET", "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"),
  header: fc.constantFrom<Record<string, string>>(
    {},
    { "last-event-id": "x" },
    { "last-event-id": "3" },
    { "content-type": "application/json" },
    { "x-debug-bridge-client": "c".repeat(300) },
    { accept: "text/event-stream" },
    { "content-encoding": "gzip" },
  ),
  body: fc.oneof(rawText, rawBytes),
});

/** Sends a request; a stream is read up to its first piece. */
async function send(
  path: string,
  init: RequestInit,
): Promise<{ status: number; type: string; text: string }> {
  const end = new AbortController();
  const timer = setTimeout(
    () => end.abort(new Error(`no answer to ${init.method} ${path}`)),
    ANSWER_TIMEOUT_MS,
  );
  try {
    const response = await harness().hub.api(path, { ...init, signal: end.signal });
    const type = response.headers.get("content-type") ?? "";
    const reader = response.body?.getReader();
    let text = "";
    while (reader) {
      const { value, done } = await reader.read();
      text += Buffer.from(value ?? []).toString();
      if (done || type.includes("event-stream")) break;
    }
    void reader?.cancel().catch(() => {});
    return { status: response.status, type, text };
  } finally {
    clearTimeout(timer);
  }
}

/** An error says what is wrong, in JSON; nothing is the fault of the hub. */
function expectAnswer(
  what: string,
  { status, type, text }: { status: number; type: string; text: string },
): void {
  expect(status <= MAX_STATUS || status === NOT_IMPLEMENTED, `${what}: ${status} ${text}`).toBe(true);
  if (text === "" || !type.includes("json")) return;
  const body = JSON.parse(text) as { error?: unknown };
  if (status >= 400 && what.includes(" /v1") && !what.includes("/commands"))
    expect(body.error, what).toMatchObject({ code: expect.any(String), message: expect.any(String) });
}

const withBody = (method: string): boolean => !["GET", "HEAD"].includes(method);

describe("the HTTP API", () => {
  it("answers every request with a result or an error in JSON", { timeout: testTimeoutMs }, () =>
    fuzz(
      request,
      250,
      async ({ path, query: parameters, method, header, body }) => {
        const search = new URLSearchParams(Object.entries(parameters)).toString();
        const target = search ? `${path}?${search}` : path;
        // The pages of the dashboard are files, and the routes below have separate tests.
        if (/^\/v1\/browser-action/.test(path) && method !== "GET") return;
        const init = { method, headers: header, ...(withBody(method) ? { body: body as BodyInit } : {}) };
        expectAnswer(`${method} ${target}`, await send(target, init));
      },
      0.3,
    ),
  );

  const command = arbitraryOf(wires["app.command"].schema);
  it("answers mutated commands once each", { timeout: testTimeoutMs }, () =>
    fuzz(
      fc.oneof(mutated(command), rawText),
      150,
      async (body) => {
        const answer = await send("/v1/sessions/healthy/commands", { method: "POST", body });
        expectAnswer("POST /v1/sessions/healthy/commands", answer);
        const parsed = JSON.parse(answer.text) as Record<string, unknown>;
        expect("success" in parsed || "error" in parsed, answer.text).toBe(true);
      },
      0.3,
    ),
  );

  const call = fc.record(
    {
      jsonrpc: fc.constantFrom("2.0", "1.0"),
      id: fc.oneof(fc.integer(), awkwardString, fc.constant(null)),
      method: fc.constantFrom(
        "initialize",
        "tools/list",
        "tools/call",
        "ping",
        "notifications/cancelled",
        "nothing",
      ),
      params: fc.oneof(
        fc.record({
          name: fc.constantFrom("sessions", "logs", "nothing", "__proto__"),
          arguments: awkwardValue,
        }),
        fc.constant({
          protocolVersion: "2025-06-18",
          capabilities: {},
          clientInfo: { name: "fuzz", version: "1" },
        }),
        awkwardValue,
      ),
    },
    { requiredKeys: ["jsonrpc", "method"], noNullPrototype: true },
  );
  it("answers mutated MCP calls", { timeout: testTimeoutMs }, () =>
    fuzz(
      fc.tuple(fc.oneof(mutated(call), rawText), fc.boolean()),
      80,
      async ([body, streams]) => {
        const headers = {
          "content-type": "application/json",
          accept: streams ? "application/json, text/event-stream" : "application/json",
        };
        expectAnswer("POST /mcp", await send("/mcp", { method: "POST", headers, body }));
      },
      0.2,
    ),
  );

  const isRefused = (instruction: string): boolean => {
    try {
      parseInstruction(instruction);
      return false;
    } catch {
      return true;
    }
  };
  const instruction = fc.oneof(
    awkwardString,
    rawText,
    fc.constantFrom("<type>clik</type>", "<type>start</type>"),
  );
  it("answers a browser_action that does not parse, without a browser", { timeout: testTimeoutMs }, () =>
    fuzz(
      fc.oneof(
        rawText,
        fc
          .tuple(instruction.filter(isRefused), awkwardValue)
          .map(([text, sessionId]) => JSON.stringify({ instruction: text, sessionId })),
      ),
      60,
      async (body) => {
        const answer = await send("/v1/browser-action", { method: "POST", body });
        expectAnswer("POST /v1/browser-action", answer);
        const parsed = JSON.parse(answer.text) as { error?: unknown; success?: boolean };
        expect(parsed.success === false || parsed.error !== undefined, answer.text).toBe(true);
      },
      0.1,
    ),
  );

  it("survives requests that are not HTTP", { timeout: testTimeoutMs }, () =>
    fuzz(
      fc.tuple(
        fc.constantFrom("hub", "console", "relay"),
        fc.constantFrom(
          "",
          "GET / HTTP/1.1\r\n",
          "GET /debug HTTP/1.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n",
        ),
        rawBytes,
      ),
      60,
      async ([port, head, bytes]) => {
        const { hub, witness } = harness();
        const socket = connect(Number(new URL(hub.ready[port as "hub"]).port), "127.0.0.1");
        socket.on("error", () => {});
        socket.write(Buffer.concat([Buffer.from(head), bytes, Buffer.from("\r\n\r\n")]));
        await witness.check();
        socket.destroy();
      },
      0.1,
    ),
  );
});

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { spansOf } from "./spans.js";

const TYPES = [
  "session_start",
  "api_request",
  "api_response",
  "assistant_message",
  "tool_call_start",
  "tool_call_end",
  "tool_result",
  "paused",
  "session_end",
  "thought",
];

describe("spans of a run", () => {
  it("end with the run when no other event ended them", () => {
    const at = (s: number): string => new Date(1_700_000_000_000 + s * 1_000).toISOString();
    const [root, chat, tool] = spansOf([
      { type: "session_start", timestamp: at(0), sessionId: "s", data: { provider: "p", model: "m" } },
      { type: "api_request", timestamp: at(1), data: {} },
      { type: "tool_call_start", timestamp: at(2), data: { name: "t", toolId: "1" } },
      { type: "paused", timestamp: at(3), data: { reason: "breakpoint bp-1" } },
    ]);
    expect([root, chat, tool].map((span) => span?.endTimeUnixNano)).toEqual([
      "1700000003000000000",
      "1700000003000000000",
      "1700000003000000000",
    ]);
    expect(root?.events).toMatchObject([{ name: "paused" }]);
  });

  it("contain messages only when that is requested", () => {
    const records = [
      {
        type: "api_request",
        timestamp: 1,
        sessionId: "s",
        data: { messages: [{ role: "user", content: "secret" }] },
      },
      { type: "tool_call_start", timestamp: 2, data: { name: "t", toolId: "1", input: { a: "secret" } } },
      { type: "tool_result", timestamp: 3, data: { toolId: "1", result: "secret" } },
      { type: "assistant_message", timestamp: 3, data: { content: "secret" } },
    ];
    expect(JSON.stringify(spansOf(records))).not.toContain("secret");
    expect(JSON.stringify(spansOf(records, { content: true })).match(/secret/g)).toHaveLength(4);
  });

  it("are valid for any records", () => {
    const record = fc.record(
      {
        type: fc.constantFrom(...TYPES),
        timestamp: fc.jsonValue(),
        sessionId: fc.jsonValue(),
        data: fc.jsonValue(),
      },
      { requiredKeys: ["type"] },
    );
    fc.assert(
      fc.property(fc.array(record), (records) => {
        const spans = spansOf(records, { content: true });
        const ids = new Set(spans.map(({ spanId }) => spanId));
        expect(ids.size).toBe(spans.length);
        for (const span of spans) {
          expect(span.traceId).toMatch(/^[0-9a-f]{32}$/);
          expect(span.spanId).toMatch(/^[0-9a-f]{16}$/);
          expect(BigInt(span.endTimeUnixNano) >= 0n).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});

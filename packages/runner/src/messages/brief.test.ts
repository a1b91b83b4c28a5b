import type { BrowserResponse, Log } from "@debug-bridge/protocol";
import { browserResponseSchema } from "@debug-bridge/protocol/schemas";
import { describe, expect, it } from "vitest";
import { toToolResult } from "../tool.js";
import { briefResponse } from "./brief.js";

const log = (type: "info" | "error", message: string): Log => ({
  ...{ type, message, source: "browser", category: "console" },
  ...{ timestamp: 1, severity: type === "error" ? 4 : 2 },
});

const report: BrowserResponse = {
  success: true,
  logs: [log("info", "ready")],
  networkEvents: [],
  sessionId: "s",
  finishedAt: "2025-01-01T00:00:00.000Z",
};

describe("a report for a model", () => {
  it("that is small is whole", () => {
    expect(briefResponse(report)).toBe(report);
  });

  it("of a page that logs endlessly keeps what matters, and lists what was left out", () => {
    const logs = Array.from({ length: 2_000 }, (_, index) => log("info", `line ${index} ${"x".repeat(500)}`));
    logs[7] = log("error", "the cause");
    const networkEvents = Array.from({ length: 1_000 }, (_, index) => ({
      ...{ requestId: String(index), url: `http://localhost/${"y".repeat(200)}`, method: "GET" },
      ...{ timestamp: 1, status: index === 5 ? 500 : 200 },
    }));
    const flood: BrowserResponse = {
      ...report,
      ...{ logs, networkEvents, result: { value: "z".repeat(100_000) } },
      receipt: {
        settled: true,
        durationMs: 1,
        console: logs.map(({ message }) => ({ level: "info", text: message })),
      },
    };
    const { content } = toToolResult(flood);
    const [{ text }] = content as [{ type: "text"; text: string }];
    expect(text.length).toBeLessThan(60_000);
    const brief = JSON.parse(text) as BrowserResponse;
    expect(browserResponseSchema.safeParse(brief).error?.message).toBeUndefined();
    expect(brief.logs.map(({ message }) => message)).toContain("the cause");
    expect(brief.logs.at(-2)?.message).toContain("line 1999");
    expect(brief.logs.at(-1)?.message).toMatch(
      /\d+ of 2000 log entries and \d+ of 1000 requests are left out/,
    );
    expect(brief.networkEvents.map(({ requestId }) => requestId)).toContain("5");
  });
});

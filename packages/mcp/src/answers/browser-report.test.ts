import { type BrowserResponse, estimateTokens } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import { browserReport } from "./browser-report.js";

const base: BrowserResponse = { success: true, logs: [], networkEvents: [] };

describe("the report of a browser action", () => {
  it("shows error, hint, receipt, result, logs and requests", () => {
    const text = browserReport({
      ...base,
      success: false,
      error: {
        code: "target_not_found",
        message: 'no "Sing in"',
        hint: "observe first",
        details: { near: ["Sign in"] },
      },
      receipt: { settled: true, durationMs: 4 },
      result: { title: "Shop" },
      next: ["try Sign in"],
      logs: [
        {
          ...{ type: "error", message: "boom", timestamp: 1, source: "browser", severity: 4 },
          location: { url: "http://localhost/a.js", line: 3, column: 2 },
        },
      ],
      networkEvents: [{ requestId: "1", url: "/x", method: "GET", status: 404, durationMs: 3, timestamp: 1 }],
    });
    for (const part of [
      'no "Sing in"',
      "hint: observe first",
      '{"near":["Sign in"]}',
      "next: try Sign in",
      "settled after 4 ms",
      'result: {"title":"Shop"}',
      "error: boom (http://localhost/a.js:3:2)",
      "GET /x 404 in 3 ms",
    ])
      expect(text).toContain(part);
  });

  it("keeps to its budget, with errors before logs and failed requests before others", () => {
    const log = (severity: number, i: number) => ({
      ...{
        type: "debug" as const,
        message: `message ${severity}-${i}`,
        timestamp: i,
        source: "browser" as const,
      },
      severity,
    });
    const request = (status: number, i: number) => ({
      ...{ requestId: String(i), url: `/r${i}`, method: "GET", timestamp: i, status },
    });
    const text = browserReport(
      {
        ...base,
        result: "x".repeat(100_000),
        logs: [log(4, 0), ...Array.from({ length: 500 }, (_, i) => log(1, i))],
        networkEvents: [request(500, 0), ...Array.from({ length: 500 }, (_, i) => request(200, i + 1))],
      },
      1_000,
    );
    expect(estimateTokens(text)).toBeLessThan(1_100);
    expect(text).toContain("message 4-0");
    expect(text).toContain("GET /r0 500");
    expect(text).toMatch(/\d+ more are left out; ask for fewer with logFilter/);
  });
});

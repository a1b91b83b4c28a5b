import { type BrowserResponse, estimateTokens, fence } from "@debug-bridge/protocol";
import { encode } from "gpt-tokenizer";
import { describe, expect, it } from "vitest";
import { browserReport, reportBudget } from "./browser-report.js";
import { forModel, ownWords } from "./model-text.js";

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

  it("of start costs at most 250 tokens with its fence, however much there is, unless more is requested", () => {
    const lines = Array.from({ length: 200 }, (_, i) => `e${i} button "Add order ${i} to the list"`);
    const ui = fence(lines.join("\n"), { url: "http://localhost:3000/orders" });
    const at = "2026-01-01T00:00:00.000Z";
    const state = {
      totalErrors: 60,
      consecutiveErrors: 0,
      jsErrors: 30,
      networkErrors: 30,
      failedActions: 0,
    };
    const started: BrowserResponse = {
      ...base,
      result: { url: "http://localhost:3000/orders", status: 200, title: "Orders", ui },
      state: {
        ...state,
        actions: 1,
        sessionDurationMs: 900,
        lastAction: { type: "start", success: true, at },
      },
      metrics: { ttfb: 6.6, loadTime: 367.4, sessionDuration: 2, jsErrors: 30, networkErrors: 30 },
      logs: Array.from({ length: 30 }, (_, i) => ({
        ...{
          type: "error" as const,
          message: `TypeError: x.y${i} is not a function`,
          timestamp: i,
          severity: 4,
        },
        ...{
          source: "browser" as const,
          location: { url: "http://localhost:3000/app.js", line: i, column: 1 },
        },
      })),
      networkEvents: Array.from({ length: 30 }, (_, i) => ({
        ...{
          requestId: `${i}`,
          url: `http://localhost:3000/api/${i}`,
          method: "GET",
          status: 500,
          timestamp: i,
        },
      })),
      sessionId: "mcp-1234",
    };
    const answer = (maxTokens?: number): string =>
      forModel({
        content: browserReport(started, maxTokens),
        source: "the launched browser",
        note: ownWords`browser_action succeeded`,
        maxTokens: reportBudget(started, maxTokens),
      });
    const short = answer();
    expect(encode(short).length).toBeLessThanOrEqual(250);
    for (const part of [
      'at http://localhost:3000/orders (200) "Orders"',
      "load 367 ms",
      "errors so far: 60",
      "TypeError",
      "/api/29 500",
      "session: mcp-1234",
      "[more is on the page; call observe]",
    ])
      expect(short).toContain(part);
    expect(answer(4_000)).toContain('e99 button "Add order 99 to the list"');
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

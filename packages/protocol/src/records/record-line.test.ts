import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fullRecordLine, isProblem, recordLine } from "./record-line.js";

const place = { url: "http://localhost/a.js", line: 4, column: 9 };
const receipt = { settled: true, durationMs: 4, appeared: [{ ref: "e1", role: "link", name: "Cart" }] };

describe("one record as one line", () => {
  it.each([
    [
      "console",
      { level: "warn", method: "warn", text: "low\nstock", source: "sdk", args: [], location: place },
      "console.warn: low stock (http://localhost/a.js:4:9)",
    ],
    ["console", { level: "log", args: ["as", "sent"] }, "console.log: as sent"],
    ["error", { text: "Uncaught Error: x", source: "extension" }, "error: Uncaught Error: x"],
    ["error", { message: "rate limit", context: "api" }, "error: rate limit (api)"],
    [
      "network",
      { method: "GET", url: "/a", phase: "response", status: 500, durationMs: 3.2 },
      "GET /a 500 in 3 ms",
    ],
    ["network", { method: "GET", url: "/a", phase: "request" }, "GET /a …"],
    ["navigation", { from: "/a", to: "/b" }, "now at /b (from /a)"],
    [
      "command",
      { type: "click", target: { role: "button", name: "Save" }, client: "http" },
      'click button "Save" by http',
    ],
    ["command", { type: "click", target: { point: { x: 3, y: 4 } } }, "click at 3,4"],
    ["command_result", { requestType: "click", success: true, receipt }, "click done: 1 appeared"],
    ["passing_text", { text: "Saved", durationMs: 2004.4 }, '"Saved" was shown for 2004 ms'],
    [
      "command_result",
      {
        requestType: "click",
        success: true,
        receipt: { settled: true, text: { added: ["Paid"], removed: [], passing: ["Wait"] } },
      },
      "click done: 2 lines of text",
    ],
    [
      "command_result",
      { requestType: "hover", success: true, receipt: { settled: true, looks: ["e1 button: color"] } },
      "hover done: looks different",
    ],
    [
      "command_result",
      { requestType: "click", success: true, receipt: { settled: true, errors: ["x"] } },
      "click done: 1 error",
    ],
    [
      "command_result",
      { requestType: "click", success: true, receipt: { settled: true, durationMs: 1 } },
      "click done, no effect seen",
    ],
    [
      "command_result",
      { requestType: "click", success: false, error: "stale_ref", message: "gone" },
      "click failed: stale_ref: gone",
    ],
    ["tool_call_start", { name: "bash", toolId: "t1", input: { cmd: "ls" } }, 'bash t1 {"cmd":"ls"}'],
    ["assistant_message", { content: [{ type: "text", text: "Hi" }] }, "Hi"],
    ["paused", { reason: "breakpoint", iteration: 2 }, "Agent paused: breakpoint #2"],
    ["gap", { dropped: 3, reason: "too many events" }, "3 events are missing: too many events"],
    ["ui_tree", { omitted: 9_000 }, "0 elements"],
    ["something_new", { omitted: 9_000 }, "9000 characters"],
    ["something_new", { a: 1 }, '{"a":1}'],
  ])("%s %j", (type, data, expected) => {
    expect(fullRecordLine({ type, data })).toBe(expected);
  });

  it.each([
    [{ type: "console", data: { level: "warn", text: "x" } }, true],
    [{ type: "console", data: { level: "log", text: "x" } }, false],
    [{ type: "error", data: { text: "x", source: "extension" } }, true],
    [{ type: "unhandledrejection", data: { reason: "x" } }, true],
    [{ type: "network", data: { phase: "response", status: 200 } }, false],
    [{ type: "network", data: { phase: "failed" } }, true],
    [{ type: "tool_result", data: { isError: true, result: "no" } }, true],
  ])("%j is a problem: %s", (record, expected) => {
    expect(isProblem(record)).toBe(expected);
  });

  it("is one bounded line whatever a record holds", () => {
    const types = fc.oneof(
      fc.string(),
      fc.constantFrom(
        "console",
        "error",
        "network",
        "command",
        "breakpoint_hit",
        "constructor",
        "ui_tree",
        "vitals",
      ),
    );
    const value = fc.oneof(fc.jsonValue(), fc.constant(undefined));
    const names = [
      "level",
      "text",
      "args",
      "target",
      "receipt",
      "message",
      "location",
      "capabilities",
      "success",
    ];
    const data = fc.oneof(value, fc.dictionary(fc.constantFrom(...names), value));
    fc.assert(
      fc.property(types, data, (type, held) => {
        const { text } = recordLine({ type, data: held });
        recordLine({ type: "command_result", data: { success: true, receipt: held } });
        recordLine({
          type: "command_result",
          data: { success: true, receipt: { requests: held, errors: held, text: held, looks: held } },
        });
        expect(text).not.toMatch(/[\n\r\t]/);
        expect(text.length).toBeLessThan(2_100);
      }),
    );
  });
});

import type { TimelineRecord } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import { lineOf } from "./line.js";

const record = (type: string, data: unknown): TimelineRecord => ({
  ...{ type, data, sessionId: "tab-7", sequence: 1, timestamp: "2026-01-01T00:00:00.000Z" },
});

describe("console lines of records", () => {
  it("have their format applied, and their tab", () => {
    const line = lineOf(
      record("console", {
        ...{ level: "log", method: "log", text: "2 items", args: ["%d items", "2"], source: "extension" },
        values: [
          { type: "string", value: "%d items" },
          { type: "number", value: 2 },
        ],
        tab: { id: 7, url: "http://localhost/", title: "Shop" },
        frame: { url: "http://localhost/ad", isTop: false },
      }),
    );
    expect(line).toMatchObject({
      args: [{ type: "string", value: "2 items" }],
      plain: "2 items",
      tabId: 7,
      title: "Shop",
      frameUrl: "http://localhost/ad",
      hasGroupEnds: true,
    });
  });

  it.each([
    ["network", { method: "GET" }],
    ["error", { message: "an agent's own error" }],
    ["console", null],
    ["console", { level: "log", source: "sdk" }],
  ])("do not exist for %s %j", (type, data) => {
    expect(lineOf(record(type, data))).toBeUndefined();
  });
});

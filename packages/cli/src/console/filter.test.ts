import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFilter, parseSince } from "./filter.js";
import type { ConsoleLine } from "./line.js";

const line = {
  plain: "Order 4711 saved",
  level: "warn",
  tabId: 7,
  url: "http://localhost/orders",
  sessionId: "shop",
} as ConsoleLine;

describe("filters", () => {
  it.each([
    ["saved", true],
    ["text:SAVED", true],
    ["text:lost", false],
    ["level:error,warn", true],
    ["level:error", false],
    ["tab:7", true],
    ["tab:8", false],
    ["url:/orders", true],
    ["session:shop", true],
    ["/order \\d+/i", true],
    ["/^saved/", false],
  ])("%s: %s", (text, wanted) => {
    expect(parseFilter(text)(line)).toBe(wanted);
  });

  it.each([
    ["level:warning", 'Unknown level "warning"; use error, warn, info, log.'],
    ["level:error,", 'Unknown level ""; use error, warn, info, log.'],
    ["tab:shop", '"shop" is not a tab; use its number, as in tab:7.'],
    ["tab:1.5", '"1.5" is not a tab; use its number, as in tab:7.'],
  ])("%s is refused", (text, message) => {
    expect(() => parseFilter(text)).toThrow(message);
  });

  it("of any text work or are refused with the right syntax", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        try {
          expect(typeof parseFilter(text)(line)).toBe("boolean");
        } catch (thrown) {
          expect((thrown as Error).message).toMatch(/level:error|did you mean/);
        }
      }),
    );
  });

  it("by time accept durations and times", () => {
    expect(parseSince("90s", 100_000)).toBe(10_000);
    expect(parseSince("2h", 7_200_000)).toBe(0);
    expect(parseSince("2026-01-23T13:10:00Z")).toBe(Date.UTC(2026, 0, 23, 13, 10));
    expect(() => parseSince("soon")).toThrow("5m");
  });
});

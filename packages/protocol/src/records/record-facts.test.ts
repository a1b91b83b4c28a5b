import fc from "fast-check";
import { expect, it } from "vitest";
import { recordFacts } from "./record-facts.js";
import { recordLine } from "./record-line.js";

it.each([
  ["command", { type: "click" }, "action", "action"],
  ["network", { phase: "request", method: "GET" }, "request", "debug"],
  ["network", { phase: "message", direction: "in" }, "frame", "debug"],
  ["network", { phase: "response", status: 200 }, "network", "debug"],
  ["network", { phase: "response", status: 500 }, "network", "error"],
  ["console", { level: "warn", text: "x" }, "console", "warn"],
  ["error", { message: "agent" }, "error", "error"],
  ["unhandledrejection", { reason: "x", source: "sdk" }, "error", "error"],
  ["tool_call_end", { isError: true }, "agent", "error"],
  ["state_update", { scope: "a" }, "state", "info"],
  ["gap", { dropped: 1 }, "other", "warn"],
  ["constructor", {}, "other", "debug"],
])("a record of the type %s with %j is of kind %s and level %s", (type, data, kind, level) => {
  expect(recordFacts(type, () => data)).toEqual({ kind, level });
});

const FIXED = ["command", "hello", "navigation", "passing_text", "state_update", "ui_tree", "vitals", "gap"];

it.each(FIXED)("has the same level for every record of the type %s, without reading its data", (type) => {
  const unread = (): never => {
    throw new Error("was read");
  };
  const { level } = recordFacts(type, unread);
  fc.assert(
    fc.property(fc.jsonValue(), (data) => {
      expect(recordLine({ type, data }).level).toBe(level);
    }),
    { numRuns: 50 },
  );
});

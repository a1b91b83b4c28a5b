import { describe, expect, it } from "vitest";
import { type AgentRecord, afterRecord, RUNNING } from "./agent-stop.js";

const after = (...records: AgentRecord[]): string | undefined => records.reduce(afterRecord, RUNNING).stop;
const hit = (data: object): AgentRecord => ({ type: "breakpoint_hit", data });
const pausedAt: AgentRecord = { type: "paused", data: { reason: "breakpoint bp-1" } };
const click = { type: "click", target: { role: "button", name: "Count" } };

describe("why an agent waits", () => {
  it("is said in the words of the step that it stopped before", () => {
    const toolCall = { name: "mcp__debug-bridge__act", input: click };
    expect(after(hit({ toolCall }), pausedAt)).toBe("Stopped before clicking Count");
    expect(after(hit({ toolCall: { name: "Bash", input: {} } }), pausedAt)).toBe("Stopped before Bash");
  });

  it("names the error, as text that hides nothing", () => {
    expect(after(hit({ message: "no\u202e element\n matches" }), pausedAt)).toBe(
      "Stopped at an error: no[U+202E] element matches",
    );
  });

  it("is just a pause when the person asked for it, or after a step", () => {
    expect(after({ type: "paused", data: { reason: "pause" } })).toBe("Paused");
    expect(after(hit({ message: "x" }), pausedAt, { type: "resumed" })).toBeUndefined();
    expect(
      after(
        hit({ message: "x" }),
        pausedAt,
        { type: "resumed" },
        { type: "paused", data: { reason: "step" } },
      ),
    ).toBe("Paused");
  });

  it.each([null, 7, "x", {}, { toolCall: null }, { breakpoint: [] }])("survives a record with %j", (data) => {
    expect(() => after({ type: "breakpoint_hit", data }, { type: "paused", data })).not.toThrow();
  });
});

import { check, stateSnapshotSchema } from "@debug-bridge/protocol/schemas";
import { describe, expect, it } from "vitest";
import { type InspectWhat, type SnapshotSubject, snapshotOf } from "./snapshot.js";

const long = "y".repeat(500);
const subject: SnapshotSubject = {
  sessionId: "s",
  iteration: 2,
  paused: true,
  pauseReason: "breakpoint bp-1",
  held: [],
  provider: { name: "p", model: "m" },
  variables: { maxIterations: 20 },
  host: {
    messages: () => [
      { role: "user", content: "one" },
      { role: "assistant", content: [{ type: "text", text: long }] },
      { role: "user", content: [{ type: "tool_result", output: 1 }] },
      { role: "assistant", content: "four" },
    ],
    tools: () => ["read_file", "write_file"],
    context: () => ({ maxTokens: 1_000, summary: long }),
    workingSet: () => ["a.ts"],
  },
};

describe("a snapshot", () => {
  it("has every part for `all` [AGT-030, AGT-033, AGT-035, AGT-037]", () => {
    const snapshot = snapshotOf(subject, "all");
    expect(check(stateSnapshotSchema, snapshot).ok).toBe(true);
    expect(snapshot).toMatchObject({
      timestamp: expect.stringMatching(/Z$/),
      sessionId: "s",
      iteration: 2,
      paused: true,
      provider: { name: "p", model: "m" },
      workingSet: ["a.ts"],
      variables: { maxIterations: 20 },
      tools: { enabled: ["read_file", "write_file"], count: 2 },
      context: { tokenEstimate: expect.any(Number), maxTokens: 1_000, hasSummary: true },
    });
  });

  it("counts messages by role, previews the three newest and contains all of them [AGT-031, AGT-032]", () => {
    const { messages } = snapshotOf(subject, "messages");
    expect(messages).toMatchObject({ count: 4, roles: { user: 2, assistant: 2 } });
    expect(messages?.recent.map(({ preview }) => preview.length)).toEqual([200, expect.any(Number), 4]);
    expect(messages?.all).toEqual(subject.host.messages?.());
  });

  it("previews a summary in 200 characters, and reports when there is none [AGT-034]", () => {
    expect(snapshotOf(subject, "context").context?.summaryPreview).toHaveLength(200);
    expect(snapshotOf({ ...subject, host: {} }, "context").context).toEqual({
      tokenEstimate: 0,
      maxTokens: 0,
      hasSummary: false,
    });
  });

  it.each([
    ["messages", ["messages"]],
    ["context", ["context"]],
    ["tools", ["tools"]],
    ["all", ["messages", "context", "tools"]],
  ] satisfies [InspectWhat, string[]][])("of %s has only %j [AGT-036]", (what, parts) => {
    const snapshot = snapshotOf(subject, what);
    expect(["messages", "context", "tools"].filter((part) => part in snapshot)).toEqual(parts);
  });
});

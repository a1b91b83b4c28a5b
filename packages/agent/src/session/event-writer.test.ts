import { AGENT_LINE_LIMITS } from "@debug-bridge/protocol";
import { agentEventSchema, check } from "@debug-bridge/protocol/schemas";
import { describe, expect, it } from "vitest";
import { EventWriter } from "./event-writer.js";

function writer(): { lines: string[]; blobs: string[]; full: (is: boolean) => void; writer: EventWriter } {
  const lines: string[] = [];
  const blobs: string[] = [];
  let isFull = false;
  const sink = {
    id: "s1",
    events: {
      append: (...more: string[]) => {
        if (isFull) throw new Error("ENOSPC");
        lines.push(...more);
      },
    },
    blobs: {
      put: (json: string) => {
        blobs.push(json);
        return { $blob: "0".repeat(64), bytes: json.length };
      },
    },
  };
  return { lines, blobs, full: (is) => (isFull = is), writer: new EventWriter(sink) };
}

const read = (lines: string[]): { type: string; sequence: number; data: unknown }[] =>
  lines.map((line) => JSON.parse(line));

describe("the event writer", () => {
  it("numbers events without gaps, as their schema requires", () => {
    const { lines, writer: events } = writer();
    events.emit("user_input", { input: "hello" });
    events.emit("tool_call_start", { name: "x", toolId: "t", input: {}, more: undefined, iteration: 1 });
    expect(read(lines).map(({ sequence }) => sequence)).toEqual([1, 2]);
    for (const event of read(lines)) expect(check(agentEventSchema, event)).toMatchObject({ ok: true });
  });

  it("stores large payloads completely, in a blob", () => {
    const { lines, blobs, writer: events } = writer();
    const result = "z".repeat(20_000);
    events.emit("tool_result", { toolId: "t", result });
    expect(blobs).toEqual([JSON.stringify(result)]);
    expect(read(lines)[0]?.data).toEqual({ toolId: "t", result: { $blob: "0".repeat(64), bytes: 20_002 } });
  });

  it("keeps responses in their line", () => {
    const { lines, blobs, writer: events } = writer();
    events.emit("command_response", { commandId: "c", type: "inspect", data: "z".repeat(20_000) });
    expect(blobs).toEqual([]);
    expect(lines[0]?.length).toBeGreaterThan(20_000);
  });

  it("writes no line that is too long for its readers, in any alphabet", () => {
    const { lines, blobs, writer: events } = writer();
    events.emit("command_response", { commandId: "c", type: "inspect", data: "語".repeat(3_000_000) });
    expect(Buffer.byteLength(lines[0] ?? "")).toBeLessThan(AGENT_LINE_LIMITS.bytes);
    expect(blobs).toHaveLength(1);
    events.emit("command_response", { commandId: "d", type: "inspect", data: "語".repeat(2_000_000) });
    expect(Buffer.byteLength(lines[1] ?? "")).toBeLessThan(AGENT_LINE_LIMITS.bytes);
  });

  it("describes values that have no JSON form", () => {
    const { lines, writer: events } = writer();
    const loop: Record<string, unknown> = {};
    loop.loop = loop;
    events.emit("tool_result", { result: loop, more: 1n });
    expect(read(lines)[0]?.data).toEqual({
      result: expect.stringContaining("cannot be written as JSON"),
      more: expect.stringContaining("cannot be written as JSON"),
    });
  });

  it("continues after write errors, and reports how many events were lost, without a gap in the numbers", () => {
    const { lines, full, writer: events } = writer();
    events.emit("user_input", { input: "1" });
    full(true);
    events.emit("user_input", { input: "2" });
    events.emit("user_input", { input: "3" });
    full(false);
    events.emit("user_input", { input: "4" });
    expect(read(lines).map(({ type, sequence }) => [type, sequence])).toEqual([
      ["user_input", 1],
      ["gap", 2],
      ["user_input", 3],
    ]);
    expect(read(lines)[1]?.data).toMatchObject({ dropped: 2 });
  });
});

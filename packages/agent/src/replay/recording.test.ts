import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readRecording } from "./recording.js";
import { Replayer } from "./replayer.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "debug-bridge-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const record = (lines: readonly string[]): void =>
  writeFileSync(join(folder, "events.jsonl"), `${lines.join("\n")}\n`);
const TYPES = [
  "session_start",
  "user_input",
  "command_response",
  "checkpoint",
  "rewind",
  "api_response",
  "assistant_message",
  "tool_call_start",
  "tool_call_end",
  "tool_result",
  "gap",
];

describe("a recording", () => {
  it("restores the messages of each request", () => {
    record([
      '{"type":"api_request","sequence":1,"data":{"kept":0,"messages":[{"role":"user","content":"a"}]}}',
      '{"type":"api_request","sequence":2,"data":{"kept":1,"messages":[{"role":"user","content":"b"}]}}',
      '{"type":"api_request","sequence":3,"data":{"kept":0,"messages":[]}}',
      '{"type":"api_request","sequence":4,"data":{"messageCount":3}}',
    ]);
    const { modelCalls } = readRecording(folder);
    expect(modelCalls.map(({ messages }) => messages?.map(({ content }) => content))).toEqual([
      ["a"],
      ["a", "b"],
      [],
      undefined,
    ]);
  });

  it("is read even if lines contain anything", () => {
    const event = fc.record({
      type: fc.constantFrom(...TYPES),
      data: fc.jsonValue(),
      sequence: fc.jsonValue(),
    });
    const line = fc.oneof(
      event.map((one) => JSON.stringify(one)),
      fc.json(),
      fc.string().map((s) => s.replaceAll("\n", "")),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        record(['{"type":"api_request","data":{"messages":[]}}', ...lines]);
        const replayer = new Replayer(readRecording(folder));
        expect(replayer.isDone).toBe(false);
      }),
      { numRuns: 200 },
    );
  });
});

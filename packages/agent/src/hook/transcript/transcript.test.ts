import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readTranscript } from "./transcript.js";

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "debug-bridge-"));
  file = join(folder, "transcript.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (...lines: unknown[]): void =>
  writeFileSync(
    file,
    lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""),
  );

describe("the transcript of a hooked agent", () => {
  it("is read in the format of Claude Code", () => {
    write(
      { type: "summary", summary: "earlier" },
      { type: "user", message: { role: "user", content: "fix the shop" } },
      { type: "assistant", message: { role: "assistant", content: [{ type: "text", text: "on it" }] } },
      "no JSON",
    );
    expect(readTranscript(file)).toEqual([
      { role: "user", content: "fix the shop" },
      { role: "assistant", content: [{ type: "text", text: "on it" }] },
    ]);
  });

  it("is read in the format of Codex", () => {
    write(
      { type: "session_meta", payload: { id: "1" } },
      {
        type: "response_item",
        payload: { type: "message", role: "user", content: [{ type: "input_text", text: "fix" }] },
      },
      {
        type: "response_item",
        payload: { type: "function_call", name: "exec_command", arguments: "{}", call_id: "c1" },
      },
      { type: "response_item", payload: { type: "function_call_output", call_id: "c1", output: "ok" } },
      { type: "response_item", payload: { type: "reasoning", encrypted_content: "x" } },
    );
    expect(readTranscript(file)).toEqual([
      { role: "user", content: [{ type: "input_text", text: "fix" }] },
      {
        role: "assistant",
        content: [{ type: "function_call", name: "exec_command", call_id: "c1", input: "{}" }],
      },
      { role: "tool", content: [{ type: "function_call_output", call_id: "c1", output: "ok" }] },
    ]);
  });

  it("may be missing, or contain anything", () => {
    expect(readTranscript(undefined)).toEqual([]);
    expect(readTranscript(join(folder, "none"))).toEqual([]);
    const line = fc.oneof(
      fc.json(),
      fc.string(),
      fc.record({
        type: fc.constantFrom("response_item", "user"),
        payload: fc.jsonValue(),
        message: fc.jsonValue(),
      }),
    );
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        write(...lines);
        for (const { role } of readTranscript(file)) expect(typeof role).toBe("string");
      }),
      { numRuns: 200 },
    );
  });
});

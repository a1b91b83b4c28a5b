import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { contentText } from "./content-text.js";

describe("the text of a message", () => {
  it.each([
    ["hello", "hello"],
    [
      [
        { type: "text", text: "look" },
        { type: "thinking", thinking: "hm" },
      ],
      "look hm",
    ],
    [[{ type: "tool_use", id: "c1", name: "read", input: { path: "a" } }], '→ read {"path":"a"}'],
    [[{ type: "tool_result", tool_use_id: "c1", content: "one\ntwo" }], "← one\ntwo"],
    [
      [{ type: "tool-call", toolCallId: "c1", toolName: "read", input: { path: "a" } }],
      '→ read {"path":"a"}',
    ],
    [[{ type: "tool-result", toolName: "read", output: { type: "text", value: "one" } }], "← one"],
    [[{ type: "function_call", name: "exec", call_id: "c1", input: '{"cmd":"ls"}' }], '→ exec {"cmd":"ls"}'],
    [[{ type: "function_call_output", call_id: "c1", output: "a.txt" }], "← a.txt"],
    [[{ type: "image", url: "x" }], '{"type":"image","url":"x"}'],
  ])("is read from %j", (content, text) => {
    expect(contentText(content)).toBe(text);
  });

  it("is always a text, whatever the content", () => {
    fc.assert(fc.property(fc.anything(), (value) => typeof contentText(plain(value)) === "string"));
  });
});

/** A value as it comes from a file. */
function plain(value: unknown): unknown {
  try {
    return JSON.parse(JSON.stringify(value) ?? "null");
  } catch {
    return null;
  }
}

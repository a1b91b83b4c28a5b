import type { Command } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import { maskedCommand, maskedResult, typedText } from "./masked-command.js";

const base = { sessionId: "s", timestamp: 1, origin: "agent" } as const;
const typing = { ...base, type: "type", target: { ref: "e1" }, text: "blue whale" } as Command;

describe("a command in the timeline", () => {
  it("is kept with its sender and without typed text", () => {
    expect(JSON.parse(maskedCommand(typing, "agent-1"))).toMatchObject({ client: "agent-1", text: "•••" });
  });

  it("is kept without contents of files and without the answer to a prompt", () => {
    const files = [{ name: "cv.pdf", data: "c2VjcmV0" }, { path: "/tmp/a.txt" }];
    const set = maskedCommand({ ...base, type: "set_files", target: { ref: "e1" }, files } as Command, "a");
    expect(JSON.parse(set)).toMatchObject({
      files: [{ name: "cv.pdf", data: "•••" }, { path: "/tmp/a.txt" }],
    });
    const dialogCommand = { ...base, type: "dialog", action: "accept", text: "hunter2" } as Command;
    expect(JSON.parse(maskedCommand(dialogCommand, "a"))).toMatchObject({ action: "accept", text: "•••" });
    expect(typedText(dialogCommand)).toBe("hunter2");
  });

  it("is kept without the secrets of a URL", () => {
    const url = "https://ada:hunter2@shop.test/cb?access_token=abcdef123&page=2#id_token=zzz999";
    const kept = maskedCommand({ ...base, type: "navigate", url } as Command, "agent-1");
    expect(kept).not.toMatch(/hunter2|abcdef123|zzz999/);
    expect(kept).toContain("page=2");
  });
});

describe("the result of a command in the timeline", () => {
  const result = (text: string): string =>
    JSON.stringify({
      type: "command_result",
      requestType: "type",
      success: true,
      receipt: { changed: [text] },
    });

  it("does not show what was typed", () => {
    const kept = maskedResult(result('~ e1 textbox "Name" value "blue whale"'), typedText(typing));
    expect(kept).not.toContain("whale");
    expect(JSON.parse(kept)).toMatchObject({ type: "command_result", requestType: "type", success: true });
  });

  it("does not show the value that a field has then", () => {
    const kept = maskedResult(JSON.stringify({ value: { value: "the blue whale" } }), typedText(typing));
    expect(JSON.parse(kept)).toEqual({ value: { value: "the •••" } });
  });

  it("stays whole JSON when a short text or a word of ours is typed", () => {
    for (const typed of ["a", "type", "true", '"', "\\", "e1"]) {
      const kept = JSON.parse(maskedResult(result(`value ${JSON.stringify(typed)}`), typed));
      expect(kept).toMatchObject({ type: "command_result", success: true });
      expect(kept.receipt.changed[0]).toContain("•••");
    }
  });

  it("of other commands is kept as it is", () => {
    expect(maskedResult("{ }", undefined)).toBe("{ }");
  });
});

import { type ConsoleRecordData, truncate } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import type { RawResult } from "../peers/app-peer.js";
import { FormattedLines } from "./formatted-lines.js";

const line = (text: string, ...args: string[]): ConsoleRecordData =>
  ({ level: "log", method: "log", text, args, source: "sdk" }) as ConsoleRecordData;

function resultWith(...texts: string[]): RawResult {
  const console = texts.map((text) => ({ level: "log", text }));
  const message = {
    type: "command_result",
    success: true,
    receipt: { settled: true, durationMs: 1, console },
  };
  return { message, text: JSON.stringify(message) } as unknown as RawResult;
}

describe("console lines of a receipt", () => {
  it("are formatted like those of the timeline", () => {
    const lines = new FormattedLines();
    lines.add(line("stock is 3", "%s is %d", "stock", "3"));
    const { message, text } = lines.apply(resultWith("%s is %d stock 3", "100% done"));
    expect(message.receipt?.console?.map((each) => each.text)).toEqual(["stock is 3", "100% done"]);
    expect(JSON.parse(text)).toEqual(message);
  });

  it("stay the same object when nothing has a format", () => {
    const lines = new FormattedLines();
    lines.add(line("plain text", "plain", "text"));
    const result = resultWith("plain text");
    expect(lines.apply(result)).toBe(result);
  });

  it("are found when they were cut, and are remembered within bounds", () => {
    const lines = new FormattedLines();
    const long = "x".repeat(2_000);
    lines.add(line(`a ${long}`, "%s", `a ${long}`));
    const cut = truncate(`%s a ${long}`, 500);
    expect(lines.apply(resultWith(cut)).message.receipt?.console?.[0]?.text).toBe(truncate(`a ${long}`, 500));
    for (let i = 0; i < 1_000; i++) lines.add(line(`n ${i}`, "n %d", `${i}`));
    expect(lines.apply(resultWith(`n %d 0`)).message.receipt?.console?.[0]?.text).toBe("n %d 0");
    expect(lines.apply(resultWith(`n %d 999`)).message.receipt?.console?.[0]?.text).toBe("n 999");
  });
});

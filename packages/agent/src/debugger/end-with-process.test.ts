import { describe, expect, it } from "vitest";
import { endWithProcess } from "./end-with-process.js";

describe("what ends with the process", () => {
  it("has one listener for all, and none when there is nothing left", () => {
    const before = process.listenerCount("exit");
    const forget = Array.from({ length: 20 }, () => endWithProcess(() => {}));
    expect(process.listenerCount("exit")).toBe(before + 1);
    for (const one of forget) one();
    expect(process.listenerCount("exit")).toBe(before);
  });
});

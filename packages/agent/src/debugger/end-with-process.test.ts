import { describe, expect, it } from "vitest";
import { endWithProcess } from "./end-with-process.js";

describe("endWithProcess", () => {
  it("registers one listener for all callbacks, and none when there are no callbacks", () => {
    const before = process.listenerCount("exit");
    const forget = Array.from({ length: 20 }, () => endWithProcess(() => {}));
    expect(process.listenerCount("exit")).toBe(before + 1);
    for (const one of forget) one();
    expect(process.listenerCount("exit")).toBe(before);
  });
});

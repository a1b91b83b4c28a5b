import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readHubMessage } from "./hub-messages.js";

const frame = (message: Record<string, unknown>) =>
  JSON.stringify({ version: "1.0.0", timestamp: "2026-01-01T00:00:00Z", ...message });

describe("readHubMessage", () => {
  it("reads the messages of the hub", () => {
    expect(readHubMessage(frame({ type: "pong", payload: { id: "a" } }))).toEqual({
      type: "pong",
      version: "1.0.0",
      id: "a",
    });
    const status = { status: "connected", clientInfo: { cliVersion: "0.1.0", platform: "linux" } };
    expect(readHubMessage(frame({ type: "connection_status", payload: status }))).toMatchObject({
      cliVersion: "0.1.0",
    });
    const error = {
      code: "UNSUPPORTED_VERSION",
      message: "no",
      details: { supportedVersions: ["2.0.0", 3] },
    };
    expect(readHubMessage(frame({ type: "error", payload: error }))).toMatchObject({
      supportedVersions: ["2.0.0"],
    });
  });

  it("explains what is wrong with anything else", () => {
    for (const bad of [
      "",
      "[]",
      "{}",
      "null",
      frame({ type: "ping", payload: {} }),
      frame({ type: "x", payload: {} }),
      new ArrayBuffer(1),
    ]) {
      expect(readHubMessage(bad)).toBeTypeOf("string");
    }
  });

  it("never throws", () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string(), fc.anything()), (data) => {
        readHubMessage(data);
      }),
    );
  });
});

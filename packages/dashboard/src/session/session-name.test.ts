import type { SessionSummary } from "@debug-bridge/protocol";
import { expect, it } from "vitest";
import { hubOf } from "./session-name.js";

const on = (hubName?: string): SessionSummary => ({
  ...{ id: "a", kind: "app", connected: true, apps: 1, agents: 0, sequence: 0 },
  ...(hubName === undefined ? {} : { hubName }),
});

it("names the hub of a session only while there are several hubs", () => {
  expect(hubOf(on("one"), [on("one"), on("two")])).toBe("one");
  expect(hubOf(on("one"), [on("one"), on("one")])).toBeUndefined();
  expect(hubOf(on(), [on()])).toBeUndefined();
});

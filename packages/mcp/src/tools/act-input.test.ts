import { BridgeError } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import { type ACTIONS, actionFields, readAction } from "./act-input.js";

describe("the input of act", () => {
  it("has every field of every action, from the schemas of the commands", () => {
    const names = Object.keys(actionFields());
    for (const name of [
      ...["target", "text", "clear", "submit", "key", "values", "url", "waitUntil", "source", "clickCount"],
      ...["button", "modifiers", "x", "y", "to", "state", "idle", "maxMs", "name", "input", "settle"],
      ...["timeoutMs", "idempotencyKey", "instanceId"],
    ])
      expect(names).toContain(name);
    expect(names).not.toContain("sessionId");
    expect(names).not.toContain("requestId");
  });

  it.each([
    ["click", { target: { ref: "e12" }, clickCount: 2 }],
    ["click", { target: { point: { x: 3, y: 4 } } }],
    ["navigate", { url: "/cart", waitUntil: "load" }],
    ["drag", { source: { ref: "e1" }, target: { ref: "e2" }, settle: false }],
    ["wait_for", { text: "Saved", maxMs: 500 }],
    ["call_tool", { name: "add", input: { n: 1 } }],
  ] as [(typeof ACTIONS)[number], Record<string, unknown>][])("%s %j is a command", (type, fields) => {
    expect(readAction(type, { ...fields, button: undefined })).toEqual({ type, ...fields });
  });

  it.each([
    ["click", {}, "target"],
    ["click", { target: {} }, "target"],
    ["click", { target: { ref: "12" } }, "target.ref"],
    ["click", { target: { ref: "e1" }, clickCount: 9 }, "clickCount"],
    ["click", { target: { ref: "e1" }, values: ["x"] }, "values"],
    ["navigate", { url: "/", waitUntil: "soon" }, "waitUntil"],
  ] as [(typeof ACTIONS)[number], Record<string, unknown>, string][])(
    "%s %j is refused because of %s",
    (type, fields, field) => {
      const call = (): unknown => readAction(type, fields);
      expect(call).toThrow(BridgeError);
      try {
        call();
      } catch (thrown) {
        expect((thrown as BridgeError).details?.field).toBe(field);
      }
    },
  );
});

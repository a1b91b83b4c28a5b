import { BridgeError } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import { ACTION_FIELDS, ACTIONS, actionFields, readAction, readActions } from "./act-input.js";

describe("the input of act", () => {
  it("has every field of every action, from the schemas of the commands", () => {
    const names = Object.keys(actionFields());
    for (const name of [
      ...["target", "text", "clear", "submit", "key", "values", "url", "waitUntil", "source", "clickCount"],
      ...["button", "modifiers", "x", "y", "to", "state", "idle", "maxMs", "name", "input", "settle"],
      ...["timeoutMs", "idempotencyKey", "instanceId", "by", "path", "action", "for", "files", "drop"],
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
    ["drag", { source: { ref: "e1" }, by: { x: 40, y: 0 } }],
    [
      "drag",
      {
        path: [
          { x: 1, y: 1 },
          { x: 9, y: 9 },
        ],
      },
    ],
    ["dialog", { action: "accept", text: "Ada", for: "next" }],
    ["set_files", { target: { ref: "e1" }, files: [{ name: "a.txt", data: "aGk=" }], drop: true }],
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
    ["dialog", { action: "maybe" }, "action"],
    ["dialog", {}, "action"],
    ["fly", {}, "type"],
    [undefined, {}, "type"],
  ] as [unknown, Record<string, unknown>, string][])(
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

  it("has the fields of every action in the words for a model", () => {
    for (const type of ACTIONS) expect(ACTION_FIELDS).toContain(`${type} {`);
  });

  it.each([
    [{ source: { ref: "e1" } }],
    [{ source: { ref: "e1" }, target: { ref: "e2" }, by: { x: 1, y: 1 } }],
    [
      {
        source: { ref: "e1" },
        path: [
          { x: 1, y: 1 },
          { x: 2, y: 2 },
        ],
      },
    ],
    [{ target: { ref: "e1" } }],
    [{}],
  ])("drag %j is refused because it has not exactly one form", (fields) => {
    expect(() => readAction("drag", fields)).toThrow("source and target, or source and by, or path alone");
  });
});

describe("a list of actions", () => {
  const click = { type: "click", target: { ref: "e1" } };

  it("is a list of commands", () => {
    const press = { type: "press", key: "Enter" };
    expect(readActions({ actions: [click, press], type: undefined })).toEqual([click, press]);
    expect(readActions(click)).toEqual([click]);
  });

  it.each([
    [{ actions: [] }, "actions must be a list of 1 to 50 commands"],
    [{ actions: [click], type: "click" }, '"type" is beside actions'],
    [{ actions: [click], target: { ref: "e1" } }, '"target" is beside actions'],
    [{ actions: [click, { type: "press" }] }, 'action 2: press needs "key"; nothing was done'],
    [{ actions: [{ target: { ref: "e1" } }] }, "action 1: an action needs a type"],
  ])("%j is refused", (input, message) => {
    expect(() => readActions(input)).toThrow(message);
  });
});

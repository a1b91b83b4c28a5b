import type { Command } from "@debug-bridge/protocol";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addressCommand } from "./addressed-command.js";

const base = { sessionId: "s", timestamp: 1, origin: "agent" } as const;
const click = { ...base, type: "click", target: { text: '} "x"' } } as Command;
const envelope = (command: Command, space = "") => ({ command, text: JSON.stringify(command, null, space) });

describe("a command on its way to the app", () => {
  it("stays unchanged when its id is unique", () => {
    const own = envelope({ ...click, requestId: "r1" } as Command, "  ");
    expect(
      addressCommand(
        own,
        () => false,
        () => "new",
      ),
    ).toMatchObject({ id: "r1", text: own.text });
  });

  it("gets an id spliced in when it has none, however it is written", () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom("", " ", "\t"), (text, space) => {
        const command = { ...base, type: "type", target: { text: "x" }, text } as Command;
        const { id, text: sent } = addressCommand(
          envelope(command, space),
          () => false,
          () => "hub-1",
        );
        expect(id).toBe("hub-1");
        expect(JSON.parse(sent)).toEqual({ ...command, requestId: "hub-1" });
      }),
    );
  });

  it("gets another id when its own is in use, and its result gets the original id back", () => {
    let next = 1;
    const { id, text, restore } = addressCommand(
      envelope({ ...click, requestId: "r1" } as Command),
      // Another client chose the very id that the hub would use next.
      (taken) => taken === "r1" || taken === "hub-1",
      () => `hub-${next++}`,
    );
    expect([id, JSON.parse(text).requestId]).toEqual(["hub-2", "hub-2"]);
    const message = {
      ...base,
      origin: "app",
      type: "command_result",
      requestType: "click",
      requestId: "hub-2",
      success: true,
    } as const;
    expect(JSON.parse(restore({ message, text: "" }).text)).toEqual({ ...message, requestId: "r1" });
  });
});

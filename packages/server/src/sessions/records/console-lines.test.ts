import type { ConsoleAppMessage, ExtensionLine } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import { ConsoleLines } from "./console-lines.js";

const APP = { kind: "app", url: "http://localhost/" };
const TAB = { kind: "tab", url: "http://localhost/" };

function consoleLine(at: number, callId?: string): ConsoleAppMessage {
  const id = callId === undefined ? {} : { callId };
  return { type: "console", level: "log", args: ["x"], sessionId: "s", origin: "app", timestamp: at, ...id };
}

function seen(at: number, callId?: string, documentId = "d1"): ExtensionLine {
  return {
    type: "console",
    at,
    data: {
      ...{ level: "log", method: "log", text: "x", args: ["x"], source: "extension" },
      frame: { url: "http://localhost/", isTop: true, documentId },
      ...(callId === undefined ? {} : { callId }),
    },
    message: {},
  };
}

function hello(at: number, instanceId?: string) {
  const id = instanceId === undefined ? {} : { instanceId };
  return {
    ...({
      type: "hello",
      sessionId: "s",
      origin: "app",
      timestamp: at,
      kind: "tab",
      url: "",
      userAgent: "",
    } as const),
    ...id,
  };
}

describe("console lines of the SDK and of the extension", () => {
  it("are recorded once when they are the same call, whichever comes first", () => {
    const lines = new ConsoleLines();
    expect(lines.fromApp(consoleLine(1, "i:1"), APP)).toMatchObject({ source: "sdk", callId: "i:1" });
    expect(lines.acceptsFromExtension(seen(1, "i:1"))).toBe(false);
    expect(lines.acceptsFromExtension(seen(2, "i:2"))).toBe(true);
    expect(lines.fromApp(consoleLine(2, "i:2"), APP)).toBeUndefined();
  });

  it("are all recorded when they are other calls, even with the same text at the same time", () => {
    const lines = new ConsoleLines();
    expect(lines.fromApp(consoleLine(1, "i:1"), APP)).toBeDefined();
    expect(lines.acceptsFromExtension(seen(1, "i:2"))).toBe(true);
    expect(lines.acceptsFromExtension(seen(1))).toBe(true);
    expect(lines.fromApp(consoleLine(1), APP)).toBeDefined();
  });

  it("cannot be hidden by a page that repeats an id", () => {
    const lines = new ConsoleLines();
    for (let i = 0; i < 5; i++) expect(lines.acceptsFromExtension(seen(i, "forged:1"))).toBe(true);
  });

  it("need bounded memory", () => {
    const lines = new ConsoleLines();
    for (let i = 0; i < 10_000; i++) lines.fromApp(consoleLine(i, `i:${i}`), APP);
    expect((lines as unknown as { calls: Map<string, unknown> }).calls.size).toBeLessThanOrEqual(2_048);
  });
});

describe("console lines of the extension and of CDP", () => {
  it("belong to CDP while it captures, and to the extension before and after", () => {
    const lines = new ConsoleLines();
    lines.onHello(hello(50));
    expect(lines.acceptsFromExtension(seen(60))).toBe(true);
    lines.onHello(hello(100, "i1"));
    lines.onHello(hello(150, "i2"));
    expect(lines.acceptsFromExtension(seen(99))).toBe(true);
    expect(lines.acceptsFromExtension(seen(120))).toBe(false);
    expect(lines.fromApp(consoleLine(120), TAB)).toMatchObject({ source: "cdp" });
    lines.onAppLeft("tab", 200);
    expect(lines.acceptsFromExtension(seen(180))).toBe(false);
    expect(lines.acceptsFromExtension(seen(201))).toBe(true);
  });

  it("are recorded once when CDP repeats old lines on attach", () => {
    const lines = new ConsoleLines();
    expect(lines.acceptsFromExtension(seen(40))).toBe(true);
    lines.onHello(hello(100, "i1"));
    expect(lines.fromApp(consoleLine(40.4), TAB)).toBeUndefined();
    expect(lines.fromApp(consoleLine(20), TAB)).toMatchObject({ source: "cdp" });
  });

  it("come from CDP alone when the extension saw nothing of the document", () => {
    const lines = new ConsoleLines();
    lines.onHello(hello(100, "i1"));
    expect(lines.fromApp(consoleLine(40), TAB)).toMatchObject({ source: "cdp" });
  });
});

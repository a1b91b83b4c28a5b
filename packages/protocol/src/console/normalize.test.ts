import { describe, expect, it } from "vitest";
import type { ConsoleArgument } from "../schema/console/argument.js";
import type { ConsoleEvent } from "../schema/console/wire.js";
import { type ConsoleAppMessage, fromAppMessage, fromConsoleEvent } from "./normalize.js";

const base = { sessionId: "s", timestamp: 1_000, origin: "app" } as const;
const text = (value: string): ConsoleArgument => ({ type: "string", value });
const PAGE = "http://ada:pw@localhost:3000/cart?x=1";

function event(payload: Partial<ConsoleEvent["payload"]>, source = {}): ConsoleEvent {
  return {
    version: "1.0.0",
    type: "console_event",
    timestamp: "2026-01-01T00:00:00.000Z",
    source: { tabId: 7, url: PAGE, title: "Shop", ...source },
    payload: { method: "log", args: [], ...payload },
  };
}

const STACK = "TypeError: no foo\n    at save (http://localhost:3000/a.js:4:9)";

describe("a console line of an app", () => {
  it("has formatted text, level, method, origin and reporter", () => {
    const message: ConsoleAppMessage = {
      ...base,
      type: "console",
      level: "log",
      args: ["%s has %d", "cart", "3"],
    };
    expect(fromAppMessage(message, "sdk", PAGE)).toEqual({
      level: "log",
      method: "log",
      text: "cart has 3",
      args: ["%s has %d", "cart", "3"],
      source: "sdk",
      origin: "http://localhost:3000",
    });
  });

  it.each([
    [{ type: "error", message: "Uncaught TypeError: no foo" }, "Uncaught TypeError: no foo"],
    [{ type: "error", message: "no foo", stack: STACK }, "Uncaught TypeError: no foo"],
    [{ type: "error", message: "Uncaught Uncaught x" }, "Uncaught x"],
    [
      { type: "unhandledrejection", reason: "TypeError: no foo", stack: STACK },
      "Uncaught (in promise) TypeError: no foo",
    ],
    [{ type: "unhandledrejection", reason: STACK, stack: STACK }, "Uncaught (in promise) TypeError: no foo"],
    [
      { type: "error", message: "<img> did not load: x", resource: { tag: "img", url: "x" } },
      "<img> did not load: x",
    ],
    [{ type: "error" }, "Uncaught error"],
  ])("reads %j as %s", (message, expected) => {
    const data = fromAppMessage({ ...base, ...message } as ConsoleAppMessage, "cdp", undefined);
    expect(data).toMatchObject({ level: "error", text: expected, source: "cdp" });
  });

  it("takes the place of an error from its stack when the message has none", () => {
    const data = fromAppMessage(
      { ...base, type: "unhandledrejection", reason: "x", stack: STACK },
      "sdk",
      PAGE,
    );
    expect(data.location).toEqual({ url: "http://localhost:3000/a.js", line: 4, column: 9 });
  });
});

describe("a console line of the extension", () => {
  it("becomes the same record, and a message of the app wire for agents that read no records", () => {
    const line = fromConsoleEvent(
      event(
        {
          method: "debug",
          args: [text("%d items"), { type: "number", value: 2 }],
          callId: "i1:4",
          groupDepth: 1,
        },
        { frameUrl: "http://ads.example/x", documentId: "d" },
      ),
    );
    expect(line.type).toBe("console");
    expect(line.data).toMatchObject({
      level: "log",
      method: "debug",
      text: "2 items",
      args: ["%d items", "2"],
      source: "extension",
      origin: "http://ads.example",
      frame: { url: "http://ads.example/x", isTop: false, documentId: "d" },
      tab: { id: 7, url: PAGE, title: "Shop" },
      callId: "i1:4",
      groupDepth: 1,
    });
    expect(line.message).toEqual({
      type: "console",
      level: "log",
      method: "debug",
      args: ["%d items", "2"],
      callId: "i1:4",
    });
  });

  it("is an error record when nothing caught the error, with file and line", () => {
    const thrown: ConsoleArgument = { type: "error", value: "TypeError: no foo", stack: STACK };
    const error = fromConsoleEvent(event({ method: "error", uncaught: "error", args: [thrown] }));
    expect(error).toMatchObject({
      type: "error",
      data: {
        text: "Uncaught TypeError: no foo",
        location: { url: "http://localhost:3000/a.js", line: 4, column: 9 },
        stack: STACK,
      },
      message: { type: "error", message: "Uncaught TypeError: no foo", lineno: 4, stack: STACK },
    });
    const rejection = fromConsoleEvent(event({ method: "error", uncaught: "rejection", args: [text("no")] }));
    expect(rejection).toMatchObject({
      type: "unhandledrejection",
      data: { text: "Uncaught (in promise) no" },
      message: { type: "unhandledrejection", reason: "no" },
    });
  });
});

import type { Log } from "@debug-bridge/protocol";
import { logSchema } from "@debug-bridge/protocol/schemas";
import { describe, expect, it } from "vitest";
import { ActionLogs, filterLogs } from "./logs.js";
import { terminalLine } from "./terminal-line.js";

describe("the logs of an action", () => {
  it("have a level, a source, a category and a severity [RUN-117…119]", () => {
    const logs = new ActionLogs();
    logs.debug = true;
    for (const type of ["error", "warning", "info", "debug", "verbose"] as const) logs.tool(type, type);
    logs.browser({ type: "error", message: "x", category: "javascript", stack: "Error: x\n at a" });
    logs.browser({ type: "warning", message: "y", category: "network" });
    logs.browser({ type: "info", message: "z", category: "console" });
    const taken = logs.drainEntries();
    expect(taken.map(({ severity }) => severity)).toEqual([4, 3, 2, 1, 0, 4, 3, 2]);
    for (const log of taken) expect(logSchema.safeParse(log).success).toBe(true);
  });

  it("are returned once and then cleared [RUN-121, RUN-123]", () => {
    const received: Log[] = [];
    const logs = new ActionLogs((log) => received.push(log));
    logs.tool("info", "a");
    logs.browser({ type: "info", message: "b" });
    expect(logs.drainEntries().map(({ message }) => message)).toEqual(["a", "b"]);
    expect(logs.drainEntries()).toEqual([]);
    expect(received.map(({ message }) => message)).toEqual(["a", "b"]);
  });

  it("have debug entries only when debugging is on [RUN-049]", () => {
    const logs = new ActionLogs();
    logs.tool("debug", "chose 3, 4");
    expect(logs.drainEntries()).toEqual([]);
    logs.debug = true;
    logs.tool("debug", "chose 3, 4");
    logs.debug = false;
    logs.browser({ type: "debug", message: "the page's own" });
    expect(logs.drainEntries().map(({ message }) => message)).toEqual(["chose 3, 4", "the page's own"]);
  });

  it("leave out warnings that our own calls cause [RUN-014]", () => {
    const logs = new ActionLogs();
    logs.browser({ type: "warning", message: "Deprecated API for given entry type." });
    expect(logs.drainEntries()).toEqual([]);
  });

  it("mark slow steps for user interfaces [RUN-100]", () => {
    const logs = new ActionLogs();
    logs.loading("Loading …");
    expect(logs.drainEntries()[0]).toMatchObject({ type: "info", source: "tool", category: "loading" });
  });

  it("can be filtered by type, by category and by severity [RUN-120]", () => {
    const logs = new ActionLogs();
    logs.browser({ type: "error", message: "js", category: "javascript" });
    logs.browser({ type: "warning", message: "net", category: "network" });
    logs.browser({ type: "info", message: "con", category: "console" });
    const all = logs.drainEntries();
    const kept = (filter: Parameters<typeof filterLogs>[1]): string[] =>
      filterLogs(all, filter).map(({ message }) => message);
    expect(kept({})).toEqual(["js", "net", "con"]);
    expect(kept({ types: ["warning", "info"] })).toEqual(["net", "con"]);
    expect(kept({ categories: ["network", "javascript"] })).toEqual(["js", "net"]);
    expect(kept({ minSeverity: 3 })).toEqual(["js", "net"]);
    expect(kept({ types: ["error"], categories: ["network"] })).toEqual([]);
  });

  it("are bounded, whatever a page logs, and have no control characters", () => {
    const logs = new ActionLogs();
    for (let i = 0; i < 3_000; i++) logs.browser({ type: "info", message: "\u001b[31m".repeat(10_000) });
    const taken = logs.drainEntries();
    expect(taken.length).toBeLessThan(100);
    expect(JSON.stringify(taken).length).toBeLessThan(1_200_000);
    expect(taken[0]?.message).not.toContain("\u001b");
    expect(taken[0]?.message.length).toBeLessThan(21_000);
    expect(taken.at(-1)?.message).toMatch(/29\d\d log entries were left out/);
    for (let i = 0; i < 3_000; i++) logs.browser({ type: "info", message: "short" });
    logs.tool("error", "still received");
    expect(logs.drainEntries().slice(-2)).toMatchObject([
      { message: "still received" },
      { message: expect.stringContaining("1000 log entries") },
    ]);
  });
});

describe("a log entry in a terminal", () => {
  const log = (type: Log["type"], source: Log["source"]): Log => ({
    type,
    source,
    message: "m",
    timestamp: 0,
  });

  it("has a prefix when it comes from the browser, and the colour of its level [RUN-124, RUN-125]", () => {
    expect(terminalLine(log("error", "browser"))).toMatchObject({ prefix: "browser:error", colour: "red" });
    expect(terminalLine(log("warning", "browser"))).toMatchObject({
      prefix: "browser:warn",
      colour: "yellow",
    });
    expect(terminalLine(log("info", "browser"))).toMatchObject({ prefix: "browser:info", colour: "blue" });
    expect(terminalLine(log("debug", "browser"))).toMatchObject({ prefix: "browser:debug", colour: "green" });
    expect(terminalLine(log("verbose", "browser"))).toMatchObject({ prefix: "browser:log", colour: "green" });
    expect(terminalLine(log("error", "tool")).prefix).toBe("error");
  });

  it("shows a stack once, with its message", () => {
    const error = {
      ...log("error", "browser"),
      message: "x is not defined",
      stack: "Error: x is not defined\n at a",
    };
    expect(terminalLine(error).text).toBe("Error: x is not defined\n at a");
    expect(terminalLine({ ...error, stack: "at a" }).text).toBe("x is not defined\nat a");
  });
});

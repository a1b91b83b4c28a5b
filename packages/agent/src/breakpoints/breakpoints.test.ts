import type { BreakpointSpec } from "@debug-bridge/protocol";
import { breakpointSchema, check } from "@debug-bridge/protocol/schemas";
import { beforeEach, describe, expect, it } from "vitest";
import type { BreakpointContext } from "./breakpoint-context.js";
import { Breakpoints } from "./breakpoints.js";
import { Pattern } from "./pattern.js";

let reported: string[];
let breakpoints: Breakpoints;
beforeEach(() => {
  reported = [];
  breakpoints = new Breakpoints((message) => reported.push(message));
});

const tool = (name: string, input: unknown = {}): BreakpointContext => ({
  at: "tool",
  iteration: 1,
  name,
  toolId: "t",
  input,
});
const hits = (moment: BreakpointContext): string | undefined => breakpoints.hit(moment)?.breakpoint.id;

describe("breakpoints", () => {
  it("have ids that begin with bp- and are not reused [AGT-059]", () => {
    const first = breakpoints.add({ on: "error" });
    breakpoints.clear(first.id);
    const second = breakpoints.add({ on: "error" });
    expect(first.id).toMatch(/^bp-/);
    expect(second.id).not.toBe(first.id);
  });

  it("match every tool, and a tool of an MCP server without the server's name", () => {
    breakpoints.add({ on: "tool", name: "act" });
    expect([hits(tool("act")), hits(tool("mcp__debug-bridge__act"))]).toEqual(["bp-1", "bp-1"]);
    expect([hits(tool("react")), hits(tool("mcp__other__react")), hits(tool("x__act"))]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    breakpoints.add({ on: "tool", name: "*" });
    expect(hits(tool("anything"))).toBe("bp-2");
  });

  it("of a group are replaced together: others stay, and those that remain keep their hits", () => {
    breakpoints.add({ on: "tool", name: "mine" });
    breakpoints.replace("chat", [{ on: "error" }, { on: "tool", name: "act" }]);
    hits(tool("act"));
    const after = breakpoints.replace("chat", [
      { on: "tool", name: "act" },
      { on: "tool", name: "*" },
    ]);
    expect(after).toMatchObject([
      { id: "bp-1", condition: "mine" },
      { id: "bp-3", condition: "act", hits: 1, group: "chat" },
      { id: "bp-4", condition: "*", group: "chat" },
    ]);
    for (const each of after) expect(check(breakpointSchema, each).ok).toBe(true);
    const restored = new Breakpoints(() => {});
    restored.restore(breakpoints.save());
    expect(restored.replace("chat", [])).toMatchObject([{ id: "bp-1" }]);
  });

  it("match a tool, an iteration, a pattern, an error or an event [AGT-056…058]", () => {
    const specs: BreakpointSpec[] = [
      { on: "tool", name: "write_file" },
      { on: "iteration", count: 3 },
      { on: "pattern", regex: "rm -rf" },
      { on: "error" },
      { on: "event", event: "console", session: "shop", regex: "declined" },
    ];
    const ids = specs.map((spec) => breakpoints.add(spec).id);
    const event = { at: "event", iteration: 1, event: "console", session: "shop" } as const;
    expect([
      hits(tool("write_file")),
      hits({ at: "model", iteration: 3 }),
      hits(tool("run", { command: "rm -rf /" })),
      hits({ at: "error", iteration: 1, message: "x" }),
      hits({ ...event, data: { args: ["card declined"] } }),
    ]).toEqual(ids);
    expect([
      hits(tool("read_file")),
      hits({ at: "model", iteration: 4 }),
      hits(tool("run", { command: "rm" })),
      hits({ ...event, data: {} }),
      hits({ ...event, session: "other", data: "declined" }),
    ]).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });

  it("can have a condition, a hit count and a single use", () => {
    const add = { name: "write_file", on: "tool" } as const;
    const conditional = breakpoints.add({ ...add, condition: 'input.path == "a"' }).id;
    expect([hits(tool("write_file", { path: "b" })), hits(tool("write_file", { path: "a" }))]).toEqual([
      undefined,
      conditional,
    ]);
    breakpoints.clearAll();
    const third = breakpoints.add({ ...add, hitCount: 3 }).id;
    expect([1, 2, 3, 4].map(() => hits(tool("write_file")))).toEqual([undefined, undefined, third, third]);
    breakpoints.clearAll();
    const once = breakpoints.add({ ...add, once: true }).id;
    expect([1, 2].map(() => hits(tool("write_file")))).toEqual([once, undefined]);
    expect(breakpoints.list()).toEqual([]);
  });

  it("are listed with id and condition, cleared one by one or together, disabled and enabled [AGT-060…062]", () => {
    const a = breakpoints.add({ on: "tool", name: "a" });
    const b = breakpoints.add({ on: "iteration", count: 7, deadlineMs: 5 });
    expect(breakpoints.list().map(({ id, condition }) => [id, condition])).toEqual([
      [a.id, "a"],
      [b.id, 7],
    ]);
    for (const breakpoint of breakpoints.list()) expect(check(breakpointSchema, breakpoint).ok).toBe(true);
    breakpoints.setEnabled(a.id, false);
    expect(hits(tool("a"))).toBeUndefined();
    breakpoints.setEnabled(a.id, true);
    expect(hits(tool("a"))).toBe(a.id);
    expect(breakpoints.hit({ at: "model", iteration: 7 })?.deadlineMs).toBe(5);
    breakpoints.clear(a.id);
    expect(breakpoints.list().map(({ id }) => id)).toEqual([b.id]);
    expect(() => breakpoints.clear(a.id)).toThrow(
      `breakpoint "${a.id}" does not exist; existing breakpoints: ${b.id}`,
    );
    expect(breakpoints.clearAll()).toBe(1);
    expect(breakpoints.list()).toEqual([]);
  });

  it("are restored as they were saved", () => {
    breakpoints.add({ on: "tool", name: "a", hitCount: 2 });
    breakpoints.add({ on: "pattern", regex: "x" });
    hits(tool("a"));
    const other = new Breakpoints(() => {});
    other.restore(JSON.parse(JSON.stringify(breakpoints.save())));
    expect(other.list()).toEqual(breakpoints.list());
    expect(other.hit(tool("a"))?.breakpoint.id).toBe("bp-1");
    expect(other.add({ on: "error" }).id).toBe("bp-3");
  });

  it("with an invalid regular expression are rejected [AGT-065]", () => {
    expect(() => breakpoints.add({ on: "pattern", regex: "(" })).toThrow("Unterminated group");
    expect(() => breakpoints.add({ on: "tool", name: "a", condition: "a =" })).toThrow("condition");
    expect(breakpoints.list()).toEqual([]);
  });

  it.each(["(a+)+$", "(a|a)*b", "([a-z]+)*$", "(\\w+\\s?)*$", "(.*)*x", "(x+x+)+y"])(
    "with the pattern %s, which would hang the agent, are refused quickly [AGT-065]",
    (regex) => {
      const before = process.cpuUsage();
      expect(() => breakpoints.add({ on: "pattern", regex })).toThrow("takes too long");
      // Time on the processor: how long it waits for one says nothing about the pattern.
      expect(process.cpuUsage(before).user / 1_000).toBeLessThan(2_000);
    },
  );

  it("whose pattern hangs later are disabled, and the agent continues", () => {
    const { id } = breakpoints.add({ on: "pattern", regex: "(ü|ü)*$" });
    expect(hits(tool("run", "ü".repeat(60)))).toBeUndefined();
    expect(reported).toEqual([expect.stringContaining(`breakpoint ${id} is disabled`)]);
    expect(breakpoints.list()[0]?.enabled).toBe(false);
  });
});

describe("a pattern", () => {
  it("matches like a regular expression", () => {
    const pattern = Pattern.checked("a.c");
    expect([pattern.test("xabcx"), pattern.test("ac")]).toEqual([true, false]);
  });
});

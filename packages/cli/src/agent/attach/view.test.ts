import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FileEvent } from "../events/event-line.js";
import { NO_INPUT, type Press, type Pressed, press } from "./input.js";
import { type AgentView, EMPTY_VIEW, withEvent } from "./view.js";

const view = (events: readonly FileEvent[], quiet: readonly string[] = []): AgentView =>
  events.reduce((at, event) => withEvent(at, event, (id) => quiet.includes(id as string)), EMPTY_VIEW);

describe("what the screen shows of an agent", () => {
  it("follows from its events", () => {
    const at = view([
      { type: "session_start", data: { provider: "p", model: "m" } },
      { type: "user_input", data: { input: "fix it" } },
      { type: "assistant_message", data: { content: "on it" } },
      { type: "breakpoint_hit", data: { iteration: 4, toolCall: { toolId: "t1", name: "Bash" } } },
      { type: "paused", data: { reason: "breakpoint bp-1", iteration: 4 } },
    ]);
    expect(at).toMatchObject({
      provider: "p/m",
      iteration: 4,
      paused: "breakpoint bp-1",
      call: { toolId: "t1", name: "Bash" },
      messages: [
        { role: "user", text: "fix it" },
        { role: "assistant", text: "on it" },
      ],
    });
    expect(view([...at.events, { type: "resumed", data: {} }]).paused).toBeUndefined();
  });

  it("shows a paused agent as paused when only inspect reports it", () => {
    const inspected = (paused: boolean): FileEvent => ({
      type: "command_response",
      data: { commandId: "1", type: "inspect", success: true, data: { paused } },
    });
    expect(view([inspected(true)]).paused).toBe("paused");
    expect(view([{ type: "paused", data: { reason: "bp-1" } }, inspected(true)]).paused).toBe("bp-1");
    expect(view([inspected(true), inspected(false)]).paused).toBeUndefined();
  });

  it("shows answers (all messages, the breakpoints, refusals) and hides those that nobody requested", () => {
    const answer = (data: object): FileEvent => ({ type: "command_response", data });
    const at = view(
      [
        answer({
          commandId: "1",
          type: "inspect",
          success: true,
          data: { messages: { all: [{ role: "user", content: [{ type: "text", text: "hi" }] }] } },
        }),
        answer({
          commandId: "2",
          type: "breakpoint",
          success: true,
          data: { breakpoints: [{ id: "bp-1" }] },
        }),
        answer({ commandId: "3", type: "cancel_tool", success: false, error: "no such call" }),
        { type: "command_executed", data: {} },
      ],
      ["1", "2"],
    );
    expect(at).toMatchObject({
      messages: [{ role: "user", text: "hi" }],
      breakpoints: [{ id: "bp-1" }],
      notice: { text: "cancel_tool: no such call", isError: true },
    });
    expect(at.events).toHaveLength(1);
  });

  it("exists for any events", () => {
    const types = [
      "session_start",
      "paused",
      "breakpoint_hit",
      "tool_call_start",
      "user_input",
      "command_response",
      "x",
    ];
    const response = fc.record({
      type: fc.constantFrom("inspect", "breakpoint"),
      success: fc.boolean(),
      data: fc.jsonValue(),
    });
    const event = fc.record({ type: fc.constantFrom(...types), data: fc.oneof(fc.jsonValue(), response) });
    fc.assert(
      fc.property(fc.array(event), (events) => {
        const { breakpoints, messages } = view(events);
        for (const { id } of breakpoints) expect(typeof id).toBe("string");
        for (const { text } of messages) expect(typeof text).toBe("string");
      }),
    );
  });
});

describe("the keys of the screen", () => {
  const held = { ...EMPTY_VIEW, call: { toolId: "t1", name: "Bash" } };
  const typed = (keys: readonly Press[], at = EMPTY_VIEW): Pressed =>
    keys.reduce<Pressed>(({ input }, key) => press(input, key, at, 10), { input: NO_INPUT });
  const enter = { key: "enter" } as const;

  it.each([
    [["p"], "pause", {}],
    [["s"], "step", {}],
    [["x"], "cancel_tool", { toolId: "t1" }],
    [["b", ..."tool write_file", enter], "breakpoint", { action: "add", on: "tool", name: "write_file" }],
    [["b", ..."iteration 5", enter], "breakpoint", { action: "add", on: "iteration", count: 5 }],
    [["b", ..."error", enter], "breakpoint", { action: "add", on: "error" }],
    [["d", ..."bp-1", enter], "breakpoint", { action: "clear", id: "bp-1" }],
    [["d", ..."all", enter], "breakpoint", { action: "clear-all" }],
    [["m", ..."stop it", enter], "inject_message", { role: "user", content: "stop it" }],
    [["e", ..."input.path a b", enter], "set_variable", { key: "input.path", value: "a b" }],
    [["e", ..."max 5", enter], "set_variable", { key: "max", value: 5 }],
    [["n", ..."cp-1", enter], "branch", { checkpoint: "cp-1" }],
    [["u", ..."5", enter], "set_variable", { key: "input", value: 5 }],
    [["w", ..."cp-2x", { key: "backspace" } as const, enter], "rewind", { checkpoint: "cp-2" }],
  ] as [Press[], string, object][])("%j give %s", (keys, type, data) => {
    expect(typed(keys, held).command).toEqual({ type, data });
  });

  it("explain what is wrong, and send nothing when they are cancelled", () => {
    expect(typed(["x"]).input.wrong).toContain("no tool call");
    expect(typed(["b", ..."moon", enter]).input.wrong).toContain('"moon"');
    expect(typed(["b", ..."iteration x", enter]).input.wrong).toContain("a number");
    expect(typed(["e", ..."one", enter]).input.wrong).toContain("a name and a value");
    expect(typed(["m", ..."half", { key: "escape" }])).toEqual({ input: { ...NO_INPUT } });
    expect(typed(["q"]).quit).toBe(true);
    expect(typed(["z"]).command).toBeUndefined();
  });

  it("scroll no further than there are events", () => {
    const events = Array.from({ length: 25 }, () => ({ type: "x" }));
    const at = { ...EMPTY_VIEW, events };
    const up = { key: "pageUp" } as const;
    expect(typed([up], at).input.back).toBe(10);
    expect(typed([up, up, up], at).input.back).toBe(15);
    expect(typed([{ key: "down" }], at).input.back).toBe(0);
    expect(typed([up], EMPTY_VIEW).input.back).toBe(0);
  });
});

import { describe, expect, it } from "vitest";
import { ConsoleState } from "./console-state.js";

describe("ConsoleState", () => {
  it("counts per label, and from 1 again after a reset", () => {
    const state = new ConsoleState();
    const count = (...args: unknown[]) => state.print("count", args)?.args[0];
    expect([count("a"), count("a"), count(), count("b")]).toEqual(["a: 1", "a: 2", "default: 1", "b: 1"]);
    expect(state.print("countReset", ["a"])?.args).toEqual(["a"]);
    expect(count("a")).toBe("a: 1");
    expect(state.print("countReset", ["never"])?.args).toEqual(["Count for 'never' does not exist"]);
  });

  it("reports how many groups were open at the call", () => {
    const state = new ConsoleState();
    expect(state.print("group", ["outer"])?.groupDepth).toBe(0);
    state.print("groupCollapsed", ["inner"]);
    expect(state.print("log", ["x"])?.groupDepth).toBe(2);
    state.print("groupEnd", []);
    expect(state.print("log", ["x"])?.groupDepth).toBe(1);
    state.print("clear", []);
    expect(state.print("log", ["x"])?.groupDepth).toBe(0);
    state.print("groupEnd", []);
    expect(state.print("log", ["x"])?.groupDepth).toBe(0);
  });

  it("measures timers, with what was passed along", () => {
    const state = new ConsoleState();
    expect(state.print("time", ["t"])?.args).toEqual(["t"]);
    expect(state.print("time", ["t"])?.args).toEqual(["Timer 't' already exists"]);
    const [elapsed, ...rest] = state.print("timeLog", ["t", { a: 1 }])?.args ?? [];
    expect(elapsed).toMatch(/^t: \d+\.\d{3} ms$/);
    expect(rest).toEqual([{ a: 1 }]);
    expect(state.print("timeEnd", ["t"])?.args[0]).toMatch(/^t: \d+\.\d{3} ms$/);
    expect(state.print("timeEnd", ["t"])?.args).toEqual(["Timer 't' does not exist"]);
  });

  it("prints an assertion only when it fails", () => {
    const state = new ConsoleState();
    expect(state.print("assert", [true, "x"])).toBeUndefined();
    expect(state.print("assert", [false])?.args).toEqual(["Assertion failed"]);
    expect(state.print("assert", [0, "%s is bad", "x", 1])?.args).toEqual([
      "Assertion failed",
      "%s is bad",
      "x",
      1,
    ]);
  });

  it("formats neither tables nor dirs", () => {
    const state = new ConsoleState();
    expect(state.print("dir", ["%s", 1])?.args).toEqual(["%s"]);
    expect(state.print("table", ["%s", 1])?.args).toEqual(["%s", 1]);
  });

  it("keeps groups and counters right for calls that are not reported", () => {
    const state = new ConsoleState();
    state.track("group", ["g"]);
    state.track("count", ["c"]);
    expect(state.print("log", [])?.groupDepth).toBe(1);
    expect(state.print("count", ["c"])?.args).toEqual(["c: 2"]);
  });

  it("shows the object of a dir, and not its display options", () => {
    const state = new ConsoleState();
    const object = { a: 1 };
    expect(state.print("dir", [object, { depth: null }])?.args).toEqual([object]);
  });
});

import { describe, expect, test } from "vitest";
import { chooseFailure } from "../choose-failure.js";
import { isSameFailure, plainMessage } from "./failures.js";
import { type RecordedEvent, readRecording } from "./read-recording.js";

const START = 1_767_225_600_000;
let sequence = 0;

const event = (at: number, type: string, data: object, more: Partial<RecordedEvent> = {}): RecordedEvent => ({
  ...{ type, timestamp: START + at, sequence: ++sequence },
  data: { sessionId: "s", timestamp: START + at, origin: "app", type, ...data },
  ...more,
});
const started = event(0, "recording_start", {
  ...{ url: "http://localhost/", timeZone: "Europe/Oslo", language: "en", width: 800, height: 600, seed: 5 },
});
const css = (value: string) => [{ by: "css", value }];
const did = (
  at: number,
  action: string,
  selector: string,
  more: object = {},
  record: Partial<RecordedEvent> = {},
) => event(at, "interaction", { action, locators: css(selector), url: "http://localhost/", ...more }, record);
const network = (at: number, phase: string, more: object = {}) =>
  event(at, "network", {
    id: "n1",
    phase,
    api: "fetch",
    method: "GET",
    url: "http://localhost/api",
    ...more,
  });

const stepsOf = (...events: RecordedEvent[]) =>
  readRecording([started, ...events]).steps.map(({ action, value, at }) =>
    value === undefined ? [at, action] : [at, action, value],
  );

describe("steps of a recording", () => {
  test("typing becomes one step, unless the app sent a request in between", () => {
    expect(stepsOf(did(10, "fill", "#a", { value: "x" }), did(20, "fill", "#a", { value: "xy" }))).toEqual([
      [20, "fill", "xy"],
    ]);
    expect(
      stepsOf(
        did(10, "fill", "#a", { value: "x" }),
        network(15, "request"),
        did(20, "fill", "#a", { value: "xy" }),
      ),
    ).toEqual([
      [10, "fill", "x"],
      [20, "fill", "xy"],
    ]);
  });

  test("leaving a field is part of filling it in; after Enter it is not", () => {
    const { steps } = readRecording([
      started,
      did(10, "fill", "#a", { value: "x" }),
      network(15, "request"),
      did(20, "fill", "#a", { value: "x", committed: true }),
      did(30, "fill", "#b", { value: "y" }),
      did(40, "press", "#b", { key: "Enter" }),
      did(41, "fill", "#b", { value: "y", committed: true }),
    ]);
    expect(steps.map(({ action, value, committed, at }) => [at, action, value, committed])).toEqual([
      [10, "fill", "x", true],
      [30, "fill", "y", undefined],
      [40, "press", undefined, undefined],
    ]);
  });

  test("a double click replaces its two clicks", () => {
    expect(stepsOf(did(10, "click", "#a"), did(90, "click", "#a"), did(91, "dblclick", "#a"))).toEqual([
      [91, "dblclick"],
    ]);
  });

  test("clicks of scripts count only when an agent clicked", () => {
    const command = event(5, "command", { type: "click" });
    const caused = { causedBy: command.sequence };
    expect(stepsOf(did(10, "click", "#a", { synthetic: true }))).toEqual([]);
    expect(stepsOf(command, did(10, "click", "#a", { synthetic: true }, caused))).toEqual([[10, "click"]]);
    expect(stepsOf(command, did(10, "fill", "#a", { synthetic: true, value: "" }, caused))).toEqual([]);
  });

  test("addresses and the back button are steps; what a click led to is not", () => {
    const to = (at: number, kind: string) =>
      event(at, "navigation", { from: "http://localhost/", to: "http://localhost/b", kind });
    expect(stepsOf(did(100, "click", "#a"), to(150, "load"))).toEqual([[100, "click"]]);
    expect(stepsOf(did(100, "click", "#a"), to(9_000, "load"), to(19_000, "pop"))).toEqual([
      [100, "click"],
      [9_000, "goto"],
      [19_000, "back"],
    ]);
  });

  test("a page that is loaded before anything is done in it is the beginning", () => {
    const again = event(500, "recording_start", {
      ...(started.data as object),
      timestamp: START + 500,
      seed: 9,
    });
    const { steps, seed, time, exchanges } = readRecording([
      started,
      event(400, "navigation", { from: "http://localhost/", to: "http://localhost/", kind: "load" }),
      network(490, "request"),
      again,
      network(520, "response", { status: 200, body: "{}" }),
      did(700, "click", "#a"),
      event(800, "recording_start", { ...(started.data as object), seed: 1 }),
      did(900, "click", "#b"),
    ]);
    expect({ seed, time }).toEqual({ seed: 9, time: START + 500 });
    expect(steps.map(({ action, at }) => [at, action])).toEqual([
      [200, "click"],
      [400, "click"],
    ]);
    expect(exchanges).toMatchObject([{ from: 0, until: 20 }]);
  });

  test("requests have their bodies and times; a body that was cut is left out", () => {
    const { exchanges } = readRecording([
      started,
      network(10, "request"),
      network(40, "response", { status: 200, body: '{"a":1}' }),
      network(50, "request", { id: "n2" }),
      network(60, "response", { id: "n2", status: 200, body: "abc… [9 more characters]" }),
    ]);
    expect(exchanges).toMatchObject([
      { from: 10, until: 40, status: 200, body: '{"a":1}', headers: { "content-type": "application/json" } },
      { from: 50, until: 60 },
    ]);
    expect(exchanges[1]).not.toHaveProperty("body");
  });

  test("a recording without interactions is refused with what to do", () => {
    expect(() => readRecording([network(1, "request")])).toThrow(
      /Record again with debug-bridge record start/,
    );
  });

  test("records that the hub would not have written are left out", () => {
    expect(stepsOf(event(10, "interaction", { action: "explode", locators: "all" }))).toEqual([]);
  });
});

describe("failures", () => {
  const error = (message: string, line: number, url = "http://localhost/src/a.ts?t=1") =>
    ({ kind: "error", message, at: 0, place: { url, line, column: 1 } }) as const;

  test("are the same by message and place, whatever numbers and versions they contain", () => {
    expect(isSameFailure(error("no row 12", 3), error("no row 7", 3, "http://localhost/src/a.ts?t=2"))).toBe(
      true,
    );
    expect(isSameFailure(error("no row 12", 3), error("no row 12", 4))).toBe(false);
    expect(isSameFailure(error("no row", 3), error("no column", 3))).toBe(false);
  });

  test("have a message without what browsers put before it", () => {
    expect(plainMessage("Uncaught (in promise) TypeError: x is null\n at a")).toBe("x is null");
  });

  test("the last uncaught error is chosen, or the one that is named", () => {
    const recording = readRecording([
      started,
      event(1, "error", { message: "Uncaught Error: first" }),
      event(2, "error", { message: "Uncaught Error: second" }),
      event(3, "console", { level: "error", args: ["printed"] }),
    ]);
    expect(chooseFailure(recording, {}).message).toBe("second");
    expect(chooseFailure(recording, { error: "fir" }).message).toBe("first");
    expect(chooseFailure(recording, { shows: "Total: 3" })).toMatchObject({ kind: "text" });
    expect(() => chooseFailure(recording, { error: "third" })).toThrow(/"first", "second", "printed"/);
  });
});

import type { ConsoleArgument } from "@debug-bridge/protocol";
import { describe, expect, it } from "vitest";
import { render, terminalFeatures, visibleLength } from "../terminal/style.js";
import type { ConsoleLine } from "./line.js";
import { Printer, screenOf } from "./printer.js";

const text = (value: string): ConsoleArgument => ({ type: "string", value });
const nested = (value: number): ConsoleArgument =>
  [1, 2, 3, 4, 5].reduce<ConsoleArgument>((inner) => ({ type: "object", value: { a: inner } }), {
    type: "number",
    value,
  });

function line(
  method: ConsoleLine["method"],
  args: ConsoleArgument[],
  more: Partial<ConsoleLine> = {},
): ConsoleLine {
  return {
    sessionId: "tab-1",
    at: 0,
    method,
    level: "log",
    args,
    plain: args.map(({ value }) => String(value)).join(" "),
    url: "http://localhost/",
    title: "Shop",
    tabId: 1,
    frameUrl: undefined,
    documentId: undefined,
    location: undefined,
    groupDepth: undefined,
    hasGroupEnds: true,
    stack: undefined,
    uncaught: false,
    callId: undefined,
    ...more,
  };
}

/** Text as a stream shows it. */
const shownOn = (stream: { isTTY: boolean }, text: string): string =>
  render(text, terminalFeatures(stream, {}));

/** The lines that are printed, without their times. */
function printed(...lines: ConsoleLine[]): string[] {
  const printer = new Printer({ screen: screenOf({ isTTY: false }), latency: false, now: () => 0 });
  const all = lines.map((each) => printer.print(each, each.location)).join("") + printer.end();
  return shownOn({ isTTY: false }, all)
    .split("\n")
    .map((each) => each.slice(15));
}

describe("repeated lines", () => {
  it("are counted only when nothing in them differs", () => {
    const lines = printed(line("log", [nested(1)]), line("log", [nested(2)]), line("log", [nested(2)]));
    expect(lines.filter((each) => each.startsWith("{a:"))).toHaveLength(2);
    expect(lines).toContain("↻ 2 times");
  });

  it("are shown again in another group and in another frame", () => {
    const same = [text("same")];
    expect(printed(line("log", same, { groupDepth: 0 }), line("log", same, { groupDepth: 1 }))).toEqual([
      "same",
      "│ same",
      "",
    ]);
    expect(printed(line("log", same), line("log", same, { frameUrl: "http://a/" }))).toHaveLength(3);
  });

  it("are not combined across groups, which have their own indentation", () => {
    expect(
      printed(line("group", [text("g")]), line("group", [text("g")]), line("log", [text("in")])),
    ).toEqual(["g", "│ g", "│ │ in", ""]);
  });
});

describe("groups", () => {
  const group = line("group", [text("open")], { documentId: "first" });

  it("end when the console is cleared", () => {
    const lines = printed(
      group,
      line("clear", [], { documentId: "first" }),
      line("log", [text("after")], { documentId: "first" }),
    );
    expect(lines[2]).toBe("after");
  });

  it("end with their document", () => {
    expect(printed(group, line("log", [text("next page")], { documentId: "second" }))[1]).toBe("next page");
  });

  it("are as deep as the page reports, even if lines were missed", () => {
    const lines = printed(
      group,
      line("log", [text("out")], { documentId: "first", groupDepth: 0 }),
      line("error", [text("uncaught")], { documentId: "first" }),
    );
    expect(lines.slice(1)).toEqual(["out", "uncaught", ""]);
  });

  it("are followed through lines that are not shown", () => {
    const printer = new Printer({ screen: screenOf({ isTTY: false }), latency: false, now: () => 0 });
    printer.print(group, undefined);
    printer.skip(line("groupEnd", [], { documentId: "first" }));
    const after = printer.print(line("log", [text("after")], { documentId: "first" }), undefined);
    expect(shownOn({ isTTY: false }, after).slice(15)).toBe("after\n");
  });
});

describe("timers and counters", () => {
  it("begin in silence, unless something is wrong with them", () => {
    expect(
      printed(
        line("time", [text("load")]),
        line("time", [text("Timer 'load' already exists")]),
        line("countReset", [text("clicks")]),
        line("countReset", [text("Count for 'other' does not exist")]),
      ),
    ).toEqual(["Timer 'load' already exists", "Count for 'other' does not exist", ""]);
  });
});

describe("on a terminal", () => {
  it("tables and objects do not go over the edge", () => {
    const screen = screenOf({ isTTY: true, columns: 80 });
    const printer = new Printer({ screen, latency: false, now: () => 0 });
    const row: ConsoleArgument = {
      type: "object",
      value: Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`c${i}`, text("x".repeat(i))])),
    };
    const shown = [
      printer.print(line("log", [{ type: "array", value: [text("y".repeat(900))] }]), undefined),
      printer.print(line("table", [{ type: "array", value: [row] }], { groupDepth: 1 }), undefined),
    ].join("");
    expect(shown).toContain("more columns");
    for (const each of shown.split("\n")) expect(visibleLength(each)).toBeLessThanOrEqual(80);
  });
});

describe("repeated lines on a terminal", () => {
  it("are counted in one line that is written again, with a link to their place", () => {
    const printer = new Printer({ screen: screenOf({ isTTY: true }), latency: false, now: () => 0 });
    const location = { url: "http://localhost/a.js", line: 1, column: 2 };
    const all = [1, 2, 3].map(() => printer.print(line("log", [text("x")], { location }), location)).join("");
    const shown = shownOn({ isTTY: true }, all);
    expect(shown).toContain("\u001b]8;;http://localhost/a.js\u001b\\a.js:1:2\u001b]8;;\u001b\\");
    expect(shown.split("\u001b[1A\u001b[2K")).toHaveLength(2);
    expect(shown).toMatch(/↻ 2 times[\s\S]*↻ 3 times/);
  });
});

describe("a page that wants to write where it should not", () => {
  it("cannot go back to the beginning of a line", () => {
    const lines = printed(
      line("log", [text("real\rfake\r\nnext")], {
        title: "T\r\nitle",
        location: { url: "a\r.js", line: 1, column: 1 },
      }),
    );
    expect(lines.join("\n")).not.toContain("\r");
    expect(lines).toEqual(["real  a.js:1:1", "fake", "next", ""]);
  });
});

describe("lines whose reporter sends no ends of groups", () => {
  it("are not indented more and more", () => {
    const open = line("group", [text("g")], { hasGroupEnds: false });
    expect(printed(open, open, line("log", [text("after")], { hasGroupEnds: false }))).toEqual([
      "g",
      "g",
      "after",
      "",
    ]);
  });
});

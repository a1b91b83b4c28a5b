import { readFileSync } from "node:fs";
import { join } from "node:path";
import { shellTools, tools } from "@debug-bridge/mcp";
import { beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { loadAll } from "../../../packages/cli/dist/catalog.js";
import { parseSeconds } from "../../../packages/cli/dist/options.js";
import { buildProgram } from "../../../packages/cli/dist/program.js";
import { ROOT } from "../../fixtures.js";
import { OLD_WORDS, TELLING } from "../../support/docs/words.js";

const CONTRACT = `up open init doctor extension token completion mcp sessions observe find act logs why eval screenshot pick console browser browsers record share chat agent hook prune`;
const AGENT_VERBS = `run watch attach pause resume step inspect inject set cancel breakpoint checkpoint rewind branch diff replay export`;
const VERBS = new Set(
  `start open check renew pause show print serve list click run take stop let add set cancel save compare export remove switch debug write watch replace talk pick record end find replay`.split(
    " ",
  ),
);

type Command = ReturnType<typeof buildProgram>;
let program: Command;
beforeAll(async () => {
  program = buildProgram(await loadAll());
});

const flatten = (command: Command): Command[] => [command, ...command.commands.flatMap(flatten)];
const named = (name: string): Command => program.commands.find((each) => each.name() === name) as Command;

function pathOf(command: Command): string {
  const names: string[] = [];
  for (let each: Command | null = command; each; each = each.parent) names.unshift(each.name());
  return names.join(" ");
}

/** The help as it is printed, with notes and examples. */
function helpOf(command: Command): string {
  let text = "";
  const print = (part: string): void => {
    text += part;
  };
  const before = (command as unknown as { _outputConfiguration: { writeOut: unknown } })._outputConfiguration;
  command.configureOutput({ ...before, writeOut: print });
  command.outputHelp();
  return text;
}

describe("the command line", () => {
  it("has the commands of its contract, in their order", () => {
    expect(program.commands.map((each) => each.name()).join(" ")).toBe(CONTRACT);
    const verbs = named("agent").commands.map((each) => each.name());
    expect(verbs.join(" ")).toBe(AGENT_VERBS);
    expect(
      named("hook")
        .commands.map((each) => each.name())
        .join(" "),
    ).toBe("install uninstall status");
  });

  it("has a summary for each command: at most 60 characters, imperative, no full stop", () => {
    for (const command of flatten(program).slice(1)) {
      const summary = command.description();
      expect(summary.length, `${pathOf(command)}: ${summary}`).toBeLessThanOrEqual(60);
      expect(summary, pathOf(command)).toMatch(/^[a-z].*[^.]$/);
      expect([...VERBS], `${pathOf(command)}: ${summary}`).toContain(summary.split(/[ ,]/)[0]);
    }
  });

  it("has help for each command that fits into 80 columns: usage, then options, then examples", () => {
    for (const command of flatten(program)) {
      const help = helpOf(command);
      expect(
        help.split("\n").filter((line) => line.length > 80),
        pathOf(command),
      ).toEqual([]);
      const places = [/^Usage: debug-bridge/m, /^Options:/m, /^Examples:/m].map((part) => help.search(part));
      expect(places[0], pathOf(command)).toBe(0);
      expect(places, pathOf(command)).toEqual([...places].sort((a, b) => a - b));
      expect(help, pathOf(command)).not.toMatch(OLD_WORDS);
      expect(help, pathOf(command)).not.toMatch(TELLING);
    }
  });

  it("has options that mean the same everywhere, except for their defaults", () => {
    const meanings = new Map<string, Map<string, string[]>>();
    for (const command of flatten(program)) {
      for (const { long, flags, description, argChoices = [] } of command.options) {
        // An option waits as long as its command needs, or writes to a file of the command's name.
        const meaning = `${flags} ${description.replace(/ \(default: [^)]*\)$/, "")} ${argChoices.join("|")}`;
        const uses = meanings.get(long ?? flags) ?? new Map<string, string[]>();
        meanings.set(long ?? flags, uses.set(meaning, [...(uses.get(meaning) ?? []), pathOf(command)]));
      }
    }
    expect(meanings.size).toBeGreaterThan(90);
    const ambiguous = [...meanings].filter(([, uses]) => uses.size > 1).map(([, uses]) => [...uses]);
    expect(ambiguous).toEqual([]);
  });

  it("has tools that are described in the same words", () => {
    for (const tool of new Set([...tools, ...shellTools])) {
      const texts = `${tool.description} ${JSON.stringify(z.toJSONSchema(tool.input, { io: "input" }))}`;
      expect(texts, tool.name).not.toMatch(OLD_WORDS);
      expect(texts, tool.name).not.toMatch(TELLING);
    }
  });

  it("has options whose values look the same everywhere", () => {
    const values = new Map<string, Map<string, string[]>>();
    for (const command of flatten(program)) {
      for (const { long, flags } of command.options) {
        const value = /[<[].*$/.exec(flags)?.[0] ?? "";
        const forms = values.get(long ?? flags) ?? new Map<string, string[]>();
        forms.set(value, [...(forms.get(value) ?? []), pathOf(command)]);
        values.set(long ?? flags, forms);
      }
    }
    const mixed = [...values].filter(([, forms]) => forms.size > 1);
    expect(mixed.map(([long]) => long)).toEqual([]);
  });

  it.each([
    ["30s", 30],
    ["10m", 600],
    ["45", 45],
  ])("takes %s as the time of a hook", (text, seconds) => {
    expect(parseSeconds(text)).toBe(seconds);
  });

  it("has all options of up in its README", () => {
    const readme = readFileSync(join(ROOT, "packages/cli/README.md"), "utf8");
    const up = flatten(program).find((command) => command.name() === "up");
    const shown = up?.options.filter(({ hidden }) => !hidden).map(({ long }) => long as string) ?? [];
    expect(shown.filter((long) => !readme.includes(`\`${long}`))).toEqual([]);
  });

  it("accepts --home, --hub and --json wherever they make sense", () => {
    const without: Record<string, string[]> = {
      "--home": ["completion", "install", "uninstall", "verify"],
      "--hub": [
        ..."up rotate completion install uninstall status prune watch attach diff replay export".split(" "),
        // of chat
        ..."list show export approvals".split(" "),
        // of record
        ..."list export reproduce verify".split(" "),
      ],
      "--json": ["completion", "mcp", "attach"],
    };
    const leaves = flatten(program).filter(({ commands }) => commands.length === 0);
    for (const [option, names] of Object.entries(without)) {
      const missing = leaves.filter((leaf) => !leaf.options.some(({ long }) => long === option));
      expect(missing.map((leaf) => leaf.name()).sort(), option).toEqual([...names].sort());
    }
  });

  it("shows examples of commands that exist", () => {
    for (const command of flatten(program)) {
      const [, examples = ""] = helpOf(command).split("\nExamples:\n");
      const calls = [...examples.matchAll(/\bdebug-bridge ([a-z]+)(?: ([a-z]+))?/g)];
      expect(calls.length, pathOf(command)).toBeGreaterThan(0);
      for (const [, name = "", verb = ""] of calls) {
        const found = named(name);
        expect(found, `${pathOf(command)}: ${name}`).toBeDefined();
        if (found.commands.length > 0 && found.registeredArguments.length === 0)
          expect(
            found.commands.map((each) => each.name()),
            pathOf(command),
          ).toContain(verb);
      }
    }
  });
});

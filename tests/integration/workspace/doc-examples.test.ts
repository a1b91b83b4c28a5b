import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadAll } from "../../../packages/cli/dist/catalog.js";
import { buildProgram } from "../../../packages/cli/dist/program.js";
import { ROOT, start, temporaryFolder } from "../../fixtures.js";
import { type Block, blocksOf, commandsOf, PAGES } from "../../support/docs/doc-blocks.js";
import { projectFolder } from "../../support/hub/project.js";

type Command = ReturnType<typeof buildProgram>;

const blocks = PAGES.flatMap(blocksOf);
const written = (language: RegExp): Block[] => blocks.filter((block) => language.test(block.language));

/** Pages whose blocks a separate test runs, in a browser or with published packages. */
const RUN_ELSEWHERE: Readonly<Record<string, string>> = {
  "README.md": "tests/e2e/first-hour/readme.test.ts",
  "docs/browser-action.md": "tests/e2e/runner/docs.test.ts",
  "docs/loop.md": "tests/e2e/loop/docs.test.ts",
  "docs/recording.md": "tests/e2e/reproduce/docs.test.ts",
  "docs/relay.md": "tests/e2e/relay/docs.test.ts",
  "packages/client/README.md": "tests/e2e/hub/package-docs.test.ts",
  "packages/dashboard/README.md": "tests/e2e/hub/package-docs.test.ts",
  "packages/driver/README.md": "tests/e2e/hub/package-docs.test.ts",
  "packages/runner/README.md": "tests/e2e/runner/docs.test.ts",
};

/** What a program of the documentation prints. */
const PRINTS: readonly [page: string, first: string, printed: RegExp][] = [
  ["packages/protocol/README.md", "APP_MESSAGE_LIMITS", /^invalid_message \{ field: 'target.ref' \}/],
  ["packages/protocol/README.md", "decode, wires", /^true$/m],
  ["packages/protocol/README.md", "linkedPair", /^did click$/m],
  ["packages/journal/README.md", "AgentFolder", /^\d+ user_input$/m],
  ["packages/agent/README.md", "createAgentDebugger", /^debug_\d+_\d+_\w+$/m],
  ["packages/agent/README.md", "runHook", /^$/m],
  ["packages/server/README.md", "startHub", /^\d+ console \[ 'ready' \]$/m],
];

/** Parts of programs: what they use of the program around them, to check them against the types of the packages. */
const PARTS: readonly [page: string, part: string, around: string][] = [
  ["packages/agent/README.md", "debugAiSdk", "declare const model: any, tools: any;"],
  [
    "packages/agent/README.md",
    "readRecording",
    "declare const folder: any, host: any, messages: any, toolId: any, name: any, input: any;",
  ],
  ["packages/browser/README.md", "createDebugBridge", ""],
  ["packages/browser/README.md", "debugBridge(", ""],
  ["packages/page/README.md", "createPageEngine", "declare const socket: WebSocket, command: any;"],
  [
    "packages/server/README.md",
    "hub.connectClient",
    'declare const hub: import("@debug-bridge/server").Hub;',
  ],
  ["packages/ui/README.md", "mountChat", "declare const token: string;"],
];

function blockWith(page: string, part: string): Block {
  const [block, ...others] = blocks.filter((each) => each.page === page && each.text.includes(part));
  if (!block || others.length > 0) throw new Error(`${page} has not one block with "${part}"`);
  return block;
}

const flatten = (command: Command): Command[] => [command, ...command.commands.flatMap(flatten)];

/** The words of a command of ours, without the name of the program; `undefined` for another program. */
function ourWords([program, ...words]: readonly string[]): string[] | undefined {
  if (program === "npx" && words[0] === "debug-bridge") return words.slice(1);
  return program === "debug-bridge" ? words : undefined;
}

/** Reads a command line as the program does, without running it. Throws what the program would print. */
async function parse(words: readonly string[]): Promise<void> {
  const program = buildProgram(await loadAll());
  (program as unknown as { _lifeCycleHooks: object })._lifeCycleHooks = {};
  let isRead = false;
  for (const command of flatten(program)) {
    command.exitOverride();
    command.configureOutput({ writeErr: () => {}, writeOut: () => {} });
    // `chat` does something itself, and has commands below it.
    if ((command as unknown as { _actionHandler: unknown })._actionHandler)
      command.action(() => {
        isRead = true;
      });
  }
  await program.parseAsync([...words], { from: "user" });
  expect(isRead).toBe(true);
}

const shellCommands = written(/^sh$/).flatMap(({ place, text }) =>
  commandsOf(text).map((words) => ({ place, words, line: words.join(" ") })),
);
const ours = shellCommands.flatMap(({ words, ...rest }) => {
  const own = ourWords(words);
  return own ? [{ ...rest, words: own }] : [];
});

describe("the commands in the documentation", () => {
  it("are found", () => {
    expect(commandsOf(`a "b \\"c\\" d" 'e f'=g | h > out # i "j"\nk \\\n  l && m`)).toEqual([
      ["a", 'b "c" d', "e f=g"],
      ["h"],
      ["k", "l"],
      ["m"],
    ]);
    expect(ours.length).toBeGreaterThan(60);
  });

  it.each(ours)("are commands of the program, with options that it has ($place): $line", ({ words }) =>
    parse(words),
  );

  it("would be refused with a wrong option", async () => {
    await expect(parse(["observe", "--no-such-option"])).rejects.toThrow(/unknown option/);
  });
});

describe("the programs in the documentation", () => {
  it.each(PRINTS)("in %s run and print what they say (%s)", async (page, part, printed) => {
    const folder = projectFolder({ "example.mjs": blockWith(page, part).text });
    const env = { DEBUG_BRIDGE_HOME: temporaryFolder() };
    const { code, stdout, stderr } = await start(process.execPath, ["example.mjs"], env, folder).finished;
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(printed);
  });

  it("fit the types of the packages where they are parts of programs", () => {
    const files = PARTS.map(([page, part, around], i): [string, string] => [
      `part-${i}.ts`,
      `${around}\n${blockWith(page, part).text}\nexport {};\n`,
    ]);
    const compilerOptions = {
      ...{ strict: true, noEmit: true, skipLibCheck: true, target: "es2023", module: "nodenext" },
      ...{ lib: ["es2023", "dom"], types: ["node"] },
    };
    const folder = projectFolder({
      ...Object.fromEntries(files),
      "package.json": '{"type":"module"}',
      "tsconfig.json": JSON.stringify({ compilerOptions, include: ["*.ts"] }),
    });
    const tsc = join(ROOT, "node_modules/.bin/tsc");
    let output = "";
    try {
      execFileSync(tsc, ["-p", folder], { encoding: "utf8" });
    } catch (thrown) {
      output = (thrown as { stdout: string }).stdout;
    }
    expect(output).toBe("");
  });

  it.each(written(/^json$/))("in JSON at $place is JSON", ({ text }) => {
    expect(() => JSON.parse(text)).not.toThrow();
  });

  it("are all run, or checked against the types", () => {
    const checked = new Set([...PRINTS, ...PARTS].map(([page, part]) => blockWith(page, part).place));
    const left = written(/^(js|ts)$/).filter(
      ({ page, place }) => !(page in RUN_ELSEWHERE) && !checked.has(place),
    );
    // Code for the tool `execute`, which runs where `context` and `state` are.
    expect(left.map(({ page }) => page)).toEqual(["docs/mcp.md"]);
  });
});

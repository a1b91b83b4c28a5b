import { spawnSync } from "node:child_process";
import { beforeAll, describe, expect, it } from "vitest";
import { loadAll } from "../../../packages/cli/dist/catalog.js";
import { bashCompletion } from "../../../packages/cli/dist/completion/bash.js";
import { fishCompletion } from "../../../packages/cli/dist/completion/fish.js";
import {
  type DescribedCommand,
  describeCommands,
  flatten,
} from "../../../packages/cli/dist/completion/tree.js";
import { zshCompletion } from "../../../packages/cli/dist/completion/zsh.js";

let root: DescribedCommand;
beforeAll(async () => {
  root = describeCommands(await loadAll());
});

const hasShell = (shell: string): boolean => spawnSync(shell, ["--version"]).status === 0;

function complete(...words: string[]): string[] {
  const script = `${bashCompletion(root)}
COMP_WORDS=(debug-bridge ${words.map((word) => `'${word}'`).join(" ")})
COMP_CWORD=${words.length}
_debug_bridge
printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync("bash", ["--norc", "-c", script], { encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout.split("\n").filter((line) => line !== "");
}

describe("completion", () => {
  const generators = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion };
  it.each(["bash", "zsh", "fish"] as const)("for %s has every command and option, and parses", (shell) => {
    const script = generators[shell](root);
    for (const { path, options } of flatten(root)) {
      if (path.length > 0) expect(script).toContain(path.at(-1));
      for (const { long } of options)
        expect(script).toContain(shell === "fish" ? `-l ${long.slice(2)}` : long);
    }
    if (hasShell(shell)) {
      const { status, stderr } = spawnSync(shell, ["-n"], { input: script, encoding: "utf8" });
      expect([status, stderr]).toEqual([0, ""]);
    }
    // Every quote and every function is closed.
    const plain = script.replaceAll(/'\\''|\\'/g, "").replaceAll(/^#.*$/gm, "");
    expect((plain.match(/'/g)?.length ?? 0) % 2).toBe(0);
    for (const [open, close] of [
      [/^\S+\(\) \{$/gm, /^\}$/gm],
      [/\bcase\b.*\bin$/gm, /\besac\b/g],
    ] as const)
      expect(script.match(open)?.length).toBe(script.match(close)?.length);
  });

  it("in bash offers commands, verbs, options and fixed values", () => {
    expect(complete("se")).toEqual(["sessions"]);
    expect(complete("agent", "p")).toEqual(["pause"]);
    expect(complete("agent", "breakpoint", "cl")).toEqual(["clear", "clear-all"]);
    expect(complete("agent", "breakpoint", "add", "--on")).toEqual(["--once"]);
    expect(complete("up", "--demo", "--rea")).toEqual(["--read-only"]);
    expect(complete("up", "--auth", "")).toEqual(["token", "none"]);
    expect(complete("completion", "f")).toEqual(["fish"]);
    expect(complete("hook", "install", "c")).toEqual(["claude-code", "codex", "cursor"]);
  });
});

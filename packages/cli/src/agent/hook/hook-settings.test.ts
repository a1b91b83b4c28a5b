import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  HOOK_AGENTS,
  readSettings,
  settingsFile,
  withHooks,
  withoutHooks,
  writeSettings,
} from "./hook-settings.js";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "debug-bridge-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const PROGRAM = { always: '"node" "main.js"', ifNeeded: 'sh x "node" "main.js"' };

const theirs = {
  model: "opus",
  hooks: {
    PreToolUse: [{ matcher: "Bash", hooks: [{ type: "command", command: "lint hook" }] }],
    Notification: [{ hooks: [{ type: "command", command: "beep" }] }],
  },
};

describe("the hooks in an agent's settings", () => {
  it.each(["claude-code", "codex"] as const)(
    "of %s are added beside those of others, and removed without a trace [ARC-100]",
    (agent) => {
      const settings = withHooks(theirs, agent, PROGRAM, { timeoutS: 600 });
      expect(settings).toMatchObject({ model: "opus", hooks: { Notification: theirs.hooks.Notification } });
      expect(settings.hooks?.PreToolUse).toEqual([
        ...theirs.hooks.PreToolUse,
        {
          matcher: "*",
          hooks: [
            {
              type: "command",
              command: `sh x "node" "main.js" hook --timeout 600 --on-timeout allow --for ${agent}`,
              timeout: 600,
              statusMessage: expect.stringContaining("Debug Bridge"),
            },
          ],
        },
      ]);
      expect(withHooks(settings, agent, PROGRAM, { timeoutS: 600 })).toEqual(settings);
      expect(withoutHooks(settings)).toEqual(theirs);
    },
  );

  it("of Gemini CLI have its names and count in milliseconds, and its other settings stay", () => {
    const settings = {
      ...theirs,
      hooks: { enabled: true, BeforeTool: [{ hooks: [] }] },
    } as unknown as typeof theirs;
    const installed = withHooks(settings, "gemini", PROGRAM, { timeoutS: 600 });
    expect(installed.hooks?.BeforeTool).toEqual([
      { hooks: [] },
      {
        hooks: [
          {
            type: "command",
            name: "debug-bridge",
            command: 'sh x "node" "main.js" hook --timeout 600 --on-timeout allow --for gemini',
            timeout: 600_000,
          },
        ],
      },
    ]);
    expect(withoutHooks(installed)).toEqual(settings);
    expect(settingsFile("gemini", { GEMINI_CLI_HOME: "/g" })).toBe("/g/.gemini/settings.json");
  });

  it("of Cursor have its names, and no groups", () => {
    const settings = { version: 1, hooks: { stop: [{ command: "beep" }] } } as unknown as typeof theirs;
    const installed = withHooks(settings, "cursor", PROGRAM, { timeoutS: 600 });
    expect(installed).toMatchObject({
      version: 1,
      hooks: {
        preToolUse: [
          {
            command: 'sh x "node" "main.js" hook --timeout 600 --on-timeout allow --for cursor',
            timeout: 600,
          },
        ],
        stop: [{ command: "beep" }, { timeout: 10 }],
      },
    });
    expect(withHooks(installed, "cursor", PROGRAM, { timeoutS: 600 })).toEqual(installed);
    expect(withoutHooks(installed)).toEqual(settings);
  });

  it("of opencode are a plugin, which replaces no other file", () => {
    const file = join(folder, "plugins", "debug-bridge.js");
    const installed = withHooks({}, "opencode", PROGRAM, { timeoutS: 600 });
    writeSettings(file, installed, "opencode");
    const read = readSettings(file, "opencode");
    expect(Object.keys(read.hooks ?? {})).toEqual(Object.keys(installed.hooks ?? {}));
    writeSettings(file, withoutHooks(read), "opencode");
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, "export const Theirs = 1;");
    expect(() => readSettings(file, "opencode")).toThrow("is not a file of Debug Bridge");
  });

  it("are the only thing that changes, whatever else is in the settings", () => {
    const hook = fc.record({ type: fc.constant("command"), command: fc.string() });
    const group = fc.record({ hooks: fc.array(hook, { minLength: 1 }) });
    const names = fc.constantFrom("PreToolUse", "Stop", "Other");
    const hooks = fc.dictionary(names, fc.array(group, { minLength: 1 }), { minKeys: 1 });
    fc.assert(
      fc.property(
        fc.record({ model: fc.string(), hooks }),
        fc.constantFrom(...HOOK_AGENTS),
        (settings, agent) => {
          expect(
            withoutHooks(withHooks(settings, agent, PROGRAM, { timeoutS: 60, onTimeout: "deny" })),
          ).toEqual(agent === "cursor" ? { version: 1, ...settings } : settings);
        },
      ),
    );
  });

  it.each(["{", "[]", "null", '{"hooks":[]}', '{"hooks":{"Stop":1}}', '{"hooks":{"Stop":[1]}}'])(
    "are not written into a file that holds %s",
    (text) => {
      const file = join(folder, "settings.json");
      writeFileSync(file, text);
      expect(() => readSettings(file)).toThrow("was not changed");
    },
  );

  it("are written where the agent looks", () => {
    expect(settingsFile("codex", { CODEX_HOME: "/c" })).toBe("/c/hooks.json");
    expect(settingsFile("claude-code", { CLAUDE_CONFIG_DIR: "/d" })).toBe("/d/settings.json");
    expect(settingsFile("claude-code", {})).toMatch(/\.claude.settings\.json$/);
    const file = join(folder, "new", "settings.json");
    expect(readSettings(file)).toEqual({});
    writeSettings(file, theirs);
    expect(existsSync(file) && JSON.parse(readFileSync(file, "utf8"))).toEqual(theirs);
  });
});

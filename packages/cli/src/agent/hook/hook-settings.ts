import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { replaceFile } from "@debug-bridge/journal";
import { BridgeError, isJsonObject } from "@debug-bridge/protocol";
import type { HookProgram } from "../../this-program.js";
import { pluginText, readPlugin } from "./opencode-plugin.js";

export const HOOK_AGENTS = ["claude-code", "codex", "gemini", "opencode", "cursor"] as const;
export type HookAgent = (typeof HOOK_AGENTS)[number];

interface Hook {
  readonly type: string;
  readonly name?: string;
  readonly command?: string;
  readonly timeout?: number;
  readonly statusMessage?: string;
}
/** Cursor has the hook itself in place of a group. */
interface Group extends Partial<Hook> {
  readonly matcher?: string;
  readonly hooks?: readonly Hook[];
}
type Settings = Readonly<Record<string, unknown>> & {
  readonly hooks?: Readonly<Record<string, readonly Group[]>>;
};

/** The events that each agent reports. It can be held at those of tools. */
const EVENTS: Readonly<Record<HookAgent, readonly string[]>> = {
  "claude-code": [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "Stop",
    "SessionEnd",
  ],
  codex: [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "SubagentStart",
    "SubagentStop",
    "PreCompact",
    "Stop",
    "SessionEnd",
  ],
  // Its PreCompress comes before every model call, whether or not it shortens anything.
  gemini: ["SessionStart", "BeforeAgent", "BeforeTool", "AfterTool", "AfterAgent", "SessionEnd"],
  // What our plugin calls; see bin/opencode-plugin.js.
  opencode: [
    "SessionStart",
    "UserPromptSubmit",
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PreCompact",
    "Stop",
    "SessionEnd",
  ],
  cursor: [
    "sessionStart",
    "beforeSubmitPrompt",
    "preToolUse",
    "postToolUse",
    "postToolUseFailure",
    "subagentStart",
    "subagentStop",
    "preCompact",
    "stop",
    "sessionEnd",
  ],
};
const HOLDING = /^(pre|before|post|after)tool(use|usefailure)?$/i;
/** A session begins and ends in the index, too: these are not left for later. */
const EDGES = /^session(start|end)$/i;
/** For hooks that never hold the agent. */
const SHORT_TIMEOUT_S = 10;

/** Recognises our hooks among others. */
const OURS = / hook --timeout \d+( --on-timeout (allow|deny))? --for [a-z-]+$/;

/** What the agent's screen shows while a hook runs. It is the same for all: the agent reads it when it starts. */
const STATUS = "Debug Bridge (if this stays, it holds the agent; debug-bridge agent inspect shows why)";

export interface HoldOptions {
  /** How long the agent can be held at most. */
  readonly timeoutS: number;
  /** What happens to a held call when nobody answers. */
  readonly onTimeout?: "allow" | "deny";
}

/** Where an agent keeps its hooks. */
export function settingsFile(agent: HookAgent, env: NodeJS.ProcessEnv = process.env): string {
  if (agent === "gemini") return join(env.GEMINI_CLI_HOME || homedir(), ".gemini", "settings.json");
  if (agent === "opencode")
    return join(env.XDG_CONFIG_HOME || join(homedir(), ".config"), "opencode", "plugins", "debug-bridge.js");
  if (agent === "cursor") return join(homedir(), ".cursor", "hooks.json");
  if (agent === "codex") return join(env.CODEX_HOME || join(homedir(), ".codex"), "hooks.json");
  return join(env.CLAUDE_CONFIG_DIR || join(homedir(), ".claude"), "settings.json");
}

/** Settings with our hooks, and everything else as it was. */
export function withHooks(
  settings: Settings,
  agent: HookAgent,
  program: HookProgram,
  { timeoutS, onTimeout = "allow" }: HoldOptions,
): Settings {
  const hooks: Record<string, readonly Group[]> = { ...withoutHooks(settings).hooks };
  for (const event of EVENTS[agent]) {
    const holds = HOLDING.test(event);
    const timeout = holds ? timeoutS : SHORT_TIMEOUT_S;
    const start = EDGES.test(event) ? program.always : program.ifNeeded;
    const policy = holds ? ` --on-timeout ${onTimeout}` : "";
    const command = `${start} hook --timeout ${timeout}${policy} --for ${agent}`;
    hooks[event] = [...(hooks[event] ?? []), groupOf(agent, command, timeout, holds)];
  }
  return { ...(agent === "cursor" ? { version: 1 } : {}), ...settings, hooks };
}

function groupOf(agent: HookAgent, command: string, timeout: number, holds: boolean): Group {
  if (agent === "cursor") return { command, timeout };
  // Gemini CLI counts in milliseconds, and has names instead of a status. Without a matcher, it is for every tool.
  if (agent === "gemini")
    return { hooks: [{ type: "command", name: "debug-bridge", command, timeout: timeout * 1_000 }] };
  const hook = { type: "command", command, timeout, ...(holds ? { statusMessage: STATUS } : {}) };
  return { ...(holds ? { matcher: "*" } : {}), hooks: [hook] };
}

/** The events of an agent that have no hook of ours. */
export function missingHooks(settings: Settings, agent: HookAgent): string[] {
  return EVENTS[agent].filter((event) => commandsOf(settings, event).length === 0);
}

/** Our commands for an event, or for all. */
export function commandsOf(settings: Settings, event?: string): string[] {
  const groups =
    event === undefined ? Object.values(settings.hooks ?? {}).flat() : (settings.hooks?.[event] ?? []);
  return groups
    .flatMap((group) =>
      Array.isArray(group?.hooks) ? group.hooks : isJsonObject(group) ? [group as Group] : [],
    )
    .map(({ command }) => command ?? "")
    .filter((command) => OURS.test(command));
}

/** Whether settings have a hook of ours. */
export function hasHooks(settings: Settings): boolean {
  return JSON.stringify(withoutHooks(settings)) !== JSON.stringify(settings);
}

/** Settings without our hooks. Lists that become empty are removed. */
export function withoutHooks(settings: Settings): Settings {
  const { hooks, ...others } = settings;
  if (hooks === undefined) return settings;
  const kept = Object.entries(hooks)
    .map(
      ([event, groups]) =>
        // Gemini CLI keeps other settings beside the events.
        [
          event,
          Array.isArray(groups) ? groups.map(withoutOurs).filter((group) => group !== undefined) : groups,
        ] as const,
    )
    .filter(([event, groups]) => !Array.isArray(groups) || groups.length > 0 || hooks[event]?.length === 0);
  return kept.length > 0 ? { ...others, hooks: Object.fromEntries(kept) } : others;
}

function withoutOurs(group: Group): Group | undefined {
  if (!isJsonObject(group)) return group;
  if (OURS.test(String(group.command ?? ""))) return undefined;
  if (!Array.isArray(group.hooks)) return group;
  const hooks = group.hooks?.filter(({ command }) => !OURS.test(command ?? ""));
  if (hooks === undefined || hooks.length === group.hooks?.length) return group;
  return hooks.length > 0 ? { ...group, hooks } : undefined;
}

/** Reads settings; a file that does not exist has none. A file with other content is refused. */
export function readSettings(file: string, agent?: HookAgent): Settings {
  if (agent === "opencode") return asSettings(readPlugin(file));
  if (!existsSync(file)) return {};
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (thrown) {
    throw new BridgeError(
      "invalid_message",
      `${file} is not valid JSON and was not changed: ${(thrown as Error).message}`,
    );
  }
  const { hooks = {} } = isJsonObject(value) ? value : { hooks: null };
  const isRight =
    isJsonObject(hooks) &&
    Object.values(hooks).every((groups) =>
      Array.isArray(groups)
        ? groups.every(agent === "gemini" ? () => true : isJsonObject)
        : agent === "gemini",
    );
  if (!isRight)
    throw new BridgeError("invalid_message", `${file} does not look like settings and was not changed`);
  return value as Settings;
}

/** The hooks of the plugin, in the form of those of other agents. */
function asSettings(commands: Readonly<Record<string, string>>): Settings {
  const entries = Object.entries(commands).map(([event, command]) => [
    event,
    [{ hooks: [{ type: "command", command }] }],
  ]);
  return entries.length === 0 ? {} : { hooks: Object.fromEntries(entries) };
}

export function writeSettings(file: string, settings: Settings, agent?: HookAgent): void {
  if (agent === "opencode" && settings.hooks === undefined) {
    rmSync(file, { force: true });
    return;
  }
  mkdirSync(dirname(file), { recursive: true });
  if (agent === "opencode") {
    const events = Object.keys(settings.hooks ?? {});
    replaceFile(
      file,
      pluginText(Object.fromEntries(events.map((event) => [event, commandsOf(settings, event)[0] ?? ""]))),
    );
  } else replaceFile(file, `${JSON.stringify(settings, null, 2)}\n`);
}

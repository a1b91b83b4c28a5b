import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { debugPaths, readCurrent } from "@debug-bridge/journal";
import { expect } from "vitest";
import { CLI, type Finished, type Started, start, until } from "../../fixtures.js";
import { type AgentEvent, eventsOf } from "./agents.js";

/** What both agents pass to every hook; Codex adds the turn and the model. */
export const claude = {
  session_id: "0f5e",
  transcript_path: "/t.jsonl",
  cwd: "/home/ada/shop",
  permission_mode: "default",
};
export const codex = { ...claude, turn_id: "turn-1", model: "gpt-5-codex" };

export const pre = (command: string, id: string): object => ({
  hook_event_name: "PreToolUse",
  tool_name: "Bash",
  tool_input: { command },
  tool_use_id: id,
});
export const post = (id: string, response: unknown = { stdout: "ok" }): object => ({
  ...pre("ls", id),
  hook_event_name: "PostToolUse",
  tool_response: response,
  duration_ms: 12,
});

let inputs = 0;

/** Starts a hook as an agent does: a shell command with JSON on its standard input. */
export function startHook(
  home: string,
  event: object | string,
  { base = claude as object, timeout = 600, onTimeout = "allow", agent = "claude-code" } = {},
): Started {
  const file = join(home, `input-${++inputs}.json`);
  writeFileSync(file, typeof event === "string" ? event : JSON.stringify({ ...base, ...event }));
  const command = `exec "${process.execPath}" "${CLI}" hook --timeout ${timeout} --on-timeout ${onTimeout} --for ${agent} < "${file}"`;
  return start("sh", ["-c", command], { DEBUG_BRIDGE_HOME: home });
}

export const hook = (...args: Parameters<typeof startHook>): Promise<Finished> => startHook(...args).finished;

export const folderOf = (home: string): string =>
  join(debugPaths(home).sessions, readCurrent(home) ?? "none");
export const events = (home: string): AgentEvent[] => eventsOf(folderOf(home));
export const seen = (home: string, type: string, nth = 1): Promise<AgentEvent> =>
  until(() => events(home).filter((event) => event.type === type)[nth - 1]);
export const SILENT = { code: 0, stdout: "", stderr: "" };
/** A hook that held the agent says so on the agent's screen, and decides nothing. */
export const RELEASED = {
  code: 0,
  stdout: expect.stringMatching(/^\{"systemMessage":"Debug Bridge held [^}]*\}\n$/),
  stderr: "",
};

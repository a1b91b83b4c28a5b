/** Names that both the schemas and code without schemas (pages) need at run time. */

export const SESSION_KINDS = ["app", "tab", "browser", "agent"] as const;
export type SessionKind = (typeof SESSION_KINDS)[number];

/** Methods of `console` that the console wire reports. */
export const CONSOLE_METHODS = [
  "log",
  "info",
  "warn",
  "error",
  "debug",
  "trace",
  "table",
  "group",
  "groupCollapsed",
  "groupEnd",
  "clear",
  "count",
  "countReset",
  "time",
  "timeEnd",
  "timeLog",
  "assert",
  "dir",
  "dirxml",
] as const;
export type ConsoleMethod = (typeof CONSOLE_METHODS)[number];

/** Levels of `console` messages on the app wire. */
export const CONSOLE_LEVELS = ["log", "info", "warn", "error"] as const;
export type ConsoleLevel = (typeof CONSOLE_LEVELS)[number];

/** Commands of the app wire that look and change nothing; `--read-only` allows only these. */
export const LOOKING_COMMANDS = [
  "request_ui_tree",
  "find",
  "request_dom_snapshot",
  "get_state",
  "wait_for",
  "screenshot",
  "record_actions",
  "keep_chains",
  "pick",
] as const;

/** Commands of the app wire that only the hub sends: for a person who looks at the page from elsewhere. */
export const HUB_COMMANDS = ["watch", "page_snapshot", "highlight"] as const;

/** Commands of the app wire that act in the page. */
export const ACTING_COMMANDS = [
  "click",
  "type",
  "press",
  "select",
  "hover",
  "scroll",
  "drag",
  "dialog",
  "set_files",
  "navigate",
  "evaluate",
  "call_tool",
] as const;

/** Made by a call that bundlers may leave out, as they may not do with a list of lists: pages do not need it. */
export const APP_COMMANDS = /* @__PURE__ */ join(LOOKING_COMMANDS, ACTING_COMMANDS, HUB_COMMANDS);
export type AppCommandType = (typeof APP_COMMANDS)[number];

/** Commands that stop, steer and look into an agent's loop. */
export const AGENT_COMMANDS = [
  "pause",
  "resume",
  "step",
  "inspect",
  "inject_message",
  "set_variable",
  "cancel_tool",
  "breakpoint",
  "checkpoint",
  "rewind",
  "branch",
] as const;
export type AgentCommandType = (typeof AGENT_COMMANDS)[number];

/** Actions of `browser_action`. */
export const BROWSER_ACTIONS = [
  "start",
  "navigate",
  "click",
  "type",
  "scroll",
  "screenshot",
  "stop",
  "press",
  "hover",
  "select",
  "wait",
  "evaluate",
  "diagnose",
  "observe",
  "dialog",
  "upload",
  "switch",
] as const;
export type BrowserActionType = (typeof BROWSER_ACTIONS)[number];

/** Mark that replaces a secret before anything leaves a page. */
export const MASK = "•••";

function join<
  const A extends readonly string[],
  const B extends readonly string[],
  const C extends readonly string[],
>(a: A, b: B, c: C): readonly [...A, ...B, ...C] {
  return [...a, ...b, ...c];
}

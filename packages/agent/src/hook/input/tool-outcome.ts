import { setTimeout as sleep } from "node:timers/promises";
import { type CommandEnd, commandEndIn } from "../transcript/transcript-facts.js";
import type { HookInput } from "./hook-input.js";

/** How a tool call ended. */
export interface ToolOutcome {
  readonly isError: boolean;
  readonly result: unknown;
  readonly exitCode?: number;
}

/** Codex writes its transcript in the background. */
const TRANSCRIPT_DELAY_MS = 150;
const RETRY_MS = 10;

/** How the tool call of a hook ended, as far as its agent says it. */
export function toolOutcome(input: HookInput): ToolOutcome {
  const { tool_response: response, error } = input;
  const result = response ?? error ?? null;
  if (input.hook_event_name === "PostToolUseFailure") {
    const exitCode = /^Exit code (\d+)/.exec(typeof error === "string" ? error : "")?.[1];
    return { isError: true, result, ...(exitCode === undefined ? {} : { exitCode: Number(exitCode) }) };
  }
  const end = needsTranscript(input) ? commandEndOf(input) : undefined;
  return {
    isError: end?.failed ?? isFailure(response),
    result,
    ...(end?.exitCode === undefined ? {} : { exitCode: end.exitCode }),
  };
}

/** The same, once the transcript has it. */
export async function awaitToolOutcome(input: HookInput): Promise<ToolOutcome> {
  const until = Date.now() + TRANSCRIPT_DELAY_MS;
  if (needsTranscript(input))
    while (commandEndOf(input) === undefined && Date.now() < until) await sleep(RETRY_MS);
  return toolOutcome(input);
}

/** Codex, which sends a `turn_id`, gives its hooks the output of a command as text, and nothing about its success. */
function needsTranscript(input: HookInput): boolean {
  return typeof input.tool_response === "string" && "turn_id" in input;
}

function commandEndOf(input: HookInput): CommandEnd | undefined {
  return commandEndIn(input.transcript_path, input.tool_use_id ?? "");
}

function isFailure(response: unknown): boolean {
  if (typeof response !== "object" || response === null) return false;
  const { is_error, isError, success, error } = response as Record<string, unknown>;
  // Gemini CLI has an `error` only if there is one.
  const hasError = typeof error === "object" ? error !== null : typeof error === "string" && error !== "";
  return is_error === true || isError === true || success === false || hasError;
}

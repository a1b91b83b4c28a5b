import type { Line } from "@debug-bridge/journal";
import { AGENT_LINE_LIMITS, answerToCodi, BridgeError, fromCodi } from "@debug-bridge/protocol";
import { agentCommandSchema, check, idField, parseBounded } from "@debug-bridge/protocol/schemas";
import type { Emit } from "../pausing/pause-state.js";
import { type CommandTarget, executeCommand } from "./execute-command.js";

const MAX_SHOWN_CHARACTERS = 200;

/**
 * Executes one line of `commands.jsonl`. It emits `command_response` and `command_executed`, or for an invalid line an
 * `error` with context `command_processing`. It never throws.
 */
export function runCommandLine({ text, cut }: Line, target: CommandTarget, emit: Emit): void {
  const parsed = cut
    ? {
        ok: false as const,
        error: new BridgeError("too_large", `the line is longer than ${AGENT_LINE_LIMITS.bytes} bytes`),
      }
    : parseBounded(text, AGENT_LINE_LIMITS);
  if (!parsed.ok) {
    reject(parsed.error, text, emit);
    return;
  }
  const given = parsed.value as { type?: unknown; data?: unknown } | null;
  const translated = fromCodi(given?.type, given?.data);
  const command = check(agentCommandSchema, translated ? { ...given, ...translated } : parsed.value);
  if (!command.ok) {
    reject(command.error, text, emit, parsed.value);
    return;
  }
  const { id: commandId } = command.value;
  // The answer has the name that the command had.
  const type = translated ? String(given?.type) : command.value.type;
  try {
    const answer = executeCommand(command.value, target);
    const data = translated ? answerToCodi(type, answer) : answer;
    emit("command_response", { commandId, type, success: true, data });
    emit("command_executed", { commandId, type });
  } catch (thrown) {
    const { message, code } = BridgeError.from(thrown);
    emit("command_response", { commandId, type, success: false, error: message, code });
    if (code === "invalid_message") emit("error", { message, context: "command_processing", commandId });
    emit("command_executed", { commandId, type });
  }
}

function reject(error: BridgeError, line: string, emit: Emit, value?: unknown): void {
  const { id, type } = (typeof value === "object" && value !== null ? value : {}) as {
    id?: unknown;
    type?: unknown;
  };
  const message = `Invalid command: ${error.message}`;
  if (idField.safeParse(id).success) {
    const named = typeof type === "string" ? type.slice(0, MAX_SHOWN_CHARACTERS) : "unknown";
    emit("command_response", {
      commandId: id,
      type: named,
      success: false,
      error: message,
      code: error.code,
    });
  }
  emit("error", { message, context: "command_processing", line: line.slice(0, MAX_SHOWN_CHARACTERS) });
}

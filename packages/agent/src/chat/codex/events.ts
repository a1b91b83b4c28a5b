import type { ProviderEvent, ProviderOutcome, ProviderStep } from "@debug-bridge/protocol";
import { firstError } from "../error-text.js";
import {
  asArray,
  asCount,
  asId,
  asObject,
  asString,
  contentTexts,
  defined,
  imagesOf,
  type Json,
  parseObject,
} from "../json.js";
import type { Exit } from "../provider-process.js";

const UNKNOWN_THREAD = /no rollout found for thread id|thread not found/i;
const NOT_SIGNED_IN = /\b401\b|unauthorized|not logged in|missing bearer/i;

/** Reads the lines of `codex exec --json`. */
export class CodexEvents {
  private hasThread = false;
  private hasText = false;
  private failure: string | undefined;

  constructor(private readonly emit: (event: ProviderEvent) => void) {}

  readLine(line: string): void {
    const event = parseObject(line);
    if (event) this.read(event);
  }

  /** How the turn ended, once the process has. */
  outcome({ code, error, stderr }: Exit): ProviderOutcome {
    if (error)
      return { outcome: "failed", code: "internal", message: `Codex could not be started: ${error.message}` };
    if (code === 0 && this.failure === undefined) return { outcome: "done" };
    if (!this.hasThread && UNKNOWN_THREAD.test(stderr)) return { outcome: "unknown_thread" };
    const message = this.failure ?? firstError(stderr) ?? `Codex ended with code ${code}`;
    if (NOT_SIGNED_IN.test(message))
      return {
        outcome: "failed",
        code: "auth_required",
        message: `Codex is not signed in; run: codex login (${message})`,
      };
    return { outcome: "failed", code: "tool_failed", message };
  }

  private read(event: Json): void {
    switch (event.type) {
      case "thread.started": {
        const sessionId = asId(event.thread_id);
        if (sessionId === undefined) return;
        this.hasThread = true;
        this.emit({ type: "session", sessionId });
        return;
      }
      case "item.started":
      case "item.updated":
      case "item.completed":
        this.readItem(asObject(event.item) ?? {}, event.type === "item.completed");
        return;
      case "turn.completed":
        this.readUsage(asObject(event.usage) ?? {});
        return;
      case "turn.failed":
        this.failure = asString(asObject(event.error)?.message) ?? "the turn failed";
        return;
      case "error":
        // It may try again: only the end decides.
        this.failure = asString(event.message) ?? "unknown error";
        return;
      case "turn.started":
        this.failure = undefined;
        return;
      default:
    }
  }

  private readItem(item: Json, isComplete: boolean): void {
    const id = asId(item.id) ?? "item";
    if (item.type === "agent_message") {
      const text = asString(item.text);
      if (!isComplete || text === undefined) return;
      this.failure = undefined;
      this.emit({ type: "delta", text: this.hasText ? `\n\n${text}` : text });
      this.hasText = true;
      return;
    }
    const step = stepOf(item);
    if (step) this.emit({ type: "step", id, ...step });
  }

  private readUsage(usage: Json): void {
    this.failure = undefined;
    const [inputTokens, outputTokens] = [asCount(usage.input_tokens), asCount(usage.output_tokens)];
    if (inputTokens === undefined || outputTokens === undefined) return;
    const cachedInputTokens = asCount(usage.cached_input_tokens);
    const reasoningTokens = asCount(usage.reasoning_output_tokens);
    this.emit({
      type: "usage",
      usage: defined({ inputTokens, outputTokens, cachedInputTokens, reasoningTokens }),
    });
  }
}

function stepOf(item: Json): Omit<ProviderStep, "id"> | undefined {
  const status = statusOf(item.status);
  switch (item.type) {
    case "command_execution":
      return {
        kind: "command",
        title: asString(item.command) ?? "command",
        status,
        ...defined({ detail: asString(item.aggregated_output) || undefined }),
      };
    case "mcp_tool_call": {
      const content = asObject(item.result)?.content;
      const result = contentTexts(content) || asString(asObject(item.error)?.message);
      const detail = [JSON.stringify(item.arguments ?? {}), result].filter(Boolean).join("\n");
      return { kind: "tool", title: `${item.server}: ${item.tool}`, status, detail, ...imagesOf(content) };
    }
    case "file_change": {
      const paths = asArray(item.changes).map((change) => asString(asObject(change)?.path) ?? "a file");
      return { kind: "file", title: `changed ${paths.join(", ")}`, status };
    }
    case "web_search":
      return { kind: "tool", title: `web search: ${asString(item.query) ?? ""}`, status: "done" };
    case "error":
      return { kind: "notice", title: asString(item.message) ?? "error", status: "failed" };
    default:
      return undefined;
  }
}

function statusOf(status: unknown): ProviderStep["status"] {
  if (status === "in_progress") return "running";
  return status === "failed" || status === "declined" ? "failed" : "done";
}

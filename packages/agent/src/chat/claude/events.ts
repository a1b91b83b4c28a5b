import type { ProviderEvent, ProviderOutcome } from "@debug-bridge/protocol";
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

const UNKNOWN_THREAD = /no conversation found/i;
const NOT_SIGNED_IN =
  /not logged in|please run \/login|invalid api key|oauth token|\b401\b|authentication_error/i;

/** Reads the lines of `claude -p --output-format stream-json --include-partial-messages`. */
export class ClaudeEvents {
  private thread: string | undefined;
  private hasText = false;
  private contextTokens: number | undefined;
  private result: Json | undefined;
  /** Names of the tools that run, by the id of their call. */
  private readonly tools = new Map<string, { title: string; input: string }>();

  constructor(private readonly emit: (event: ProviderEvent) => void) {}

  readLine(line: string): void {
    const event = parseObject(line);
    if (event) this.read(event);
  }

  outcome({ code, error, stderr }: Exit): ProviderOutcome {
    if (error)
      return {
        outcome: "failed",
        code: "internal",
        message: `Claude Code could not be started: ${error.message}`,
      };
    const isError = this.result?.is_error === true;
    if (code === 0 && this.result && !isError) return { outcome: "done" };
    const messages = [asString(this.result?.result), ...asArray(this.result?.errors).map(asString)].filter(
      (text) => text !== undefined && text !== "",
    );
    const message = messages.join("; ") || firstError(stderr) || `Claude Code ended with code ${code}`;
    if (UNKNOWN_THREAD.test(message) || UNKNOWN_THREAD.test(stderr)) return { outcome: "unknown_thread" };
    if (NOT_SIGNED_IN.test(message))
      return {
        outcome: "failed",
        code: "auth_required",
        message: `Claude Code is not signed in; run: claude, then: /login (${message})`,
      };
    return { outcome: "failed", code: "tool_failed", message };
  }

  private read(event: Json): void {
    switch (event.type) {
      case "system": {
        const id = asId(event.session_id);
        if (event.subtype !== "init" || id === undefined || id === this.thread) return;
        this.thread = id;
        this.emit({ type: "session", sessionId: id });
        return;
      }
      case "stream_event":
        // What a subagent says is not the answer.
        if (event.parent_tool_use_id === null || event.parent_tool_use_id === undefined)
          this.readStream(asObject(event.event) ?? {});
        return;
      case "assistant":
        for (const block of asArray(asObject(event.message)?.content))
          this.readToolUse(asObject(block) ?? {});
        return;
      case "user":
        for (const block of asArray(asObject(event.message)?.content))
          this.readToolResult(asObject(block) ?? {});
        return;
      case "result":
        this.result = event;
        this.readUsage(event);
        return;
      default:
    }
  }

  private readStream(event: Json): void {
    if (event.type === "message_start") {
      const usage = asObject(asObject(event.message)?.usage) ?? {};
      this.contextTokens = inputOf(usage);
    } else if (event.type === "content_block_start") {
      if (asObject(event.content_block)?.type === "text" && this.hasText)
        this.emit({ type: "delta", text: "\n\n" });
    } else if (event.type === "content_block_delta") {
      const delta = asObject(event.delta) ?? {};
      const text = delta.type === "text_delta" ? asString(delta.text) : undefined;
      if (text === undefined || text === "") return;
      this.hasText = true;
      this.emit({ type: "delta", text });
    }
  }

  private readToolUse(block: Json): void {
    const id = asId(block.id);
    if (block.type !== "tool_use" || id === undefined) return;
    const title = asString(block.name)?.replace(/^mcp__(.+?)__/, "$1: ") ?? "tool";
    const input = JSON.stringify(block.input ?? {});
    this.tools.set(id, { title, input });
    this.emit({ type: "step", id, kind: "tool", title, status: "running", detail: input });
  }

  private readToolResult(block: Json): void {
    const id = asId(block.tool_use_id);
    const tool = id === undefined ? undefined : this.tools.get(id);
    if (block.type !== "tool_result" || id === undefined || tool === undefined) return;
    this.tools.delete(id);
    const detail = [tool.input, contentTexts(block.content)].filter(Boolean).join("\n");
    const status = block.is_error === true ? "failed" : "done";
    const images = imagesOf(block.content);
    this.emit({ type: "step", id, kind: "tool", title: tool.title, status, detail, ...images });
  }

  private readUsage(result: Json): void {
    const usage = asObject(result.usage) ?? {};
    const outputTokens = asCount(usage.output_tokens);
    // A turn that never reached the model has counted nothing.
    if (outputTokens === undefined || this.contextTokens === undefined) return;
    const windows = Object.values(asObject(result.modelUsage) ?? {}).map((each) =>
      asCount(asObject(each)?.contextWindow),
    );
    this.emit({
      type: "usage",
      usage: defined({
        inputTokens: inputOf(usage),
        outputTokens,
        cachedInputTokens: asCount(usage.cache_read_input_tokens),
        contextTokens: this.contextTokens,
        contextWindow: windows.find((each) => each !== undefined),
      }),
    });
  }
}

/** Everything that the model read, cached or not. */
function inputOf(usage: Json): number {
  return [usage.input_tokens, usage.cache_read_input_tokens, usage.cache_creation_input_tokens]
    .map((each) => asCount(each) ?? 0)
    .reduce((sum, each) => sum + each, 0);
}

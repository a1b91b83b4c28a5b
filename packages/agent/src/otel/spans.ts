import { createHash } from "node:crypto";
import { asText } from "../session/as-text.js";

/** A span in the JSON format of OTLP/HTTP. */
export interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  endTimeUnixNano: string;
  readonly attributes: OtlpAttribute[];
  readonly events?: OtlpSpanEvent[];
  status?: { readonly code: number; readonly message?: string };
}

interface OtlpSpanEvent {
  readonly timeUnixNano: string;
  readonly name: string;
  readonly attributes: OtlpAttribute[];
}

interface OtlpAttribute {
  readonly key: string;
  readonly value: OtlpValue;
}

type OtlpValue =
  | { readonly stringValue: string }
  | { readonly intValue: string }
  | { readonly doubleValue: number }
  | { readonly boolValue: boolean }
  | { readonly arrayValue: { readonly values: OtlpValue[] } };

/** An event of an agent with complete payloads. */
export interface AgentRecord {
  readonly type: string;
  readonly timestamp?: unknown;
  readonly sessionId?: unknown;
  readonly data?: unknown;
}

export interface SpanOptions {
  /** Includes messages, tool inputs and tool results. They may be private, so the default is `false`. */
  readonly content?: boolean;
}

const INTERNAL = 1;
const CLIENT = 3;
const ERROR = 2;
/** Events that become span events of the whole run. */
const SPAN_EVENTS = new Set([
  "paused",
  "resumed",
  "breakpoint_hit",
  "step_complete",
  "checkpoint",
  "rewind",
  "branch",
  "error",
  "gap",
]);

type Data = Readonly<Record<string, unknown>>;

/**
 * Converts a run of an agent to spans that follow the GenAI conventions of OpenTelemetry: `invoke_agent`, with a `chat`
 * child for each model call and an `execute_tool` child for each tool call. A run has the same ids in every export.
 */
export function spansOf(records: Iterable<AgentRecord>, options: SpanOptions = {}): OtlpSpan[] {
  const builder = new SpanBuilder(options);
  for (const record of records) builder.addRecord(record);
  return builder.finish();
}

class SpanBuilder {
  private root: (OtlpSpan & { events: OtlpSpanEvent[] }) | undefined;
  private readonly spans: OtlpSpan[] = [];
  private chat: OtlpSpan | undefined;
  private readonly tools = new Map<string, OtlpSpan>();
  private provider = "unknown";
  private model = "unknown";
  private last = "0";

  constructor(private readonly options: SpanOptions) {}

  addRecord({ type, timestamp, sessionId, data }: AgentRecord): void {
    const at = nano(timestamp) ?? this.last;
    if (this.root === undefined) this.begin(asText(sessionId, "unknown"), at);
    this.last = at;
    const fields = (typeof data === "object" && data !== null ? data : {}) as Data;
    if (SPAN_EVENTS.has(type)) this.mark(type, fields, at);
    switch (type) {
      case "session_start":
        this.introduce(fields);
        break;
      case "session_end":
        if (fields.reason === "error" && this.root) this.root.status = { code: ERROR };
        break;
      case "api_request":
        this.beginChat(fields, at);
        break;
      case "api_response":
        this.endChat(fields, at);
        break;
      case "assistant_message": {
        const chat = this.spans.findLast(({ kind }) => kind === CLIENT);
        this.content(chat, "gen_ai.output.messages", fields.content);
        break;
      }
      case "tool_call_start":
        this.beginTool(fields, at);
        break;
      case "tool_call_end":
        this.endTool(fields, at);
        break;
      case "tool_result":
        this.content(this.tools.get(asText(fields.toolId)), "gen_ai.tool.call.result", fields.result);
    }
  }

  finish(): OtlpSpan[] {
    if (!this.root) return [];
    // Spans that were open when the agent ended, or was killed, end with it.
    for (const span of [this.root, ...this.spans])
      if (span.endTimeUnixNano === "") span.endTimeUnixNano = this.last;
    return [this.root, ...this.spans];
  }

  private begin(sessionId: string, at: string): void {
    this.root = {
      traceId: idOf(sessionId, 16),
      spanId: idOf(`${sessionId} root`, 8),
      name: "invoke_agent",
      kind: INTERNAL,
      startTimeUnixNano: at,
      endTimeUnixNano: "",
      attributes: attributes({
        "gen_ai.operation.name": "invoke_agent",
        "gen_ai.conversation.id": sessionId,
      }),
      events: [],
    };
  }

  private introduce({ provider, model, name }: Data): void {
    if (typeof provider === "string") this.provider = provider;
    if (typeof model === "string") this.model = model;
    const named = typeof name === "string" ? name : undefined;
    if (!this.root) return;
    if (named !== undefined) Object.assign(this.root, { name: `invoke_agent ${named}` });
    this.root.attributes.push(
      ...attributes({
        "gen_ai.provider.name": this.provider,
        "gen_ai.request.model": this.model,
        "gen_ai.agent.name": named,
      }),
    );
  }

  private beginChat({ model, messages }: Data, at: string): void {
    if (this.chat) this.end(this.chat, at);
    const name = typeof model === "string" ? model : this.model;
    this.chat = this.add(`chat ${name}`, CLIENT, at, {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": this.provider,
      "gen_ai.request.model": name,
    });
    this.content(this.chat, "gen_ai.input.messages", messages);
  }

  private endChat({ stopReason, usage }: Data, at: string): void {
    if (!this.chat) return;
    this.chat.attributes.push(
      ...attributes({
        "gen_ai.response.finish_reasons": typeof stopReason === "string" ? [stopReason] : undefined,
        "gen_ai.usage.input_tokens": tokens(usage, "input"),
        "gen_ai.usage.output_tokens": tokens(usage, "output"),
      }),
    );
    this.end(this.chat, at);
    this.chat = undefined;
  }

  private beginTool({ name, toolId, input }: Data, at: string): void {
    const tool = asText(name, "unknown");
    const span = this.add(`execute_tool ${tool}`, INTERNAL, at, {
      "gen_ai.operation.name": "execute_tool",
      "gen_ai.tool.name": tool,
      "gen_ai.tool.call.id": typeof toolId === "string" ? toolId : undefined,
      "gen_ai.tool.type": "function",
    });
    this.content(span, "gen_ai.tool.call.arguments", input);
    this.tools.set(asText(toolId), span);
  }

  private endTool({ toolId, isError, cancelled }: Data, at: string): void {
    const span = this.tools.get(asText(toolId));
    if (!span) return;
    this.end(span, at);
    if (isError !== true) return;
    span.status = { code: ERROR };
    span.attributes.push(...attributes({ "error.type": cancelled === true ? "cancelled" : "tool_error" }));
  }

  private add(name: string, kind: number, at: string, given: Record<string, unknown>): OtlpSpan {
    const { traceId, spanId } = this.root as OtlpSpan;
    const span: OtlpSpan = {
      traceId,
      spanId: idOf(`${traceId} ${this.spans.length}`, 8),
      parentSpanId: spanId,
      name,
      kind,
      startTimeUnixNano: at,
      endTimeUnixNano: "",
      attributes: attributes(given),
    };
    this.spans.push(span);
    return span;
  }

  private end(span: OtlpSpan, at: string): void {
    span.endTimeUnixNano = BigInt(at) < BigInt(span.startTimeUnixNano) ? span.startTimeUnixNano : at;
  }

  private mark(name: string, { reason, message, iteration, breakpoint, checkpoint }: Data, at: string): void {
    const { id } = (breakpoint ?? {}) as { id?: unknown };
    const data = { reason, message, iteration, breakpoint: id, checkpoint };
    this.root?.events.push({ timeUnixNano: at, name, attributes: attributes(data) });
  }

  private content(span: OtlpSpan | undefined, key: string, value: unknown): void {
    if (!this.options.content || !span || value === undefined) return;
    span.attributes.push(...attributes({ [key]: typeof value === "string" ? value : JSON.stringify(value) }));
  }
}

/** Tokens of an answer, as the AI SDK, Anthropic or OpenAI name them. */
function tokens(usage: unknown, side: "input" | "output"): number | undefined {
  if (typeof usage !== "object" || usage === null) return undefined;
  const fields = usage as Record<string, unknown>;
  const other = side === "input" ? "prompt" : "completion";
  const total = (fields[`${side}Tokens`] as { total?: unknown } | undefined)?.total;
  const found = [total, fields[`${side}Tokens`], fields[`${side}_tokens`], fields[`${other}_tokens`]];
  return found.find((value): value is number => typeof value === "number" && Number.isInteger(value));
}

function attributes(given: Record<string, unknown>): OtlpAttribute[] {
  return Object.entries(given).flatMap(([key, value]) => {
    const stored = otlpValue(value);
    return stored ? [{ key, value: stored }] : [];
  });
}

function otlpValue(value: unknown): OtlpValue | undefined {
  switch (typeof value) {
    case "string":
      return { stringValue: value };
    case "boolean":
      return { boolValue: value };
    case "number":
      return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value };
    default:
      return Array.isArray(value)
        ? { arrayValue: { values: value.map(otlpValue).filter((one) => one !== undefined) } }
        : undefined;
  }
}

/** The last millisecond whose nanoseconds fit the 64 bits that OTLP has for them. */
const LAST_MS = 18_446_744_073_709;

function nano(timestamp: unknown): string | undefined {
  const ms = typeof timestamp === "number" ? timestamp : Date.parse(asText(timestamp));
  return ms >= 0 && ms <= LAST_MS ? String(BigInt(Math.round(ms * 1_000)) * 1_000n) : undefined;
}

function idOf(text: string, bytes: number): string {
  return createHash("sha256")
    .update(text)
    .digest("hex")
    .slice(0, bytes * 2);
}

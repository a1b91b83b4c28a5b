import { join } from "node:path";
import { BlobStore, readLines } from "@debug-bridge/journal";
import { BridgeError } from "@debug-bridge/protocol";
import { asText } from "../as-text.js";
import type { Message, ModelResult } from "../types.js";

/** What a debugger did to the conversation before a call of the model. */
type RecordedChange =
  | { readonly inject: { readonly role: "user" | "assistant"; readonly content: string } }
  | { readonly restore: unknown };

/** A call of the model, as it was recorded. */
export interface RecordedModelCall {
  readonly sequence: number;
  /** All that was sent; unknown where the recording does not hold it. */
  readonly messages: readonly Message[] | undefined;
  readonly changes: readonly RecordedChange[];
  answer: ModelResult | undefined;
}

/** A call of a tool, as it was recorded. */
export interface RecordedToolCall {
  readonly sequence: number;
  readonly toolId: string;
  readonly name: string;
  /** What it ran with. */
  readonly input: unknown;
  /** Whether a debugger had changed the input. */
  readonly changed: boolean;
  outcome: { readonly result: unknown; readonly isError: boolean; readonly cancelled: boolean } | undefined;
}

/** What an agent did in one run, as its events tell. */
export interface Recording {
  readonly sessionId: string;
  readonly provider: string;
  readonly model: string;
  /** What it was told first. */
  readonly task: string;
  readonly modelCalls: readonly RecordedModelCall[];
  readonly toolCalls: readonly RecordedToolCall[];
}

type Data = Readonly<Record<string, unknown>>;

/** Reads the recording of a session from its folder. Lines that are no events are left out. */
export function readRecording(folder: string): Recording {
  const reader = new RecordingReader();
  const blobs = new BlobStore(folder);
  for (const { text } of readLines(join(folder, "events.jsonl"))) {
    const event = parse(text);
    if (event) reader.take(event.type, blobs.resolve(event.data ?? {}) as Data, event);
  }
  const recording = reader.finish();
  if (recording.modelCalls.length === 0) {
    throw new BridgeError(
      "not_supported",
      `${folder} holds no call of a model, so there is nothing to run again; look at it with: debug-bridge agent replay ${folder}`,
    );
  }
  return recording;
}

interface RawEvent {
  readonly type: string;
  readonly sessionId?: unknown;
  readonly sequence?: unknown;
  readonly data?: unknown;
}

function parse(line: string): RawEvent | undefined {
  try {
    const value = JSON.parse(line) as RawEvent | null;
    return typeof value?.type === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}

class RecordingReader {
  private readonly about = {
    sessionId: "",
    provider: "unknown",
    model: "unknown",
    task: undefined as string | undefined,
  };
  private readonly modelCalls: RecordedModelCall[] = [];
  private readonly toolCalls: RecordedToolCall[] = [];
  private messages: readonly Message[] = [];
  private changes: RecordedChange[] = [];
  private readonly checkpoints = new Map<string, unknown>();
  private readonly changedInputs = new Set<string>();

  take(type: string, data: Data, event: RawEvent): void {
    const sequence = typeof event.sequence === "number" ? event.sequence : 0;
    switch (type) {
      case "session_start":
        this.about.sessionId = asText(event.sessionId);
        this.about.provider = asText(data.provider, "unknown");
        this.about.model = asText(data.model, "unknown");
        return;
      case "user_input":
        this.about.task ??= asText(data.input ?? data.content);
        return;
      case "command_response":
        this.takeCommand(data);
        return;
      case "checkpoint":
        this.checkpoints.set(asText(data.checkpoint), data.state);
        return;
      case "rewind":
        this.changes.push({ restore: this.checkpoints.get(asText(data.checkpoint)) });
        return;
      case "api_request":
        this.modelCalls.push({
          sequence,
          messages: this.sent(data),
          changes: this.changes,
          answer: undefined,
        });
        this.changes = [];
        return;
      case "api_response":
        this.answer({ stopReason: data.stopReason as string, usage: data.usage });
        return;
      case "assistant_message":
        this.answer({ content: data.content });
        return;
      default:
        this.takeTool(type, data, sequence);
    }
  }

  finish(): Recording {
    const { sessionId, provider, model, task = "" } = this.about;
    return { sessionId, provider, model, task, modelCalls: this.modelCalls, toolCalls: this.toolCalls };
  }

  private takeCommand({ type, success, data }: Data): void {
    if (success !== true || typeof data !== "object" || data === null) return;
    const { role, content, toolId } = data as Data;
    if (type === "inject_message" && (role === "user" || role === "assistant") && typeof content === "string")
      this.changes.push({ inject: { role, content } });
    if (type === "set_variable" && typeof toolId === "string") this.changedInputs.add(toolId);
  }

  private takeTool(type: string, data: Data, sequence: number): void {
    const toolId = asText(data.toolId);
    if (type === "tool_call_start") {
      const changed = this.changedInputs.has(toolId);
      this.toolCalls.push({
        sequence,
        toolId,
        name: asText(data.name),
        input: data.input,
        changed,
        outcome: undefined,
      });
      return;
    }
    const call = this.toolCalls.findLast((one) => one.toolId === toolId && one.name === data.name);
    if (!call) return;
    if (type === "tool_call_end" && data.cancelled === true)
      call.outcome = { result: `${call.name} was cancelled by the debugger`, isError: true, cancelled: true };
    if (type === "tool_result")
      call.outcome = {
        result: data.result,
        isError: data.isError === true,
        cancelled: call.outcome?.cancelled ?? false,
      };
  }

  /** Each request holds only what is new since the last one. */
  private sent({ kept, messages }: Data): readonly Message[] | undefined {
    if (!Array.isArray(messages)) return undefined;
    this.messages = [
      ...this.messages.slice(0, typeof kept === "number" ? kept : 0),
      ...(messages as Message[]),
    ];
    return this.messages;
  }

  private answer(part: ModelResult): void {
    const call = this.modelCalls.at(-1);
    if (call) call.answer = { ...call.answer, ...part };
  }
}

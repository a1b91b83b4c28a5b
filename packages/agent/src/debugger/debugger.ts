import { homeFolder } from "@debug-bridge/client/files";
import { AgentFolder, type Following, followLines } from "@debug-bridge/journal";
import { truncate } from "@debug-bridge/protocol";
import { runCommandLine } from "../commands/run-command-line.js";
import { Gate } from "../pausing/gate.js";
import { PauseState } from "../pausing/pause-state.js";
import { ConversationLog } from "../session/conversation-log.js";
import { EventWriter, jsonOf } from "../session/event-writer.js";
import { moveStartingCommands, STARTING_COMMANDS } from "../session/starting-commands.js";
import type {
  AgentDebugger,
  AgentDebuggerOptions,
  Message,
  ModelCall,
  ModelResult,
  ToolCall,
  ToolDecision,
  ToolResult,
} from "../types.js";
import { AgentTarget } from "./agent-target.js";
import { DisabledDebugger } from "./disabled-debugger.js";
import { endWithProcess } from "./end-with-process.js";
import { type OpenCall, ToolCalls } from "./tool-calls.js";

const MAX_MESSAGE_CHARACTERS = 200_000;

/**
 * Makes an agent's loop debuggable: records what the loop does and pauses it on request. If the session files cannot be
 * written, the agent runs as if there were no debugger.
 *
 * @example
 * const debug = createAgentDebugger({ provider: "anthropic", model, host: { messages: () => messages } });
 * await debug.beforeModelCall({ messages });
 */
export function createAgentDebugger(options: AgentDebuggerOptions = {}): AgentDebugger {
  if (options.enabled === false) return new DisabledDebugger();
  try {
    return new FileDebugger(AgentFolder.create(homeFolder(options.home), options), options);
  } catch (thrown) {
    process.stderr.write(`debug-bridge: the agent debugger is disabled: ${(thrown as Error).message}\n`);
    return new DisabledDebugger();
  }
}

class FileDebugger implements AgentDebugger {
  readonly enabled = true;
  private readonly writer: EventWriter;
  private readonly pauseState: PauseState;
  private readonly gate: Gate;
  private readonly calls = new ToolCalls();
  private readonly target: AgentTarget;
  private readonly commands: Following;
  private readonly conversation = new ConversationLog();
  private readonly startedAt = performance.now();
  private readonly stopWatchingProcess: () => void;
  private modelStartedAt = 0;
  private lastMessages: readonly Message[] = [];
  private closed = false;

  constructor(
    private readonly files: AgentFolder,
    private readonly options: AgentDebuggerOptions,
  ) {
    this.writer = new EventWriter(files);
    this.pauseState = new PauseState((type, data) => this.emit(type, data));
    this.gate = new Gate(this.pauseState, (alive) => this.commands.hold(alive));
    const { provider, model, cwd = process.cwd() } = options;
    this.target = new AgentTarget({
      files,
      pauseState: this.pauseState,
      calls: this.calls,
      host: { messages: () => this.lastMessages, ...options.host },
      provider: { name: provider ?? "unknown", model: model ?? "unknown" },
      emit: (type, data) => this.emit(type, data),
    });
    this.emit("session_start", { provider, model, cwd, name: options.name, pid: process.pid });
    if (options.paused) this.pauseState.requestPause();
    moveStartingCommands(options.commandsFile ?? process.env[STARTING_COMMANDS], files.commandsFile);
    this.commands = followLines(files.commandsFile, {
      onLine: (line) => runCommandLine(line, this.target, (type, data) => this.emit(type, data)),
    });
    this.stopWatchingProcess = endWithProcess(() => this.close("exit"));
  }

  get sessionId(): string {
    return this.files.id;
  }

  get folder(): string {
    return this.files.path;
  }

  get paused(): boolean {
    return this.pauseState.paused;
  }

  get variables(): Readonly<Record<string, unknown>> {
    return this.target.variables;
  }

  userInput(input: string): void {
    this.emit("user_input", { input });
  }

  async beforeModelCall(call: ModelCall = {}): Promise<void> {
    if (this.closed) return;
    if (call.messages) this.lastMessages = call.messages;
    // A loop that never leaves the microtask queue would not receive commands otherwise.
    this.commands.read();
    this.pauseState.iteration++;
    this.pauseState.isBeforeModel = true;
    await this.gate.pass({ at: "model", iteration: this.pauseState.iteration });
    this.pauseState.isBeforeModel = false;
    // A rewind changes it.
    const { iteration } = this.pauseState;
    this.modelStartedAt = performance.now();
    this.emit("api_request", {
      messageCount: call.messages?.length ?? call.messageCount,
      model: call.model ?? this.options.model,
      iteration,
      ...(call.messages ? this.conversation.next(call.messages) : {}),
    });
  }

  async afterModelCall({ stopReason, content, usage }: ModelResult = {}): Promise<void> {
    const { iteration } = this.pauseState;
    this.emit("api_response", { stopReason, durationMs: since(this.modelStartedAt), usage, iteration });
    if (content !== undefined) this.emit("assistant_message", { content, iteration });
  }

  async beforeToolCall(toolCall: ToolCall): Promise<ToolDecision> {
    const call = this.calls.begin(toolCall);
    const { signal } = call.controller;
    if (!this.closed) {
      const { iteration } = this.pauseState;
      const { toolId, name, input } = toolCall;
      this.commands.read();
      await this.gate.pass({ at: "tool", iteration, name, toolId, input }, waiterOf(call));
    }
    call.held = false;
    call.startedAt = performance.now();
    const { toolId, name, input } = call;
    const { iteration } = this.pauseState;
    this.emit("tool_call_start", { name, toolId, input: input ?? null, iteration });
    if (!signal.aborted) return { run: true, input, signal };
    this.calls.end(toolId);
    this.emit("tool_call_end", { name, toolId, isError: true, cancelled: true, durationMs: 0, iteration });
    return { run: false, reason: (signal.reason as Error).message };
  }

  async afterToolCall({ toolId, name, result, isError = false }: ToolResult): Promise<void> {
    const call = this.calls.end(toolId);
    const { iteration } = this.pauseState;
    const durationMs = call ? since(call.startedAt) : undefined;
    const cancelled = call?.controller.signal.aborted || undefined;
    this.emit("tool_call_end", { name, toolId, isError, cancelled, durationMs, iteration });
    this.emit("tool_result", { name, toolId, result: result ?? null, isError });
    if (!isError || this.closed) return;
    const message = typeof result === "string" ? result : (jsonOf(result) ?? "");
    await this.gate.pass({
      at: "error",
      iteration,
      message: truncate(message, MAX_MESSAGE_CHARACTERS),
      context: "tool",
      name,
      toolId,
    });
  }

  async error(thrown: unknown, context = "agent"): Promise<void> {
    const message = truncate(
      thrown instanceof Error ? thrown.message : String(thrown),
      MAX_MESSAGE_CHARACTERS,
    );
    const stack = thrown instanceof Error ? thrown.stack : undefined;
    const { iteration } = this.pauseState;
    this.emit("error", { message, context, stack, iteration });
    if (!this.closed) await this.gate.pass({ at: "error", iteration, message, context });
  }

  compaction({ before, after }: { before: number; after: number }): void {
    this.emit("context_compaction", { before, after });
  }

  close(reason = "done"): void {
    if (this.closed) return;
    this.pauseState.finish();
    this.emit("session_end", { reason, durationMs: since(this.startedAt) });
    this.closed = true;
    this.stopWatchingProcess();
    this.commands.close();
    this.target.close();
    this.gate.close();
    try {
      this.files.close();
    } catch (thrown) {
      process.stderr.write(`debug-bridge: cannot mark the session as ended: ${(thrown as Error).message}\n`);
    }
  }

  private emit(type: string, data: Record<string, unknown>): void {
    if (this.closed) return;
    this.writer.emit(type, data);
    this.pauseState.onOwnEvent(type, this.files.id, data);
  }
}

function waiterOf(call: OpenCall): { isCancelled(): boolean; onWait(wake: () => void): void } {
  return {
    isCancelled: () => call.controller.signal.aborted,
    onWait: (wake) => {
      call.wake = wake;
    },
  };
}

const since = (start: number): number => Math.round((performance.now() - start) * 1_000) / 1_000;

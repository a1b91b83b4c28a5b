import { BridgeError } from "@debug-bridge/protocol";
import { createAgentDebugger } from "../debugger/debugger.js";
import type { Replayer } from "../replay/replayer.js";
import { asText } from "../session/as-text.js";
import { StepConversation } from "../session/step-conversation.js";
import type { AgentDebugger, AgentHost, Message } from "../types.js";
import { endRun } from "./end-run.js";
import type { Turn, TurnModel } from "./script.js";
import { createTools, type ReferenceTools, type ToolInput } from "./tools.js";

export interface RunOptions {
  readonly task: string;
  readonly cwd: string;
  readonly home?: string;
  readonly name?: string;
  /** Pauses before the first model call. */
  readonly paused?: boolean;
  /** Additional tools. */
  readonly tools?: ReferenceTools;
  /** Answers instead of the model and the tools. */
  readonly replayer?: Replayer;
  /** The conversation so far; by default only the task. */
  readonly messages?: readonly Message[];
  /** Pictures for a model, beside the task. */
  readonly images?: readonly { readonly mediaType: string; readonly data: string }[];
  /** Called for each text, and when each tool call begins and ends, to show progress. */
  onTurn?(what: { text: string } | ToolTurn): void;
}

/** A tool call that begins, and the same one with its result when it has ended. */
export interface ToolTurn {
  readonly id: string;
  readonly tool: string;
  readonly input: unknown;
  /** Left out while it runs. */
  readonly ended?: { readonly result: string; readonly isError: boolean };
}

export interface ReferenceAgentOptions extends RunOptions {
  readonly model: TurnModel;
}

/** A run of the reference agent. */
export interface ReferenceRun {
  readonly debug: AgentDebugger;
  /** Resolves with the last text when the run ends. */
  readonly done: Promise<{ text: string; iterations: number }>;
}

interface State {
  readonly messages: readonly Message[];
  readonly turn: number;
}

/** Starts an agent in a plain loop, with a script or a recording as its model. It can be debugged like any other. */
export function startReferenceAgent(options: ReferenceAgentOptions): ReferenceRun {
  const agent = new ReferenceAgent(options);
  return { debug: agent.debug, done: agent.run() };
}

class ReferenceAgent {
  readonly debug: AgentDebugger;
  /** The messages of the loop, without the changes of a debugger. */
  private readonly messages: Message[];
  private readonly conversation = new StepConversation();
  /** The turn with which the current step began. */
  private turn = 0;
  private readonly tools: ReferenceTools;
  private readonly host: AgentHost;
  private readonly files = new Set<string>();
  private maxIterations = Number.POSITIVE_INFINITY;
  private calls = 0;

  constructor(private readonly options: ReferenceAgentOptions) {
    const { model, task, cwd, home, name, paused } = options;
    this.messages = [...(options.messages ?? [{ role: "user", content: task }])];
    this.tools = { ...createTools(cwd), ...options.tools };
    this.host = {
      messages: () => this.conversation.withStep(this.messages),
      tools: () => Object.keys(this.tools),
      workingSet: () => [...this.files],
      restoreWorkingSet: (files) => this.restoreFiles(files),
      context: () => ({ maxTokens: 200_000 }),
      injectMessage: (message) => this.conversation.inject(message),
      setVariable: (key, value) => this.setVariable(key, value),
      saveState: (): State => ({ messages: this.conversation.messages, turn: this.turn }),
      restoreState: (state) => this.restore(state as State),
      branch: (state) => this.branch(state as State),
    };
    this.debug = createAgentDebugger({
      provider: model.provider,
      model: model.model,
      cwd,
      ...(home === undefined ? {} : { home }),
      ...(name === undefined ? {} : { name }),
      ...(paused === undefined ? {} : { paused }),
      host: this.host,
    });
  }

  async run(): Promise<{ text: string; iterations: number }> {
    const { model, task } = this.options;
    const { debug } = this;
    debug.userInput(task);
    let text = "";
    let iterations = 0;
    try {
      for (; !model.isDone && iterations < this.maxIterations; iterations++) {
        const messages = this.conversation.begin(this.messages, iterations);
        this.turn = model.at;
        this.options.replayer?.repeatChanges(this.host);
        await debug.beforeModelCall({ messages });
        // A debugger may have changed the turn while the agent was paused.
        if (model.isDone) break;
        this.conversation.markSent();
        const turn = await model.next(messages);
        if ("text" in turn) text = turn.text;
        await this.runTurn(turn);
      }
      debug.close();
      return { text, iterations };
    } catch (thrown) {
      await endRun(debug, thrown);
      return { text, iterations };
    }
  }

  private async runTurn(turn: Turn): Promise<void> {
    if ("text" in turn) {
      await this.debug.afterModelCall({ stopReason: "end_turn", content: turn.text });
      this.messages.push({ role: "assistant", content: turn.text });
      this.options.onTurn?.({ text: turn.text });
      return;
    }
    const toolId = `call_${++this.calls}`;
    const content = [{ type: "tool_use", id: toolId, name: turn.tool, input: turn.input }];
    await this.debug.afterModelCall({ stopReason: "tool_use", content });
    this.messages.push({ role: "assistant", content });
    await this.call(toolId, turn.tool, turn.input);
  }

  private async call(toolId: string, name: string, asked: unknown): Promise<void> {
    const { replayer } = this.options;
    const input = replayer ? replayer.inputFor(toolId, asked) : asked;
    const decision = await this.debug.beforeToolCall({ toolId, name, input });
    const turn = { id: toolId, tool: name, input: decision.run ? decision.input : input };
    if (decision.run) this.options.onTurn?.(turn);
    const outcome = replayer?.outcome(toolId, name, turn.input);
    const { result, isError } = decision.run
      ? (outcome ?? (await this.runTool(name, decision.input, decision.signal)))
      : { result: decision.reason, isError: true };
    if (decision.run) await this.debug.afterToolCall({ toolId, name, result, isError });
    const block = { type: "tool_result", tool_use_id: toolId, content: result, is_error: isError };
    this.messages.push({ role: "user", content: [block] });
    this.options.onTurn?.({ ...turn, ended: { result: asText(result, JSON.stringify(result)), isError } });
  }

  private async runTool(
    name: string,
    input: unknown,
    signal: AbortSignal,
  ): Promise<{ result: string; isError: boolean }> {
    try {
      const tool = Object.hasOwn(this.tools, name) ? this.tools[name] : undefined;
      if (!tool) {
        const existing = Object.keys(this.tools).join(", ");
        throw new BridgeError("tool_not_found", `tool "${name}" does not exist; existing tools: ${existing}`);
      }
      const fields = (typeof input === "object" && input !== null ? input : {}) as ToolInput;
      if (typeof fields.path === "string") this.files.add(fields.path);
      return { result: await tool.run(fields, signal), isError: false };
    } catch (thrown) {
      return { result: thrown instanceof Error ? thrown.message : String(thrown), isError: true };
    }
  }

  private setVariable(key: string, value: unknown): void {
    if (key !== "maxIterations") return;
    if (value === null) {
      this.maxIterations = Number.POSITIVE_INFINITY;
      return;
    }
    if (!Number.isInteger(value) || (value as number) < 1)
      throw new BridgeError("invalid_message", "maxIterations must be a whole number of at least 1", {
        field: "value",
      });
    this.maxIterations = value as number;
  }

  private restoreFiles(files: readonly string[]): void {
    this.files.clear();
    for (const file of files) this.files.add(file);
  }

  private restore({ messages, turn }: State): void {
    this.conversation.restore(messages);
    this.options.model.at = turn;
    this.turn = turn;
  }

  /** Starts another run from a state. It begins paused, so that a debugger can change it. */
  private branch({ messages, turn }: State): string {
    const model = this.options.model.branchAt(turn);
    const agent = new ReferenceAgent({ ...this.options, model, messages, paused: true });
    // Its errors are in its own events.
    agent.run().catch(() => {});
    return agent.debug.sessionId ?? "";
  }
}

import { BridgeError } from "@debug-bridge/protocol";
import { createAgentDebugger } from "../debugger.js";
import type { AgentDebugger, Message } from "../types.js";
import type { ScriptedModel, Turn } from "./script.js";
import { createTools } from "./tools.js";

export interface ReferenceAgentOptions {
  readonly task: string;
  readonly model: ScriptedModel;
  readonly cwd: string;
  readonly home?: string;
  readonly name?: string;
  /** Stops before the first call of the model. */
  readonly paused?: boolean;
  /** Is told what happens, for whoever watches the run. */
  onTurn?(what: { text: string } | { tool: string; isError: boolean }): void;
}

/** A run of the reference agent. */
export interface ReferenceRun {
  readonly debug: AgentDebugger;
  /** Resolves with the last text once the script is at its end. */
  readonly done: Promise<{ text: string; iterations: number }>;
}

interface State {
  readonly messages: readonly Message[];
  readonly turn: number;
}

/** Starts an agent whose model is a script and whose tools are real. It is debugged like any other. */
export function startReferenceAgent(options: ReferenceAgentOptions): ReferenceRun {
  const agent = new ReferenceAgent(options);
  return { debug: agent.debug, done: agent.run() };
}

class ReferenceAgent {
  readonly debug: AgentDebugger;
  private readonly messages: Message[];
  private readonly tools: ReturnType<typeof createTools>;
  private readonly files = new Set<string>();
  private maxIterations = Number.POSITIVE_INFINITY;
  private calls = 0;

  constructor(
    private readonly options: ReferenceAgentOptions,
    before: readonly Message[] = [{ role: "user", content: options.task }],
  ) {
    const { model, cwd, home, name, paused } = options;
    this.messages = [...before];
    this.tools = createTools(cwd);
    this.debug = createAgentDebugger({
      provider: model.provider,
      model: model.model,
      cwd,
      ...(home === undefined ? {} : { home }),
      ...(name === undefined ? {} : { name }),
      ...(paused === undefined ? {} : { paused }),
      host: {
        messages: () => this.messages,
        tools: () => Object.keys(this.tools),
        workingSet: () => [...this.files],
        context: () => ({ maxTokens: 200_000 }),
        injectMessage: (message) => this.messages.push(message),
        setVariable: (key, value) => this.setVariable(key, value),
        saveState: (): State => ({ messages: this.messages, turn: model.at }),
        restoreState: (state) => this.restore(state as State),
        branch: (state) => this.branch(state as State),
      },
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
        await debug.beforeModelCall({ messages: this.messages });
        // While it was paused, the agent may have been taken back, or told to do less.
        if (model.isDone) break;
        const turn = await model.next();
        if ("text" in turn) text = turn.text;
        await this.take(turn);
      }
      debug.close();
      return { text, iterations };
    } catch (thrown) {
      await debug.error(thrown, "agent");
      debug.close("error");
      throw thrown;
    }
  }

  private async take(turn: Turn): Promise<void> {
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

  private async call(toolId: string, name: string, input: unknown): Promise<void> {
    const decision = await this.debug.beforeToolCall({ toolId, name, input });
    const { result, isError } = decision.run
      ? await this.runTool(name, decision.input, decision.signal)
      : { result: decision.reason, isError: true };
    if (decision.run) await this.debug.afterToolCall({ toolId, name, result, isError });
    const block = { type: "tool_result", tool_use_id: toolId, content: result, is_error: isError };
    this.messages.push({ role: "user", content: [block] });
    this.options.onTurn?.({ tool: name, isError });
  }

  private async runTool(
    name: string,
    input: unknown,
    signal: AbortSignal,
  ): Promise<{ result: string; isError: boolean }> {
    try {
      const tool = Object.hasOwn(this.tools, name) ? this.tools[name] : undefined;
      if (!tool) {
        const there = Object.keys(this.tools).join(", ");
        throw new BridgeError("tool_not_found", `there is no tool "${name}"; there are: ${there}`);
      }
      const fields = (typeof input === "object" && input !== null ? input : {}) as Record<string, unknown>;
      if (typeof fields.path === "string") this.files.add(fields.path);
      return { result: await tool(fields, signal), isError: false };
    } catch (thrown) {
      return { result: thrown instanceof Error ? thrown.message : String(thrown), isError: true };
    }
  }

  private setVariable(key: string, value: unknown): void {
    if (key !== "maxIterations") return;
    if (!Number.isInteger(value) || (value as number) < 1)
      throw new BridgeError("invalid_message", "maxIterations is a whole number from 1 on", {
        field: "value",
      });
    this.maxIterations = value as number;
  }

  private restore({ messages, turn }: State): void {
    // In place: the request that waits at the gate holds this array.
    this.messages.splice(0, this.messages.length, ...messages);
    this.options.model.at = turn;
  }

  /** Another run from a state, in the same folder. It waits to be told what to do differently. */
  private branch({ messages, turn }: State): string {
    const model = this.options.model.branchAt(turn);
    const agent = new ReferenceAgent({ ...this.options, model, paused: true }, messages);
    // What goes wrong in it is in its own events.
    agent.run().catch(() => {});
    return agent.debug.sessionId ?? "";
  }
}

import type { AgentDebugger, ToolCall, ToolDecision } from "../types.js";

/** A debugger that does nothing: no file, no event, no wait. */
export class DisabledDebugger implements AgentDebugger {
  readonly enabled = false;
  readonly sessionId = undefined;
  readonly folder = undefined;
  readonly variables = {};
  readonly paused = false;

  userInput(): void {}
  async beforeModelCall(): Promise<void> {}
  async afterModelCall(): Promise<void> {}
  async beforeToolCall({ input }: ToolCall): Promise<ToolDecision> {
    return { run: true, input, signal: NEVER };
  }
  async afterToolCall(): Promise<void> {}
  async error(): Promise<void> {}
  compaction(): void {}
  close(): void {}
}

const NEVER = new AbortController().signal;

/** A message of a conversation, in the format of the agent's model. */
export interface Message {
  readonly role: string;
  readonly content: unknown;
}

/** What the agent provides to the debugger. Each member is optional; a command that needs a missing one fails. */
export interface AgentHost {
  /** The conversation so far. */
  messages?(): readonly Message[];
  /** Names of the tools that the model may call. */
  tools?(): readonly string[];
  /** How full the context is. Without `tokenEstimate`, it is estimated from the messages. */
  context?(): { tokenEstimate?: number; maxTokens?: number; summary?: string | undefined };
  /** Files the agent works on. */
  workingSet?(): readonly string[];
  /** Goes back to the files of a checkpoint. */
  restoreWorkingSet?(files: readonly string[]): void;
  /** Adds a message to the conversation before the next model call. */
  injectMessage?(message: { role: "user" | "assistant"; content: string }): void;
  /**
   * Changes a variable of the agent; throws to reject the value. The value is also in `variables` of the debugger. A rewind
   * resets a variable that was set after the checkpoint: its value is then `null`.
   */
  setVariable?(key: string, value: unknown): void;
  /** The agent's state as plain data, for a checkpoint. */
  saveState?(): unknown;
  /** Goes back to a state that `saveState` returned. */
  restoreState?(state: unknown): void;
  /**
   * Starts another run from a state that `saveState` returned; returns the id of its session. A run in this process
   * inherits breakpoints, checkpoints and variables.
   */
  branch?(state: unknown): string;
}

export interface AgentDebuggerOptions {
  /** `false` makes every call return immediately and writes nothing. */
  readonly enabled?: boolean;
  /** Where sessions are kept; by default `$DEBUG_BRIDGE_HOME`, else `~/.debug-bridge`. */
  readonly home?: string;
  /** A name for people. */
  readonly name?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly cwd?: string;
  /** Pauses before the first model call. */
  readonly paused?: boolean;
  /** A file with commands to execute first; it is removed. By default the one that `$DEBUG_BRIDGE_COMMANDS` names. */
  readonly commandsFile?: string;
  readonly host?: AgentHost;
}

export interface ModelCall {
  /** The messages of the request. Messages of the previous request are not stored again. */
  readonly messages?: readonly Message[];
  readonly messageCount?: number;
  readonly model?: string;
}

export interface ModelResult {
  readonly stopReason?: string;
  /** The complete answer of the model: text, or the content blocks of the provider. */
  readonly content?: unknown;
  readonly usage?: unknown;
}

export interface ToolCall {
  readonly toolId: string;
  readonly name: string;
  readonly input: unknown;
}

export interface ToolResult {
  readonly toolId: string;
  readonly name: string;
  readonly result?: unknown;
  readonly isError?: boolean;
}

/** What to do with a tool call: run it with this input until the signal aborts, or skip it. */
export type ToolDecision =
  | { readonly run: true; readonly input: unknown; readonly signal: AbortSignal }
  | { readonly run: false; readonly reason: string };

/** A debugger of one agent. Its methods never throw. */
export interface AgentDebugger {
  readonly enabled: boolean;
  /** Id of the session; undefined when disabled. */
  readonly sessionId: string | undefined;
  /** Folder of the session; undefined when disabled. */
  readonly folder: string | undefined;
  /** What `set_variable` set. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly paused: boolean;

  userInput(input: string): void;
  /** Await this before each model call. It begins an iteration, and the agent pauses here. */
  beforeModelCall(call?: ModelCall): Promise<void>;
  afterModelCall(result?: ModelResult): Promise<void>;
  /** Await this before each tool call, and follow its decision. */
  beforeToolCall(call: ToolCall): Promise<ToolDecision>;
  afterToolCall(result: ToolResult): Promise<void>;
  /** Records an error; pauses if a breakpoint matches it. */
  error(thrown: unknown, context?: string): Promise<void>;
  /** Records that the conversation was shortened: messages or tokens, before and after. */
  compaction(size: { before: number; after: number }): void;
  /** Ends the session. */
  close(reason?: string): void;
}

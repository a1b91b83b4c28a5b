/** A message of a conversation, in the shape that the agent's model takes. */
export interface Message {
  readonly role: string;
  readonly content: unknown;
}

/** What the debugger asks of the agent. Each part is optional; a command that needs a missing one is refused. */
export interface AgentHost {
  /** The conversation so far. */
  messages?(): readonly Message[];
  /** Names of the tools that the model may call. */
  tools?(): readonly string[];
  /** How full the context is. Without `tokenEstimate`, it is guessed from the messages. */
  context?(): { tokenEstimate?: number; maxTokens?: number; summary?: string | undefined };
  /** Files the agent works on. */
  workingSet?(): readonly string[];
  /** Adds a message to the conversation, before the model is called next. */
  injectMessage?(message: { role: "user" | "assistant"; content: string }): void;
  /** Changes a variable of the agent; throws to refuse. Without it, values go to `variables` of the debugger. */
  setVariable?(key: string, value: unknown): void;
  /** The agent's state as plain data, for a checkpoint. */
  saveState?(): unknown;
  /** Goes back to a state that `saveState` returned. */
  restoreState?(state: unknown): void;
  /** Starts another run from a state that `saveState` returned, beside this one; returns the id of its session. */
  branch?(state: unknown): string;
}

export interface AgentDebuggerOptions {
  /** `false` makes every call return at once, and writes nothing. */
  readonly enabled?: boolean;
  /** Where sessions are kept; by default `$DEBUG_BRIDGE_HOME`, else `~/.debug-bridge`. */
  readonly home?: string;
  /** What a person calls this agent. */
  readonly name?: string;
  readonly provider?: string;
  readonly model?: string;
  readonly cwd?: string;
  /** Stops before the first call of the model. */
  readonly paused?: boolean;
  readonly host?: AgentHost;
}

export interface ModelCall {
  /** The messages that are sent. Those of the call before are not stored again. */
  readonly messages?: readonly Message[];
  readonly messageCount?: number;
  readonly model?: string;
}

export interface ModelResult {
  readonly stopReason?: string;
  /** What the model said, whole: text, or the blocks of the provider. */
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

/** What to do with a tool call: run it, with this input, until the signal aborts; or not. */
export type ToolDecision =
  | { readonly run: true; readonly input: unknown; readonly signal: AbortSignal }
  | { readonly run: false; readonly reason: string };

/** A debugger of one agent. Whatever goes wrong in it, its methods do not throw. */
export interface AgentDebugger {
  readonly enabled: boolean;
  /** Id of the session; undefined when disabled. */
  readonly sessionId: string | undefined;
  /** Folder of the session; undefined when disabled. */
  readonly folder: string | undefined;
  /** What `set_variable` set, where the host has no `setVariable`. */
  readonly variables: Readonly<Record<string, unknown>>;
  readonly paused: boolean;

  userInput(input: string): void;
  /** Await it before each call of the model: here the agent pauses, and an iteration begins. */
  beforeModelCall(call?: ModelCall): Promise<void>;
  afterModelCall(result?: ModelResult): Promise<void>;
  /** Await it before each call of a tool, and do what it says. */
  beforeToolCall(call: ToolCall): Promise<ToolDecision>;
  afterToolCall(result: ToolResult): Promise<void>;
  /** Records an error; stops at it when a breakpoint says so. */
  error(thrown: unknown, context?: string): Promise<void>;
  /** The conversation was shortened: messages or tokens, before and after. */
  compaction(size: { before: number; after: number }): void;
  /** Ends the session. */
  close(reason?: string): void;
}

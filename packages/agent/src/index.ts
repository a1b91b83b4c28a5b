/** Makes an agent's loop debuggable. */
export { createAgentDebugger } from "./debugger.js";
export { type ReferenceAgentOptions, type ReferenceRun, startReferenceAgent } from "./reference/agent.js";
export { readScript, ScriptedModel } from "./reference/script.js";
export type {
  AgentDebugger,
  AgentDebuggerOptions,
  AgentHost,
  Message,
  ModelCall,
  ModelResult,
  ToolCall,
  ToolDecision,
  ToolResult,
} from "./types.js";

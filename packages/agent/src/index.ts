/** Makes an agent's loop debuggable. */
export { createAgentDebugger } from "./debugger.js";
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

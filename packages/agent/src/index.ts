/** Makes an agent's loop debuggable. */
export { createAgentDebugger } from "./debugger/debugger.js";
export {
  type ReferenceAgentOptions,
  type ReferenceRun,
  type RunOptions,
  startReferenceAgent,
  type ToolTurn,
} from "./reference/agent.js";
export { type ChosenModel, chooseModel, type ModelChoice } from "./reference/providers.js";
export { ReplayedModel } from "./reference/replayed-model.js";
export { readScript, ScriptedModel } from "./reference/script.js";
export type { ReferenceTool, ReferenceTools, ToolInput } from "./reference/tools.js";
export { type Recording, readRecording } from "./replay/recording.js";
export { ReplayDifference, Replayer } from "./replay/replayer.js";
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

/** The tools of Debug Bridge, each defined once, and the MCP server over them. */
export { browserReport } from "./answers/browser-report.js";
export {
  Bridge,
  type BridgeOptions,
  type BrowserActionResult,
  chooseSession,
  type Reproduce,
  type SiteAnswer,
} from "./bridge.js";
export { Executor, type ExecutorOptions } from "./execute/executor.js";
export { createMcpServer } from "./server.js";
export { callTool, type Tool, type ToolAnswer, type ToolImage } from "./tool.js";
export { shellTools, tools } from "./tools/all.js";
export { startRecording, stopRecording } from "./tools/record.js";

/** `browser_action`: one tool that debugs a page in a Chrome that it launches. */
export { findChrome } from "./chrome/find.js";
export { installSteps, noChrome } from "./chrome/install-steps.js";
export { explain } from "./diagnosis/catalogue.js";
export type { BrowserHub, BrowserHubClient } from "./hub/browser-hub.js";
export { parseInstruction } from "./instruction/parse.js";
export { printInstruction } from "./instruction/print.js";
export type { ContentBlock, Message } from "./messages/content.js";
export { messagesFor, type Provider, type ProviderModel, takesImages } from "./messages/for-provider.js";
export { cleanHistory, IMAGE_PLACEHOLDER } from "./messages/history.js";
export { toolResultContent } from "./messages/tool-result.js";
export { StreamSplitter, type TerminalLine, terminalLine } from "./reading.js";
export { PageRenderer } from "./rendering/page-renderer.js";
export { filterLogs } from "./report/logs.js";
export type { RunnerOptions } from "./session/browser-runner.js";
export { openPooledBrowser, type PooledBrowserOptions } from "./session/pooled-browser.js";
export {
  BrowserSessions,
  closeBrowserSession,
  handleBrowserInstruction,
  type InstructionText,
} from "./session/sessions.js";
export { SourceMaps } from "./source-maps/source-maps.js";
export { browserActionTool, type ToolContent, type ToolResult, toToolResult } from "./tool.js";

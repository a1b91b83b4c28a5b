/** For programs that only forward instructions and show logs: no browser, no validators. */
export { StreamSplitter } from "./instruction/split-stream.js";
export { type TerminalLine, terminalLine } from "./report/terminal-line.js";

/** What a program needs that only passes instructions on and shows logs: no browser, no validators. */
export { StreamSplitter } from "./instruction/split-stream.js";
export { type TerminalLine, terminalLine } from "./report/terminal-line.js";

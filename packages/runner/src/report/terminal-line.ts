import type { Log } from "@debug-bridge/protocol";

const COLOURS = { error: "red", warning: "yellow", info: "blue", debug: "green", verbose: "green" } as const;
const LEVELS = { error: "error", warning: "warn", info: "info", debug: "debug", verbose: "log" } as const;

/** A log entry for a person's terminal. */
export interface TerminalLine {
  readonly prefix: string;
  readonly colour: (typeof COLOURS)[Log["type"]];
  readonly text: string;
}

/**
 * Formats a log entry for a terminal. Entries from the browser have a prefix; the runner's own do not.
 *
 * @example terminalLine(log) // { prefix: "browser:error", colour: "red", text: "x is not defined" }
 */
export function terminalLine({ type, source, message, stack }: Log): TerminalLine {
  const level = LEVELS[type];
  return {
    prefix: source === "browser" ? `browser:${level}` : level,
    colour: COLOURS[type],
    // A stack begins with the message it belongs to.
    text: stack === undefined ? message : stack.includes(message) ? stack : `${message}\n${stack}`,
  };
}

import { statSync } from "node:fs";
import { lastLines } from "@debug-bridge/journal";
import { printRaw } from "../../terminal/output.js";
import { PLAIN, render } from "../../terminal/style.js";
import { eventLine, parseEvent } from "../events/event-line.js";
import type { AgentSession } from "../session/choose-session.js";

/** The alternate screen, which keeps the lines of the terminal as they were. */
const ENTER_SCREEN = "\u001b[?1049h\u001b[H";
export const CLEAR_SCREEN = "\u001b[2J\u001b[H";
export const LEAVE_SCREEN = "\u001b[?1049l";

/** Shows the newest events at once, while the screen is loaded. */
export function firstLook({ events }: AgentSession, stdout: NodeJS.WriteStream): void {
  const { columns = 80, rows = 24 } = stdout;
  const lines = lastLines(events, rows - 2, statSync(events).size)
    .map(({ text }) => parseEvent(text))
    .filter((event) => event !== undefined)
    .map((event) => [...render(eventLine(event), PLAIN)].slice(0, columns).join(""));
  printRaw(`${ENTER_SCREEN}${lines.join("\r\n")}`, stdout);
}

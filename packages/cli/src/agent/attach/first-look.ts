import { statSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import { lastLines } from "@debug-bridge/journal";
import type { AgentSession } from "../choose-session.js";
import { eventLine, parseEvent } from "../event-line.js";

/** A screen of its own, which leaves the person's lines as they were. */
const ENTER_SCREEN = "\u001b[?1049h\u001b[H";
export const CLEAR_SCREEN = "\u001b[2J\u001b[H";
export const LEAVE_SCREEN = "\u001b[?1049l";

/** Shows the newest events at once, while the rest of the screen is still loaded. */
export function firstLook({ events }: AgentSession, stdout: NodeJS.WriteStream): void {
  const { columns = 80, rows = 24 } = stdout;
  const lines = lastLines(events, rows - 2, statSync(events).size)
    .map(({ text }) => parseEvent(text))
    .filter((event) => event !== undefined)
    .map((event) => [...stripVTControlCharacters(eventLine(event))].slice(0, columns).join(""));
  stdout.write(`${ENTER_SCREEN}${lines.join("\r\n")}`);
}

import { stripControlCharacters } from "@debug-bridge/protocol";
import type { AgentView } from "./view.js";

/** All of one event, and of the call that is held: what a line of the timeline has no room for. */
export function detailLines(view: AgentView, back: number, width: number): string[] {
  const { call, paused } = view;
  const event = view.events[view.events.length - 1 - back];
  const held =
    call && paused !== undefined
      ? [`held: ${call.name} ${call.toolId}${call.changed ? " (edited)" : ""}`, ...linesOf(call.input), ""]
      : [];
  const shown = event
    ? [`${event.type} ${String(event.timestamp ?? "")}`, ...linesOf(event.data)]
    : ["no event"];
  return [...held, ...shown].flatMap((line) => wrapped(stripControlCharacters(line), Math.max(20, width)));
}

function linesOf(value: unknown): string[] {
  return (JSON.stringify(value, null, 2) ?? "nothing").split("\n").map((line) => `  ${line}`);
}

function wrapped(line: string, width: number): string[] {
  const characters = [...line];
  const parts: string[] = [];
  for (let at = 0; at < Math.max(1, characters.length); at += width)
    parts.push(characters.slice(at, at + width).join(""));
  return parts;
}

import type { Turn } from "./turns.js";

/** Our own tools that change something: worth stopping at before an agent has used any. */
const OWN = ["act", "execute", "eval", "browser_action"];
const MAX_NAMES = 30;

/** The tools that agents of a conversation have used, without the name of their MCP server, and our own. */
export function toolNames(turns: readonly Turn[]): readonly string[] {
  const names = new Set<string>();
  for (const { parts } of turns)
    for (const part of parts)
      if (part.kind === "step" && part.step.kind === "tool" && names.size < MAX_NAMES)
        names.add(part.step.title.replace(/^(?:[\w-]+: |mcp__.+?__)| \([\w-]+ MCP Server\)$/g, ""));
  for (const name of OWN) names.add(name);
  return [...names].sort();
}

import { type StateSnapshot, truncate } from "@debug-bridge/protocol";
import { contentText } from "./content-text.js";

const MAX_SHOWN = 200;

/** The state of an agent for people: a few lines, and one for each message. */
export function snapshotText(snapshot: StateSnapshot): string {
  const { messages, context, tools, provider, workingSet, variables } = snapshot;
  const lines: [string, string][] = [
    ["iteration", `${snapshot.iteration}${snapshot.paused ? ", paused" : ""}`],
    ["provider", provider ? `${provider.name}/${provider.model}` : "unknown"],
  ];
  if (workingSet?.length) lines.push(["files", workingSet.join(", ")]);
  if (variables && Object.keys(variables).length > 0) lines.push(["variables", JSON.stringify(variables)]);
  if (context) {
    const summary = context.hasSummary ? `, summary: ${context.summaryPreview ?? ""}` : "";
    lines.push(["context", `about ${context.tokenEstimate} of ${context.maxTokens || "?"} tokens${summary}`]);
  }
  if (tools) lines.push(["tools", `${tools.count}: ${tools.enabled.join(", ")}`]);
  if (messages) {
    const roles = Object.entries(messages.roles).map(([role, count]) => `${count} ${role}`);
    lines.push(["messages", [String(messages.count), ...roles].join(", ")]);
    const shown = messages.all ?? messages.recent.map(({ role, preview }) => ({ role, content: preview }));
    for (const { role, content } of shown) lines.push([`  ${role}`, contentText(content)]);
  }
  return lines.map(([name, value]) => `\n  ${name.padEnd(11)} ${oneLine(value)}`).join("");
}

function oneLine(text: string): string {
  return truncate(text.replaceAll(/\s+/g, " "), MAX_SHOWN);
}

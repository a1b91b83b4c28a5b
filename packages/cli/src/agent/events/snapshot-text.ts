import { contentText, type StateSnapshot, stripControlCharacters, truncate } from "@debug-bridge/protocol";

const MAX_VALUE = 200;

/** An agent's state for a person: one line for each property, and one for each message. */
export function snapshotText(snapshot: StateSnapshot): string {
  const { messages, context, tools, provider, workingSet, variables } = snapshot;
  const lines: [string, string][] = [
    [
      "iteration",
      `${snapshot.iteration}${snapshot.paused ? `, paused: ${snapshot.pauseReason ?? "?"}` : ""}`,
    ],
    ["provider", provider ? `${provider.name}/${provider.model}` : "unknown"],
  ];
  for (const { name, value } of heldLines(snapshot)) lines.push([name, value]);
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
  return lines.map(([name, value]) => `\n  ${oneLine(name, name).padEnd(11)} ${oneLine(value)}`).join("");
}

/** The tool calls that are held: which, whose, and with which input. */
function heldLines({ held }: StateSnapshot): { name: string; value: string }[] {
  return (held ?? []).map(({ toolId, name, input, subagent, changed }) => {
    const whose = subagent === undefined ? "" : `${subagent}: `;
    const edited = changed ? " (edited)" : "";
    return { name: "held", value: `${whose}${name} ${toolId} ${JSON.stringify(input)}${edited}` };
  });
}

function oneLine(text: string, original = ""): string {
  const indent = /^ */.exec(original)?.[0] ?? "";
  return indent + truncate(stripControlCharacters(text).replaceAll(/\s+/g, " ").trim(), MAX_VALUE);
}

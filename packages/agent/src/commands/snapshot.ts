import { estimateTokens, type StateSnapshot } from "@debug-bridge/protocol";
import type { AgentHost, Message } from "../types.js";

const MAX_PREVIEW_CHARACTERS = 200;
const RECENT_MESSAGES = 3;

export type InspectWhat = "messages" | "context" | "tools" | "all";

export interface SnapshotSubject {
  readonly sessionId: string;
  readonly iteration: number;
  readonly paused: boolean;
  readonly pauseReason: string | undefined;
  readonly held: NonNullable<StateSnapshot["held"]>;
  readonly provider: { readonly name: string; readonly model: string };
  readonly variables: Readonly<Record<string, unknown>>;
  readonly host: AgentHost;
}

/** The agent's state, or a part of it. Messages are included in full, beside short previews. */
export function snapshotOf(subject: SnapshotSubject, what: InspectWhat): StateSnapshot {
  const { host } = subject;
  const wants = (part: InspectWhat): boolean => what === part || what === "all";
  return {
    timestamp: new Date().toISOString(),
    sessionId: subject.sessionId,
    iteration: subject.iteration,
    paused: subject.paused,
    ...(subject.paused && subject.pauseReason !== undefined ? { pauseReason: subject.pauseReason } : {}),
    ...(subject.held.length > 0 ? { held: subject.held } : {}),
    ...(wants("messages") ? { messages: messagesPart(host.messages?.() ?? []) } : {}),
    ...(wants("context") ? { context: contextPart(host) } : {}),
    ...(wants("tools") ? { tools: toolsPart(host.tools?.() ?? []) } : {}),
    provider: subject.provider,
    workingSet: [...(host.workingSet?.() ?? [])],
    variables: { ...subject.variables },
  };
}

function messagesPart(messages: readonly Message[]): NonNullable<StateSnapshot["messages"]> {
  const roles: Record<string, number> = {};
  for (const { role } of messages) roles[role] = (roles[role] ?? 0) + 1;
  return {
    count: messages.length,
    roles,
    recent: messages
      .slice(-RECENT_MESSAGES)
      .map((message) => ({ role: message.role, preview: preview(textOf(message)) })),
    all: messages.map((message) => ({ ...message })),
  };
}

function contextPart(host: AgentHost): NonNullable<StateSnapshot["context"]> {
  const { tokenEstimate, maxTokens = 0, summary } = host.context?.() ?? {};
  return {
    tokenEstimate: tokenEstimate ?? estimate(host.messages?.() ?? []),
    maxTokens,
    hasSummary: summary !== undefined && summary !== "",
    ...(summary ? { summaryPreview: preview(summary) } : {}),
  };
}

function toolsPart(names: readonly string[]): NonNullable<StateSnapshot["tools"]> {
  return { enabled: [...names], count: names.length };
}

function estimate(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateTokens(textOf(message)), 0);
}

function preview(text: string): string {
  return text.slice(0, MAX_PREVIEW_CHARACTERS);
}

/** The text of a message, whatever the shape of its content. */
function textOf({ content }: Message): string {
  if (typeof content === "string") return content;
  if (Array.isArray(content)) return content.map(blockText).join("\n");
  return content === undefined ? "" : (JSON.stringify(content) ?? "");
}

function blockText(block: unknown): string {
  if (typeof block === "string") return block;
  if (typeof block === "object" && block !== null && "text" in block && typeof block.text === "string")
    return block.text;
  return JSON.stringify(block) ?? "";
}

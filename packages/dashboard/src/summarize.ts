import type { TimelineRecord } from "@debug-bridge/protocol";

export type Tone = "error" | "warning" | "act" | "quiet" | "plain";

export interface Line {
  readonly text: string;
  readonly tone: Tone;
}

type Data = Record<string, unknown>;

const text = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value)) ?? "";
const count = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/** One line that tells a person what a record is about. */
export function summarize({ type, data }: TimelineRecord): Line {
  const d = (typeof data === "object" && data !== null ? data : {}) as Data;
  switch (type) {
    case "hello":
      return { text: `${text(d.appName ?? "app")} connected from ${text(d.url)}`, tone: "plain" };
    case "console":
      return { text: (d.args as string[] | undefined)?.join(" ") ?? "", tone: consoleTone(d.level) };
    case "error":
      return { text: text(d.message ?? "error"), tone: "error" };
    case "unhandledrejection":
      return { text: text(d.reason ?? d.message ?? "rejection"), tone: "error" };
    case "network":
      return { text: network(d), tone: failed(d) ? "error" : "quiet" };
    case "navigation":
      return { text: `${text(d.from)} → ${text(d.to)}`, tone: "plain" };
    case "command":
      return { text: `${text(d.type)} ${d.target ? text(d.target) : ""} by ${text(d.client)}`, tone: "act" };
    case "command_result":
      return {
        text: `${text(d.requestType)} ${d.success ? "done" : `failed: ${text(d.message ?? d.error)}`}`,
        tone: d.success ? "act" : "error",
      };
    case "state_update":
      return { text: `${text(d.scope)} = ${text(d.state).slice(0, 300)}`, tone: "plain" };
    case "ui_tree":
      return { text: `${count(d.items)} elements`, tone: "quiet" };
    case "ui_tree_delta":
      return { text: `+${count(d.added)} −${count(d.removed)} ~${count(d.changed)} elements`, tone: "quiet" };
    case "dom_mutations":
      return { text: `${count(d.mutations)} mutations`, tone: "quiet" };
    case "gap":
      return { text: `${text(d.dropped)} events missing: ${text(d.reason)}`, tone: "warning" };
    case "vitals":
      return { text: `${text(d.name)} ${Math.round(Number(d.value))}`, tone: "quiet" };
    case "capabilities":
      return { text: ((d.capabilities as string[] | undefined) ?? []).join(", "), tone: "quiet" };
    default:
      return { text: d.omitted ? `${text(d.omitted)} characters` : text(data).slice(0, 300), tone: "quiet" };
  }
}

function consoleTone(level: unknown): Tone {
  if (level === "error") return "error";
  return level === "warn" ? "warning" : "plain";
}

function failed(d: Data): boolean {
  return d.phase === "failed" || Number(d.status) >= 400;
}

function network(d: Data): string {
  const outcome = d.phase === "request" ? "…" : text(d.status ?? d.error ?? d.phase);
  return `${text(d.method)} ${text(d.url)} ${outcome}`;
}

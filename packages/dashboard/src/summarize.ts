import type { Receipt, TimelineRecord } from "@debug-bridge/protocol";

type Tone = "error" | "warning" | "act" | "quiet" | "plain";

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
      return {
        text: [text(d.type), target(d), `by ${text(d.client)}`].filter(Boolean).join(" "),
        tone: "act",
      };
    case "command_result":
      return d.success
        ? { text: `${text(d.requestType)} done${effects(d.receipt as Receipt | undefined)}`, tone: "act" }
        : { text: `${text(d.requestType)} failed: ${text(d.message ?? d.error)}`, tone: "error" };
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

function target(d: Data): string {
  const named = (d.target ?? d.source ?? {}) as Record<string, string>;
  if (named.role) return `${named.role} "${named.name ?? ""}"`;
  const first = named.ref ?? named.id ?? named.selector;
  return first ?? (named.text ? `"${named.text}"` : text(d.url ?? d.key ?? d.name ?? ""));
}

/** What a receipt lists, counted: "3 appeared, 1 error, POST /orders 500". */
function effects(receipt: Receipt | undefined): string {
  if (!receipt) return "";
  const counted = (["appeared", "vanished", "changed", "errors"] as const)
    .map((key) => ({ key, length: receipt[key]?.length ?? 0 }))
    .filter(({ length }) => length > 0)
    .map(({ key, length }) => `${length} ${key}`);
  const requests = (receipt.requests ?? []).map(
    ({ method, url, status }) => `${method} ${path(url)} ${status ?? "…"}`,
  );
  const navigation = receipt.navigation ? [`→ ${path(receipt.navigation.to)}`] : [];
  const all = [...counted, ...requests, ...navigation, ...(receipt.settled ? [] : ["not settled"])];
  return all.length > 0 ? `: ${all.join(", ")}` : ", nothing changed";
}

const path = (url: string): string => url.replace(/^https?:\/\/[^/]+/, "");

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

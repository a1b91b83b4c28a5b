import { fence, type TimelineRecord } from "@debug-bridge/protocol";
import { z } from "zod";
import { fitEnd } from "../answers/fit.js";
import { defineTool } from "../tool.js";
import { maxTokensField, sessionField } from "./fields.js";

const TYPES = ["console", "console_event", "error", "unhandledrejection", "network", "navigation"] as const;

export const logsTool = defineTool({
  name: "logs",
  title: "Logs",
  description:
    "Console lines, errors, requests and navigations of a session, oldest first; the newest are kept when the budget is short.",
  input: z.object({
    session: sessionField,
    since: z.int().min(0).optional().describe("a sequence number: only what came after it"),
    types: z
      .array(z.string())
      .optional()
      .describe(`some of ${TYPES.join(", ")}, or any other type of event`),
    errors: z.boolean().optional().describe("only errors, warnings and failed requests"),
    maxTokens: maxTokensField,
  }),
  readOnly: true,
  async run({ session, since, types = [...TYPES], errors, maxTokens }, bridge) {
    const id = await bridge.choose(session);
    const page = await bridge.hub.events(id, since, types);
    const wanted = errors ? page.events.filter(isTrouble) : page.events;
    const { lines, left } = fitEnd(wanted.map(lineOf), maxTokens);
    const note = left > 0 ? `${left} earlier ones are left out; ` : "";
    return {
      text: `${fence(lines.join("\n") || "none", id)}\n${note}go on with since ${page.next}`,
      data: { events: wanted, next: page.next },
    };
  },
});

interface Data {
  readonly level?: string;
  readonly args?: unknown[];
  readonly message?: string;
  readonly reason?: string;
  readonly phase?: string;
  readonly method?: string;
  readonly url?: string;
  readonly status?: number;
  readonly durationMs?: number;
  readonly error?: string;
  readonly to?: string;
}

function isTrouble({ type, data }: TimelineRecord): boolean {
  const { level, status = 0, phase } = data as Data;
  if (type === "error" || type === "unhandledrejection") return true;
  if (type === "network") return phase === "failed" || status >= 400;
  return level === "error" || level === "warn";
}

/** One event as one line. */
function lineOf({ sequence, type, data }: TimelineRecord): string {
  const { level, args, message, reason, phase, method, url, status, durationMs, error, to } = data as Data;
  const words = ((): string => {
    switch (type) {
      case "console":
        return `console.${level}: ${args?.join(" ")}`;
      case "error":
      case "unhandledrejection":
        return `${type}: ${message ?? reason ?? ""}`;
      case "network":
        return [method, url, status ?? error ?? phase, durationMs && `${Math.round(durationMs)} ms`]
          .filter(Boolean)
          .join(" ");
      case "navigation":
        return `now at ${to}`;
      default:
        return `${type} ${JSON.stringify(data)}`;
    }
  })();
  return `${sequence} ${words}`;
}

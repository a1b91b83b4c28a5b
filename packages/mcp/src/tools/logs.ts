import { fullRecordLine, isProblem, type TimelineRecord } from "@debug-bridge/protocol";
import { z } from "zod";
import { FRAME_TOKENS, fitEnd } from "../answers/fit.js";
import { forModel, safeNumber } from "../answers/model-text.js";
import type { Bridge } from "../bridge.js";
import { defineTool } from "../tool.js";
import { EXPLAINED, maxTokensField, sessionField } from "./fields.js";

const TYPES = ["console", "error", "unhandledrejection", "network", "navigation", "gap"] as const;
/** The hub returns 1,000 records at a time and keeps 5,000. */
const MAX_PAGES = 12;

export const logsTool = defineTool({
  name: "logs",
  description:
    "Returns console lines, errors, requests and navigations, or records of other types. The newest are kept when not all fit.",
  input: z.object({
    session: sessionField,
    since: z.int().min(0).optional().describe("sequence number; only records after it"),
    types: z
      .array(z.string())
      .optional()
      .describe(`by default ${TYPES.join(", ")}`)
      .meta(EXPLAINED),
    errors: z.boolean().optional().describe("only problems"),
    maxTokens: maxTokensField,
  }),
  readOnly: true,
  async run({ session, since, types = [...TYPES], errors, maxTokens = 2_000 }, bridge) {
    const id = await bridge.choose(session);
    const { events, next } = await readAll(bridge, id, since ?? 0, types);
    const wanted = errors ? events.filter(isProblem) : events;
    const { lines, left } = fitEnd(
      wanted.map((record) => `${record.sequence} ${fullRecordLine(record)}`),
      Math.max(maxTokens - FRAME_TOKENS, FRAME_TOKENS),
    );
    const omitted = left > 0 ? `${left} earlier records are left out; ` : "";
    const note = `${omitted}continue with since ${safeNumber(next) ?? 0}`;
    const content = lines.join("\n") || "none";
    return {
      text: forModel({ content, source: "the session", note, maxTokens: maxTokens + FRAME_TOKENS }),
      data: { events: wanted, next },
    };
  },
});

/** Everything after `since`: the newest records matter most, and they come last. */
async function readAll(
  bridge: Bridge,
  id: string,
  since: number,
  types: readonly string[],
): Promise<{ events: TimelineRecord[]; next: number }> {
  const events: TimelineRecord[] = [];
  let next = since;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await bridge.hub.events(id, next, types);
    events.push(...page.events);
    if (!(page.next > next)) break;
    next = page.next;
  }
  return { events, next };
}

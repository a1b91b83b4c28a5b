import type { SessionSummary } from "@debug-bridge/protocol";
import { check, sessionSummarySchema } from "@debug-bridge/protocol/schemas";
import { z } from "zod";
import { type Bus, MAX_BUS_MESSAGE } from "../bus.js";

const LIST_TIMEOUT_MS = 2_000;
const MAX_PAGES = 100;
const MAX_PAGE_BYTES = MAX_BUS_MESSAGE / 2;

const requestSchema = z.object({ kind: z.literal("summaries"), from: z.int().min(0) });
const pageSchema = z.object({ sessions: z.array(z.unknown()), next: z.int().min(1).optional() });

/** Answers another hub that lists sessions: as many as fit into one message. */
export function answerListing(body: string, summaries: readonly SessionSummary[]): string | undefined {
  const request = requestSchema.safeParse(parse(body));
  if (!request.success) return undefined;
  const { from } = request.data;
  const texts: string[] = [];
  let bytes = 0;
  for (const summary of summaries.slice(from)) {
    const text = JSON.stringify(summary);
    bytes += Buffer.byteLength(text);
    if (bytes > MAX_PAGE_BYTES && texts.length > 0) break;
    texts.push(text);
  }
  const next = from + texts.length;
  return `{"sessions":[${texts.join(",")}]${next < summaries.length ? `,"next":${next}` : ""}}`;
}

/** The sessions of another hub; none of one that does not answer. */
export async function listSessions(bus: Bus, hub: string): Promise<SessionSummary[]> {
  const found: SessionSummary[] = [];
  try {
    let from: number | undefined = 0;
    for (let pages = 0; from !== undefined && pages < MAX_PAGES; pages++) {
      const body = JSON.stringify({ kind: "summaries", from });
      const page: z.infer<typeof pageSchema> = pageSchema.parse(
        parse(await bus.request(hub, body, LIST_TIMEOUT_MS)),
      );
      for (const each of page.sessions) {
        const summary = check(sessionSummarySchema, each);
        if (summary.ok) found.push({ ...summary.value, hubName: hub });
      }
      from = page.next;
    }
  } catch {
    // A hub that is about to be declared dead is not listed.
  }
  return found;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

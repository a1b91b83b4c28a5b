import type { SessionSummary } from "@debug-bridge/protocol";
import { check, sessionSummarySchema } from "@debug-bridge/protocol/schemas";
import { z } from "zod";
import { type Bus, MAX_BUS_MESSAGE } from "../bus.js";
import type { Directory } from "../members/directory.js";
import type { Members } from "../members/members.js";

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

/** The sessions of all hubs, and where those of others were listed last. */
export class Listings {
  private listed = new Map<string, string>();

  constructor(
    private readonly bus: Bus,
    private readonly members: Pick<Members, "others" | "isSeen">,
    private readonly directory: Pick<Directory, "knownHub" | "registeredHub">,
  ) {}

  /** Those of this hub, then those of others. Of two with the same id, the one that is not meant by it gets the name of its hub. */
  async all(own: readonly SessionSummary[]): Promise<SessionSummary[]> {
    const ids = new Set(own.map(({ id }) => id));
    const listed = new Map<string, string>();
    const others = await Promise.all(this.members.others().map((hub) => listSessions(this.bus, hub)));
    const named = others.flat().map((summary) => {
      // The registry reports a session that has just begun a moment after its hub lists it.
      const hub = this.directory.knownHub(summary.id) ?? summary.hubName;
      const isThere = hub === summary.hubName && !ids.has(summary.id);
      if (!isThere) return { ...summary, id: `${summary.id}@${summary.hubName}` };
      ids.add(summary.id);
      listed.set(summary.id, hub);
      return summary;
    });
    this.listed = listed;
    return [...own, ...named];
  }

  /**
   * The hub of a session that began a moment ago: its hub listed it, or the registry has it and has not reported it yet. A claim reads the
   * registry itself.
   */
  async findNew(sessionId: string, isClaimed: boolean): Promise<string | undefined> {
    const hub = this.listed.get(sessionId);
    if (hub !== undefined && this.members.isSeen(hub)) return hub;
    return isClaimed ? undefined : this.directory.registeredHub(sessionId);
  }

  /** It is no longer where it was listed. */
  forget(sessionId: string): void {
    this.listed.delete(sessionId);
  }
}

/** The sessions of another hub; none of one that does not answer. */
async function listSessions(bus: Bus, hub: string): Promise<(SessionSummary & { hubName: string })[]> {
  const found: (SessionSummary & { hubName: string })[] = [];
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

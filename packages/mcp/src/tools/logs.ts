import {
  BridgeError,
  fullRecordLine,
  isDevServerTraffic,
  isProblem,
  isRecordType,
  type TimelineRecord,
  truncate,
} from "@debug-bridge/protocol";
import { z } from "zod";
import { FRAME_TOKENS, fitEnd } from "../answers/fit.js";
import { readImage } from "../answers/images.js";
import { forModel, joined, ownWords, safeNumber } from "../answers/model-text.js";
import { placedFrames } from "../answers/placed-frames.js";
import { pageOf, writtenPlaces } from "../answers/written-places.js";
import type { Bridge } from "../bridge.js";
import { EXPLAINED, maxTokensField, sessionField } from "../input/fields.js";
import { defineTool } from "../tool.js";
import { explain } from "./why.js";

const TYPES = [
  ...["console", "error", "unhandledrejection", "network", "navigation", "picked", "gap"],
  ...["edit", "edit_result", "server_log"],
] as const;
/** A recording begins before a failure and ends after it. */
const REPRODUCE = ownWords`For a test of it: record start, do it again, record stop, record reproduce.`;
/** The hub returns 1,000 records at a time and keeps 5,000. */
const MAX_PAGES = 12;

export const logsTool = defineTool({
  name: "logs",
  description:
    "Returns console lines, errors, requests, navigations or other types after record since. why explains a record; 0: the last failure.",
  input: z.object({
    session: sessionField,
    since: z.int().min(0).optional().describe("sequence number; only records after it").meta(EXPLAINED),
    types: z
      .array(z.string())
      .optional()
      .describe(`by default ${TYPES.join(", ")}`)
      .meta(EXPLAINED),
    errors: z.boolean().optional().describe("only problems").meta(EXPLAINED),
    why: z
      .int()
      .min(0)
      .optional()
      .describe("explains the record with this number instead; 0: the newest failure")
      .meta(EXPLAINED),
    maxTokens: maxTokensField,
  }),
  readOnly: true,
  async run({ session, since, types, errors, why, maxTokens = 2_000 }, bridge) {
    for (const type of types ?? []) if (!isRecordType(type)) throw unknownType(type);
    const id = await bridge.choose(session);
    if (why !== undefined) {
      const answer = await explain(bridge, `sessions/${encodeURIComponent(id)}`, why, maxTokens);
      return { ...answer, text: joined(answer.text, REPRODUCE) };
    }
    const { events, next, waiting } = await readAll(bridge, id, since ?? 0, types ?? [...TYPES]);
    // Who asks for a type gets all of it.
    const own = types ? events : events.filter((record) => !isDevServerTraffic(record));
    const wanted = errors ? own.filter(isProblem) : own;
    const places = await writtenPlaces(wanted, id, bridge);
    const page = wanted.some(isProblem) ? await pageOf(id, bridge) : undefined;
    const lineOf = async (record: TimelineRecord): Promise<string> => {
      const line = `${record.sequence} ${fullRecordLine(record, places.get(record))}`;
      return isProblem(record) ? placedFrames(line, page, bridge) : line;
    };
    const { lines, left } = fitEnd(
      await Promise.all(wanted.map(lineOf)),
      Math.max(maxTokens - FRAME_TOKENS, FRAME_TOKENS),
    );
    const dropped = events.length - own.length;
    const nothing = ownWords``;
    const traffic =
      dropped > 0 ? ownWords`${dropped} requests of the development server are left out; ` : nothing;
    const omitted = left > 0 ? ownWords`${left} earlier records are left out; ` : nothing;
    const unstored =
      waiting > 0 ? ownWords`${waiting} newer records are shown when NATS has stored them; ` : nothing;
    const note = ownWords`${traffic}${omitted}${unstored}continue with since ${safeNumber(next) ?? 0}`;
    const content = lines.join("\n") || "none";
    const picked = wanted.filter(({ type }) => type === "picked").at(-1);
    const picture = readImage((picked?.data as { picture?: unknown } | undefined)?.picture);
    return {
      text: forModel({ content, source: "the session", note, maxTokens: maxTokens + FRAME_TOKENS }),
      data: { events: wanted, next },
      ...(picture ? { images: [picture] } : {}),
    };
  },
});

/** Refused, since "none" would look like a page in which nothing happened. */
function unknownType(type: string): BridgeError {
  return new BridgeError(
    "invalid_message",
    `there is no record type ${JSON.stringify(truncate(type, 60))}; use ${TYPES.join(", ")}, command, command_result or state_update`,
  );
}

/** Everything after `since`: the newest records matter most, and they come last. */
async function readAll(
  bridge: Bridge,
  id: string,
  since: number,
  types: readonly string[],
): Promise<{ events: TimelineRecord[]; next: number; waiting: number }> {
  const events: TimelineRecord[] = [];
  let next = since;
  let waiting = 0;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await bridge.hub.events(id, next, types);
    events.push(...page.events);
    waiting = safeNumber(page.waiting) ?? 0;
    if (!(page.next > next)) break;
    next = page.next;
  }
  return { events, next, waiting };
}

import { z } from "zod";
import type { Entry } from "../timeline/timeline.js";
import type { Place } from "./places.js";

/** The number of the last message that was received of each page load. */
export type LastSeqs = readonly (readonly [instanceId: string, seq: number])[];

const headSchema = z.object({
  life: z.string(),
  term: z.int(),
  hub: z.string().max(200).optional(),
  lastSeqs: z.array(z.tuple([z.string().max(256), z.int().min(0)])).max(1_000),
});

const entrySchema = z.tuple([
  z.string().max(256),
  z.number(),
  z.int().min(1),
  z.int().min(0),
  z.string().max(8_192),
  z.string(),
]);

/** A text without records, the first of a hub that takes a session over: from here on, only texts of this term count. */
export function writeFence({ life, term, hub }: Pick<Place, "life" | "term" | "hub">): string {
  return JSON.stringify({ life, term, hub, lastSeqs: [] });
}

/** Whose a text is; `undefined` if it was not written by a hub. */
export function readOwner(text: string): z.infer<typeof headSchema> | undefined {
  const head = headSchema.safeParse(parse(text.split("\n", 1)[0] ?? ""));
  return head.success ? head.data : undefined;
}

/** Records as texts to store, none longer than `maxLength` if that can be. The first line says whose they are. */
export function writeBatch(
  { life, term }: Pick<Place, "life" | "term">,
  entries: readonly Entry[],
  lastSeqs: LastSeqs,
  maxLength: number,
): string[] {
  const head = (isLast: boolean): string => JSON.stringify({ life, term, lastSeqs: isLast ? lastSeqs : [] });
  const texts: string[] = [];
  let lines: string[] = [];
  let length = 0;
  for (const entry of entries) {
    const line = writeEntry(entry, maxLength);
    if (length + line.length > maxLength && lines.length > 0) {
      texts.push([head(false), ...lines].join("\n"));
      lines = [];
      length = 0;
    }
    lines.push(line);
    length += line.length;
  }
  if (lines.length > 0) texts.push([head(true), ...lines].join("\n"));
  return texts;
}

/** What was stored of a session, without what a hub wrote after it had lost the session. */
export function readBatches(
  texts: readonly string[],
  life: string,
): { entries: Entry[]; lastSeqs: [string, number][] } {
  const entries: Entry[] = [];
  const lastSeqs = new Map<string, number>();
  let newestTerm = 0;
  let last = 0;
  for (const text of texts) {
    const [first = "", ...lines] = text.split("\n");
    const head = headSchema.safeParse(parse(first));
    if (!head.success || head.data.life !== life || head.data.term < newestTerm) continue;
    newestTerm = head.data.term;
    for (const [instanceId, seq] of head.data.lastSeqs) lastSeqs.set(instanceId, seq);
    for (const line of lines) {
      const entry = readEntry(line);
      if (!entry || entry.sequence <= last) continue;
      last = entry.sequence;
      entries.push(entry);
    }
  }
  return { entries, lastSeqs: [...lastSeqs] };
}

/** Of a record that no message of the bus can hold, only the size is stored. */
function writeEntry({ type, at, sequence, causedBy, source, json }: Entry, maxLength: number): string {
  const text = json.length > maxLength ? `{"omitted":${json.length}}` : json;
  return JSON.stringify([type, at, sequence, causedBy ?? 0, source, text]);
}

function readEntry(line: string): Entry | undefined {
  const read = entrySchema.safeParse(parse(line));
  if (!read.success) return undefined;
  const [type, at, sequence, causedBy, source, json] = read.data;
  return { type, at, sequence, json, source, causedBy: causedBy === 0 ? undefined : causedBy };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

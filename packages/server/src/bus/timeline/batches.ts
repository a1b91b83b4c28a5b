import { z } from "zod";
import type { Entry } from "../../timeline/timeline.js";
import type { StoredText } from "../bus.js";
import type { Place } from "../members/places.js";

/** The number of the last message that was received of each page load. */
type LastSeqs = readonly (readonly [instanceId: string, seq: number])[];

const headSchema = z.object({
  life: z.string(),
  term: z.int(),
  hub: z.string().max(200).optional(),
  lastSeqs: z.array(z.tuple([z.string().max(256), z.int().min(0)])).max(1_000),
  /** The numbers of the texts that describe its page. Only in texts with which a session can be continued. */
  pages: z.array(z.int().min(1)).max(16).optional(),
  /** The number of the newest record before it, in texts without records. */
  last: z.int().min(0).optional(),
});

/** What the newest text says that a hub needs to continue the session, without the texts before. */
export interface Continuation {
  /** The number of the newest record. */
  readonly last: number;
  readonly lastSeqs: LastSeqs;
  /** The numbers of the texts that describe the page. */
  readonly pages: readonly number[];
  /** The records of this text. */
  readonly entries: readonly Entry[];
}

/** Records as a text to store. */
export interface Batch {
  readonly text: string;
  readonly entries: readonly Entry[];
}

const entrySchema = z.tuple([
  z.string().max(256),
  z.number(),
  z.int().min(1),
  z.int().min(0),
  z.string().max(8_192),
  z.string(),
]);

/**
 * A text without records, the first of a hub that takes a session over: from here on, only texts of this term count. With `from`, the
 * session can be continued with this text as with the one before.
 */
export function writeFence(
  { life, term, hub }: Pick<Place, "life" | "term" | "hub">,
  from?: Omit<Continuation, "entries">,
): string {
  const { lastSeqs = [], pages, last } = from ?? {};
  return JSON.stringify({ life, term, hub, lastSeqs, pages, last });
}

/** With what a session can be continued; `undefined` when the texts before are needed, too. */
export function readContinuation(text: string): Continuation | undefined {
  const [first = "", ...lines] = text.split("\n");
  const head = headSchema.safeParse(parse(first)).data;
  const entries = lines.map(readEntry).filter((entry) => entry !== undefined);
  const last = entries.at(-1)?.sequence ?? head?.last;
  if (head?.pages === undefined || last === undefined) return undefined;
  return { last, lastSeqs: head.lastSeqs, pages: head.pages, entries };
}

/** The records of a text, if it is of the session with this life. */
export function readEntries(text: string, life: string): Entry[] {
  const [, ...lines] = text.split("\n");
  return readOwner(text)?.life === life ? lines.map(readEntry).filter((entry) => entry !== undefined) : [];
}

/** Whose a text is; `undefined` if it was not written by a hub. */
export function readOwner(text: string): z.infer<typeof headSchema> | undefined {
  const head = headSchema.safeParse(parse(text.split("\n", 1)[0] ?? ""));
  return head.success ? head.data : undefined;
}

/**
 * Records as texts to store, none longer than `maxLength` if that can be. The first line says whose they are. A session cannot be
 * continued with one of several texts alone: which of them describes the page is known only when it is stored.
 */
export function writeBatches(
  { life, term }: Pick<Place, "life" | "term">,
  entries: readonly Entry[],
  { lastSeqs, pages }: Pick<Continuation, "lastSeqs" | "pages">,
  maxLength: number,
): Batch[] {
  const parts = splitEntries(entries, maxLength);
  return parts.map(({ entries: part, lines }, i) => {
    const isOnly = parts.length === 1;
    const isLast = i === parts.length - 1;
    const head = { life, term, lastSeqs: isLast ? lastSeqs : [], ...(isOnly ? { pages } : {}) };
    return { text: [JSON.stringify(head), ...lines].join("\n"), entries: part };
  });
}

function splitEntries(
  entries: readonly Entry[],
  maxLength: number,
): { readonly entries: Entry[]; readonly lines: string[] }[] {
  const parts: { entries: Entry[]; lines: string[] }[] = [];
  let length = 0;
  for (const entry of entries) {
    const line = writeEntry(entry, maxLength);
    if (parts.length === 0 || length + line.length > maxLength) {
      parts.push({ entries: [], lines: [] });
      length = 0;
    }
    parts.at(-1)?.entries.push(entry);
    parts.at(-1)?.lines.push(line);
    length += line.length;
  }
  return parts;
}

/** What was stored of a session, without what a hub wrote after it had lost the session. */
export function readBatches(
  texts: readonly StoredText[],
  life: string,
): { entries: Entry[]; lastSeqs: [string, number][] } {
  const entries: Entry[] = [];
  const lastSeqs = new Map<string, number>();
  let newestTerm = 0;
  let last = 0;
  for (const { text } of texts) {
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

/** Stores only the size of a record that no message of the bus can hold. */
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

import { SseParser } from "@debug-bridge/protocol";
import type { Context, MiddlewareHandler } from "hono";
import type { HomeItem } from "../../bus/remote/homes.js";
import { eventStream, type SendEvent } from "../sse.js";

/** What other hubs keep in their homes, as the HTTP API needs it. */
export interface HomesOfOthers {
  forward(request: globalThis.Request, what: HomeItem, id: string): Promise<Response | undefined>;
  has(what: HomeItem, id: string): Promise<boolean>;
  askAll(request: globalThis.Request): Promise<ReadonlyMap<string, Response>>;
}

const PATHS: readonly [RegExp, HomeItem][] = [
  [/^\/v1\/chats\/(?!feed$)([^/]+)/, "chat"],
  [/^\/v1\/runs\/([^/]+)/, "run"],
  [/^\/v1\/recordings\/([^/]+)/, "recording"],
];
/** Lists, the member with the entries, and by what they are sorted, newest first. */
const LISTS: ReadonlyMap<string, { readonly member: string; readonly by: string }> = new Map([
  ["/v1/chats", { member: "chats", by: "updated" }],
  ["/v1/recordings", { member: "recordings", by: "startTime" }],
]);

type Entry = Record<string, unknown>;

/** Answers for the chats and recordings of all hubs of the bus. What another hub passed on is answered from this home. */
export function homesOfAll(others: HomesOfOthers): MiddlewareHandler {
  return async (c, next) => {
    if (isFromHub(c)) return next();
    const { method, path } = c.req;
    const list = method === "GET" ? LISTS.get(path) : undefined;
    if (list) {
      await next();
      if (c.res.ok) c.res = await merged(c.res, await others.askAll(c.req.raw), list);
      return undefined;
    }
    const [what, id] = itemAt(c);
    const response = what && id !== undefined ? await others.forward(c.req.raw, what, id) : undefined;
    if (response) return response;
    await next();
    return undefined;
  };
}

/** Whether another hub passed a request on, which it admitted. */
export function isFromHub(c: Context): boolean {
  return (c.env as { fromHub?: boolean } | undefined)?.fromHub === true;
}

/** The changes of the chats of this hub, and of those that the others have now. */
export async function chatFeedOfAll(
  c: Context,
  subscribe: (send: SendEvent) => () => void,
  others: HomesOfOthers | undefined,
): Promise<Response> {
  const streams = others && !isFromHub(c) ? await others.askAll(c.req.raw) : new Map<string, Response>();
  return eventStream((send) => {
    const stopOwn = subscribe(send);
    const readers = [...streams.values()].flatMap(({ body }) => body?.getReader() ?? []);
    for (const reader of readers) void pass(reader, send).catch(() => {});
    return () => {
      stopOwn();
      for (const reader of readers) void reader.cancel().catch(() => {});
    };
  });
}

async function pass(reader: ReadableStreamDefaultReader<Uint8Array>, send: SendEvent): Promise<void> {
  const decoder = new TextDecoder();
  const parser = new SseParser();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    for (const event of parser.push(decoder.decode(value, { stream: true })))
      if (!send(event)) return reader.cancel();
  }
}

function itemAt(c: Context): [HomeItem, string] | [] {
  if (c.req.path === "/events") {
    const id = c.req.query("sessionId");
    return id ? ["chat", id] : [];
  }
  for (const [path, what] of PATHS) {
    const [, id] = path.exec(c.req.path) ?? [];
    if (id !== undefined) return [what, decodeURIComponent(id)];
  }
  return [];
}

/** The list of this hub with those of the others. Hubs of one home have the same entries, which are listed once. */
async function merged(
  own: Response,
  others: ReadonlyMap<string, Response>,
  { member, by }: { readonly member: string; readonly by: string },
): Promise<Response> {
  const body = (await own.json()) as Entry;
  const entries = new Map((body[member] as Entry[]).map((entry) => [entry.id, entry]));
  for (const [hubName, response] of others) {
    const other = (await response.json()) as Entry;
    for (const entry of other[member] as Entry[])
      if (!entries.has(entry.id)) entries.set(entry.id, { ...entry, hubName });
    if (typeof body.partial === "boolean") body.partial = body.partial || other.partial === true;
    if (typeof body.omitted === "number") body.omitted += Number(other.omitted ?? 0);
  }
  const sorted = [...entries.values()].sort((a, b) => String(b[by]).localeCompare(String(a[by])));
  return Response.json({ ...body, [member]: sorted });
}

import {
  BridgeError,
  CHAT_MESSAGE_LIMITS,
  CHAT_RUN_LIMITS,
  type ChatProvider,
  type ChatSummary,
} from "@debug-bridge/protocol";
import {
  changeChatSchema,
  createChatSchema,
  decideApprovalSchema,
  decode,
  startRunSchema,
} from "@debug-bridge/protocol/schemas";
import { type Context, Hono } from "hono";
import type { z } from "zod";
import type { Approvals } from "../../chats/approvals/approvals.js";
import type { ChatFeed } from "../../chats/chat-feed.js";
import { streamChat } from "../../chats/chat-stream.js";
import type { ChatRuns } from "../../chats/runs/chat-runs.js";
import type { ChatStore } from "../../chats/store/chat-store.js";
import { searchChats } from "../../chats/transcript/search.js";
import { wholeNumber } from "../query.js";
import { eventStream } from "../sse.js";
import { chatFeedOfAll, type HomesOfOthers } from "./homes.js";

const MAX_EVENTS = 1_000;
/** Events of a page that is read backwards. */
const DEFAULT_PAGE = 200;
const MAX_PAGE = 2_000;
const MAX_QUERY = 200;

/** A picture comes from a page or a person: a browser shows it, and does nothing else with it. */
const IMAGE_HEADERS = {
  "x-content-type-options": "nosniff",
  "content-security-policy": "sandbox; default-src 'none'",
  // Its name is made from its bytes.
  "cache-control": "private, max-age=31536000, immutable",
} as const;

export interface ChatPort {
  readonly store: ChatStore;
  readonly runs: ChatRuns;
  readonly feed: ChatFeed;
  readonly approvals: Approvals;
  readonly providers: readonly ChatProvider[];
  /** Throws when a client may not start a run now. */
  assertMayRun(client: string): void;
  onAudit(client: string, what: string, chatId: string): void;
}

/** `/v1/chats` and `/v1/runs`: conversations with an agent. Any client that gets here has the token, or a key of the panel. */
export function chatRoutes(port: ChatPort, others: HomesOfOthers | undefined): Hono {
  const { store, runs, feed, providers } = port;
  const api = new Hono();

  api.get("/chat-providers", (c) => c.json({ providers: providers.map(aboutProvider) }));

  api.get("/chats", async (c) => {
    const query = c.req.query("q")?.slice(0, MAX_QUERY).trim() ?? "";
    const wanted = archivedWanted(c.req.query("archived"));
    const { chats, partial } =
      query === "" ? { chats: store.list(), partial: false } : await searchChats(store, query);
    return c.json({ chats: chats.filter(wanted), partial });
  });

  api.post("/chats", async (c) => {
    const body = await readBody(c, createChatSchema);
    const provider = body.provider ?? defaultProvider(providers);
    runs.provider(provider);
    const chat = store.create({ ...body, provider });
    feed.refresh(chat.id);
    port.onAudit(clientOf(c), "chat created", chat.id);
    return c.json(chat, 201);
  });

  api.get("/chats/feed", (c) => chatFeedOfAll(c, (send) => feed.subscribe(send), others));

  api.get("/chats/:id", async (c) => {
    await runs.recoverChat(c.req.param("id"));
    return c.json(store.get(c.req.param("id")));
  });

  api.patch("/chats/:id", async (c) => {
    const change = await readBody(c, changeChatSchema);
    if (change.provider !== undefined) runs.provider(change.provider);
    if (change.breakpoints) await runs.sendBreakpoints(c.req.param("id"), change.breakpoints, clientOf(c));
    const chat = store.change(c.req.param("id"), change);
    feed.refresh(chat.id);
    return c.json(chat);
  });

  api.delete("/chats/:id", (c) => {
    store.delete(c.req.param("id"));
    feed.refresh(c.req.param("id"));
    port.onAudit(clientOf(c), "chat deleted", c.req.param("id"));
    return c.json({ deleted: true });
  });

  addContentRoutes(api, port);
  addRunRoutes(api, port);
  return api;
}

/** What was said in a chat: events, text and pictures. */
function addContentRoutes(api: Hono, { store, runs }: ChatPort): void {
  api.get("/chats/:id/transcript", async (c) => {
    const id = c.req.param("id");
    await runs.recoverChat(id);
    const { since, before, limit } = c.req.query();
    if (since === undefined && (before !== undefined || limit !== undefined)) {
      const wanted = Math.max(1, wholeNumber(limit, "limit", DEFAULT_PAGE));
      const newest = before === undefined ? undefined : wholeNumber(before, "before", 0);
      return c.json(store.eventsBefore(id, newest, Math.min(wanted, MAX_PAGE)));
    }
    if (before !== undefined)
      throw new BridgeError("invalid_message", "since and before exclude each other; use one of them", {
        field: "before",
      });
    const wanted = wholeNumber(limit, "limit", MAX_EVENTS);
    return c.json(store.events(id, wholeNumber(since, "since", 0), Math.min(wanted, MAX_EVENTS)));
  });

  api.get("/chats/:id/export", (c) =>
    c.body(store.markdown(c.req.param("id")), 200, {
      "content-type": "text/markdown; charset=utf-8",
      // A browser that is led here downloads it and shows nothing.
      "content-disposition": `attachment; filename="${c.req.param("id")}.md"`,
    }),
  );

  api.get("/chats/:id/images/:image", (c) => {
    const { bytes, mimeType } = store.folder(c.req.param("id")).images.read(c.req.param("image"));
    return c.body(new Uint8Array(bytes), 200, { ...IMAGE_HEADERS, "content-type": mimeType });
  });
}

/** The runs of chats, and what the person lets their agents do. */
function addRunRoutes(api: Hono, { store, runs, approvals, ...port }: ChatPort): void {
  api.post("/chats/:id/runs", async (c) => {
    const id = c.req.param("id");
    const body = await readBody(c, startRunSchema, CHAT_RUN_LIMITS);
    store.folder(id);
    port.assertMayRun(clientOf(c));
    const runId = await runs.start(id, body);
    port.onAudit(clientOf(c), "chat run", id);
    return c.json({ runId }, 202);
  });

  api.post("/chats/:id/approvals/:approval", async (c) => {
    const { id, approval } = c.req.param();
    const { decision } = await readBody(c, decideApprovalSchema);
    const decided = approvals.decide(id, approval, decision);
    port.onAudit(clientOf(c), `chat approval: ${decision} ${decided.origin}`, id);
    return c.json(decided);
  });

  api.get("/chat-approvals", (c) => c.json({ approvals: approvals.saved.list() }));

  api.delete("/chat-approvals/:origin", (c) => {
    approvals.saved.remove(c.req.param("origin"));
    return c.json({ removed: true });
  });

  // For tools that cannot wait while they work: they ask here when they were refused.
  api.get("/runs/:id/approvals", async (c) => {
    const id = c.req.param("id");
    runs.assertRunning(id);
    return c.json({ approvals: await approvals.answered(id) });
  });

  api.post("/runs/:id/stop", async (c) => {
    await runs.stop(c.req.param("id"));
    return c.json({ stopped: true });
  });
}

/** `GET /events?sessionId=`: the events of one chat, and of no other. */
export async function chatEvents(
  c: Context,
  { store, runs }: Pick<ChatPort, "store" | "runs">,
): Promise<Response> {
  const id = c.req.query("sessionId");
  if (id === undefined || id === "")
    throw new BridgeError("invalid_message", "name the chat: /events?sessionId=CHAT", { field: "sessionId" });
  const folder = store.folder(id);
  await runs.recoverChat(id);
  const since = wholeNumber(c.req.header("last-event-id") ?? c.req.query("since"), "Last-Event-ID", 0);
  return eventStream((send) => streamChat(folder, since, send));
}

function aboutProvider(provider: ChatProvider): object {
  const problem = provider.problem();
  const { name, title } = provider;
  return { name, title, available: problem === undefined, ...(problem === undefined ? {} : { problem }) };
}

function defaultProvider(providers: readonly ChatProvider[]): string {
  const chosen = providers.find((each) => each.problem() === undefined) ?? providers[0];
  if (chosen) return chosen.name;
  throw new BridgeError(
    "not_supported",
    "this hub has no providers for chats; start it with debug-bridge up",
  );
}

/** Chats that are archived are listed only when they are asked for. */
function archivedWanted(text: string | undefined): (chat: ChatSummary) => boolean {
  if (text === "all") return () => true;
  if (text === undefined || text === "false") return (chat) => chat.archived !== true;
  if (text === "true") return (chat) => chat.archived === true;
  throw new BridgeError(
    "invalid_message",
    `archived is ${JSON.stringify(text.slice(0, 60))}; use true, false or all`,
    { field: "archived" },
  );
}

async function readBody<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
  limits = CHAT_MESSAGE_LIMITS,
): Promise<z.output<Schema>> {
  const text = await c.req.text();
  const decoded = decode(schema, text === "" ? "{}" : text, limits);
  if (decoded.ok) return decoded.value;
  throw decoded.error;
}

function clientOf(c: Context): string {
  const name = c.req.header("x-debug-bridge-client")?.slice(0, 100);
  return name ? `http:${name}` : "http";
}
